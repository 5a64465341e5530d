import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { formats, formatted, ProblemError, problem } from '@nova-platform/api';
import { answerFromBackend } from './backend.ts';
import { readBody } from './body.ts';
import { environment } from './environment.ts';
import { Refusal } from './refusal.ts';

const execute = promisify(execFile);
const suffix = '.git';
/** Prefix of incomplete repositories. */
const making = '.making-';
/** Maximum number of concurrent requests. */
const most = 16;
const longest = 10 * 60_000;

/**
 * The only valid paths, exactly as clients send them. Nothing is decoded or normalized, so no encoding can hide another
 * path.
 */
const fetching = /^\/(?<name>[^/]+)\.git\/(?<what>info\/refs\?service=git-upload-pack|git-upload-pack)$/;
const pushing = /^\/[^/]+\.git\/(info\/refs\?service=)?git-receive-pack$/;

/** Opens the repositories of a folder that only this process writes. `log` gets details that clients must not see. */
export async function openRepositories(folder: string, log: (line: string) => void): Promise<Repositories> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = (await readdir(folder)).filter((name) => name.startsWith(making));
  for (const name of unfinished) await rm(join(folder, name), { recursive: true });
  return new Repositories(resolve(folder), log);
}

/** Bare repositories, served read-only over smart HTTP. */
export class Repositories {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  #serving = 0;

  constructor(folder: string, log: (line: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Returns the path of a repository with branch main. Creates it if it does not exist. */
  async ensure(name: string): Promise<string> {
    if (!isName(name)) throw new ProblemError(problem('NOVA7026', { field: 'name', expected: formats.label.expected }));
    const path = this.#pathOf(name);
    if (existsSync(path)) return path;
    // Not mkdtemp: only the owner can read its folders.
    const unfinished = join(this.#folder, `${making}${randomUUID()}`);
    await mkdir(unfinished);
    try {
      // No template, so no hooks from the host.
      const init = ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', unfinished];
      await execute('git', init, { env: environment });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { recursive: true });
      // Another call created it first.
      if (!existsSync(path)) throw error;
    }
    return path;
  }

  async list(): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(suffix));
    return names.map((name) => name.slice(0, -suffix.length)).toSorted();
  }

  /**
   * Serves a request for `/<name>.git/...`; `path` is that path with its query. The caller has authenticated the
   * request.
   */
  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const timer = setTimeout(() => {
      this.#log(`${path}: aborted after the timeout`);
      response.destroy();
    }, longest);
    this.#serving += 1;
    try {
      const { name, what } = this.#assertServed(request, path);
      const body = what === 'git-upload-pack' ? await readBody(request) : Buffer.alloc(0);
      await answerFromBackend(response, this.#cgi(request, path, body), body, (line) => this.#log(`${name}: ${line}`));
    } catch (error) {
      if (error instanceof Refusal) return error.answer(response);
      // A client that disconnects is not an error.
      if (['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
      this.#log((error as Error).message);
      if (response.headersSent) response.destroy();
      else new Refusal(500).answer(response);
    } finally {
      clearTimeout(timer);
      this.#serving -= 1;
    }
  }

  #assertServed(request: IncomingMessage, path: string): { name: string; what: string } {
    if (pushing.test(path)) throw new Refusal(403);
    const { name = '', what = '' } = fetching.exec(path)?.groups ?? {};
    if (!isName(name) || !existsSync(this.#pathOf(name))) throw new Refusal(404);
    const allow = what === 'git-upload-pack' ? 'POST' : 'GET';
    if (request.method !== allow) throw new Refusal(405, { allow });
    // The count includes this request.
    if (this.#serving > most) throw new Refusal(503, { 'retry-after': '5' });
    return { name, what };
  }

  #cgi(request: IncomingMessage, path: string, body: Buffer): Record<string, string> {
    const [pathInfo = '', query = ''] = path.split('?');
    return {
      GIT_PROJECT_ROOT: this.#folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method ?? '',
      PATH_INFO: pathInfo,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
    };
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + suffix);
  }
}

function isName(name: string): boolean {
  return formatted('label').safeParse(name).success;
}
