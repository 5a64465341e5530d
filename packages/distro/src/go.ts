import { type RunOptions, run } from '@nova-platform/process';
import type { GoCaches } from './cache.ts';
import type { Toolchain } from './toolchain.ts';

/** Toolchain and caches that every call of Go uses. */
export interface GoSetup {
  toolchain: Toolchain;
  caches: GoCaches;
}

/**
 * Runs Go in a component's folder. Go gets SIGINT when this process dies, so a killed build does not continue to
 * compile.
 */
export function runGo(
  { toolchain, caches }: GoSetup,
  folder: string,
  args: readonly string[],
  options: Pick<RunOptions, 'onLine' | 'signal'> = {},
): Promise<string> {
  const env = goEnvironment(caches, toolchain);
  const call = ['--pdeathsig', 'INT', toolchain.program, ...args];
  return run('setpriv', call, { cwd: folder, env, ...options });
}

/** The module that a line of Go's output reports as being downloaded. */
export function downloadIn(line: string): string | undefined {
  return /^go: downloading (\S+)/.exec(line)?.[1];
}

/** Our own caches. Of the user's settings only those about module proxies and checksum verification apply. */
function goEnvironment({ modules, builds }: GoCaches, { architecture }: Toolchain): Record<string, string> {
  return {
    GOMODCACHE: modules,
    GOCACHE: builds,
    GOFLAGS: '-mod=readonly -buildvcs=false',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    GOOS: 'linux',
    GOARCH: architecture,
    // These settings change the bytes of a program.
    GOAMD64: 'v1',
    GOARM64: 'v8.0',
    GOEXPERIMENT: '',
    CGO_ENABLED: '0',
  };
}
