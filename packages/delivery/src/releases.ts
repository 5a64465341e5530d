import { randomUUID } from 'node:crypto';
import { formatted, type Problem, ProblemError, problem } from '@nova-platform/api';
import { runGit } from '@nova-platform/git';
import { graphProblems } from './graph.ts';
import { crdFolder, describes, type Release, type ReleaseFiles, readRelease } from './release.ts';

/** Fixed, so that the same release always gives the same commit. */
const author = 'Nova <nova@nova.internal> 0 +0000';
/** As the old value of a ref: the ref must not exist. */
const noCommit = '0'.repeat(40);
const newestBranch = 'refs/heads/main';
const path = /^[a-z0-9][A-Za-z0-9._-]*(\/[a-z0-9][A-Za-z0-9._-]*)*$/;

/** A release in the repository. */
export interface PublishedRelease extends Release {
  commit: string;
}

/** The releases of the platform: a bare repository with one tag per release, which never moves. */
export class Releases {
  readonly #repository: string;
  /** Content by commit; a commit never changes. Operations read their release in every step. */
  readonly #shown = new Map<string, PublishedRelease>();

  constructor(repository: string) {
    this.#repository = repository;
  }

  /** Publishes a release. The same content again changes nothing; other content of the same version is refused. */
  async publish(version: string, files: ReleaseFiles): Promise<PublishedRelease> {
    assertSound(version, files);
    const commit = await this.#commit(version, files);
    // Fails if the tag exists; then it must point to the same commit.
    await this.#git(['update-ref', tagOf(version), commit, noCommit]).catch(async (error: unknown) => {
      const present = await this.#commitOf(tagOf(version));
      if (present === undefined) throw error;
      if (present !== commit) throw new ProblemError(problem('NOVA8405', { release: version }));
    });
    const newest = await this.newest();
    if (newest === undefined || !isOlder(version, newest)) await this.#git(['update-ref', newestBranch, commit]);
    return this.show(version);
  }

  /** Sorted by version, the oldest first. */
  async list(): Promise<string[]> {
    const tags = await this.#git([
      'for-each-ref',
      '--format=%(refname:strip=2)',
      '--sort=version:refname',
      'refs/tags',
    ]);
    return lines(tags).map((tag) => tag.slice(1));
  }

  /** The release that was published last, unless its version is older. */
  async newest(): Promise<string | undefined> {
    const commit = await this.#commitOf(newestBranch);
    if (commit === undefined) return undefined;
    const tags = lines(await this.#git(['tag', '--points-at', commit]));
    return tags.at(-1)?.slice(1);
  }

  async show(version: string): Promise<PublishedRelease> {
    const commit = await this.#assertRelease(version);
    const known = this.#shown.get(commit);
    if (known) return known;
    const described = lines(await this.#git(['ls-tree', '-r', '--name-only', commit])).filter(describes);
    const shown = { ...readRelease(await this.#read(commit, described)), commit };
    this.#shown.set(commit, shown);
    return shown;
  }

  /** CRDs of Flux. */
  async fluxDefinitions(version: string): Promise<string[]> {
    const commit = await this.#assertRelease(version);
    const names = lines(await this.#git(['ls-tree', '-r', '--name-only', commit, `${crdFolder}/`]));
    return Object.values(await this.#read(commit, names));
  }

  /** Creates the commit; no ref points to it yet. */
  async #commit(version: string, files: ReleaseFiles): Promise<string> {
    const scratch = `refs/making/${randomUUID()}`;
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const entries = Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const stream = [
      `commit ${scratch}\n`,
      `committer ${author}\n`,
      data(`Nova ${version}`),
      // No parent: a release is independent of earlier ones.
      'deleteall\n',
      ...entries.map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
      'done\n',
    ];
    await this.#git(['fast-import', '--quiet', '--done', '--force'], stream.join(''));
    const commit = await this.#commitOf(scratch);
    await this.#git(['update-ref', '-d', scratch]);
    if (commit === undefined) throw new Error(`release ${version} was not written`);
    return commit;
  }

  async #assertRelease(version: string): Promise<string> {
    const commit = formatted('release').safeParse(version).success ? await this.#commitOf(tagOf(version)) : undefined;
    if (commit !== undefined) return commit;
    const known = (await this.list()).join(', ') || '—';
    throw new ProblemError(problem('NOVA8404', { release: version, known }));
  }

  async #commitOf(ref: string): Promise<string | undefined> {
    const [commit] = lines(await this.#git(['for-each-ref', '--format=%(objectname)', ref]));
    return commit;
  }

  async #read(commit: string, names: readonly string[]): Promise<ReleaseFiles> {
    const read = names.map(
      async (name): Promise<[string, string]> => [name, await this.#git(['cat-file', 'blob', `${commit}:${name}`])],
    );
    return Object.fromEntries(await Promise.all(read));
  }

  async #git(args: readonly string[], input = ''): Promise<string> {
    return runGit(this.#repository, args, input);
  }
}

/** The revision as Flux reports it. */
export function revisionOf({ version, commit }: PublishedRelease): string {
  return `v${version}@sha1:${commit}`;
}

export const tagNameOf = (version: string): string => `v${version}`;
const tagOf = (version: string): string => `refs/tags/${tagNameOf(version)}`;

/** Validates what a publisher sends: even an administrator can make a mistake. */
function assertSound(version: string, files: ReleaseFiles): void {
  const refused = (file: string, en: string, ru: string): Problem => problem('NOVA8406', { file, reason: { en, ru } });
  const misnamed = Object.keys(files).filter((name) => !path.test(name));
  if (misnamed.length > 0)
    throw new ProblemError(...misnamed.map((name) => refused(name.slice(0, 100), 'invalid path', 'недопустимый путь')));
  let release: Release;
  try {
    release = readRelease(files);
  } catch {
    throw new ProblemError(
      refused('release.yaml', 'it has no description of its content', 'в нём нет описания содержимого'),
    );
  }
  if (release.version !== version)
    throw new ProblemError(
      refused(
        'release.yaml',
        `its version is ${release.version}, not ${version}`,
        `его версия — ${release.version}, а не ${version}`,
      ),
    );
  const { modules } = release;
  const problems = graphProblems(
    version,
    modules,
    modules.map(({ name }) => name),
  );
  if (problems.length > 0) throw new ProblemError(...problems);
}

/** Ignores the part after a hyphen, which has no order. */
function isOlder(one: string, other: string): boolean {
  const numbers = (version: string) => (version.split('-', 1)[0] ?? '').split('.').map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const index = left.findIndex((number, place) => number !== right[place]);
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
