import { readFile } from 'node:fs/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { downloadProblem } from './apt.ts';

/** One line of apt's sources. */
export interface Source {
  uri: string;
  suite: string;
  /** Options in apt's syntax, for example `trusted=yes`. */
  options?: string;
}

export interface Sources {
  present: Source[];
  /** Suites that the mirror lacks. */
  missing: string[];
}

const files = ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'];

/** The sources of a Debian release with its updates and security updates, from the mirrors of this host's apt. */
export async function packageSources(release: string): Promise<Sources> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const wanted = sourcesIn(texts.join('\n'), release);
  const [main, ...additional] = wanted;
  if (!main) throw new ProblemError(problem('NOVA7081', {}));
  return availableSources(main, additional);
}

/** Empty without a mirror. The security suite is a separate repository, usually beside the main one. */
export function sourcesIn(text: string, release: string): Source[] {
  const uri = (repository: string) =>
    new RegExp(`^(?:URIs:|deb)\\s+(?:\\[[^\\]]*\\]\\s+)?(https?:\\S+/${repository})/?(?=\\s|$)`, 'm').exec(text)?.[1];
  const mirror = uri('debian');
  if (mirror === undefined) return [];
  return [
    { uri: mirror, suite: release },
    { uri: mirror, suite: `${release}-updates` },
    { uri: uri('debian-security') ?? `${mirror}-security`, suite: `${release}-security` },
  ];
}

/** A mirror may contain only the release itself. Without the release there is nothing to compare with. */
export async function availableSources(main: Source, additional: readonly Source[]): Promise<Sources> {
  const [reason, ...others] = await Promise.all([main, ...additional].map(downloadProblem));
  if (reason !== undefined) throw new ProblemError(problem('NOVA7080', { reason }));
  return {
    present: [main, ...additional.filter((_source, index) => others[index] === undefined)],
    missing: additional.filter((_source, index) => others[index] !== undefined).map(({ suite }) => suite),
  };
}
