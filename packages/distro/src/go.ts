import { type RunOptions, run } from '@nova-platform/process';
import type { GoCaches } from './cache.ts';
import type { Toolchain } from './toolchain.ts';

/** What every call of Go rests on. */
export interface GoSetup {
  toolchain: Toolchain;
  caches: GoCaches;
}

/** Runs Go in a component's folder. It ends with us: nothing goes on compiling for a build that was killed. */
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

/** What a line of Go's says is being downloaded. */
export function downloadIn(line: string): string | undefined {
  return /^go: downloading (\S+)/.exec(line)?.[1];
}

/** Caches of our own, and of the user's settings only where modules come from and how they are checked. */
function goEnvironment({ modules, builds }: GoCaches, { architecture }: Toolchain): Record<string, string> {
  return {
    GOMODCACHE: modules,
    GOCACHE: builds,
    GOFLAGS: '-mod=readonly -buildvcs=false',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    GOOS: 'linux',
    GOARCH: architecture,
    // What would change the bytes of a program.
    GOAMD64: 'v1',
    GOARM64: 'v8.0',
    GOEXPERIMENT: '',
    CGO_ENABLED: '0',
  };
}
