import { setTimeout as sleep } from 'node:timers/promises';
import { parseXml, type Shown, writeXml } from '@nova-platform/ovirt/xml';
import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { Element } from './elements.ts';
import { connectionFailure, GoneError, LoginError, PassingError, responseFailure } from './failures.ts';
import { Http, type HttpOptions } from './http.ts';
import { pause } from './wait.ts';

export interface EngineOptions extends HttpOptions {
  url: string;
  username: string;
  password: string;
  /** Aborted when OpenTofu is interrupted. */
  signal: AbortSignal;
  timeouts: Timeouts;
}

/** Milliseconds. */
export interface Timeouts {
  /** For the first connection. */
  connect: number;
  /** While the engine is busy or unreachable. */
  busy: number;
  /** While an object is locked. */
  locked: number;
  /** Until a VM is created, started or stopped. */
  vm: number;
  /** Until a VM that shuts down is powered off. */
  shutdown: number;
  /** Until a VM reports an address. */
  address: number;
}

const minute = 60_000;

export const defaultTimeouts: Timeouts = {
  connect: 20_000,
  busy: 2 * minute,
  locked: 10 * minute,
  vm: 20 * minute,
  shutdown: 3 * minute,
  address: 10 * minute,
};

const firstPause = 500;
const longestPause = 5000;
const logoutTime = 1000;
// Lists of large sites.
const maxElements = 5_000_000;

/** The REST API of oVirt, which is XML. Everything that may pass by itself is retried. */
export class Engine {
  readonly timeouts: Timeouts;
  readonly #options: EngineOptions;
  readonly #http: Http;
  readonly #api: string;
  #token: Promise<string> | undefined;
  readonly #secrets: string[];

  constructor(options: EngineOptions) {
    this.#options = options;
    this.timeouts = options.timeouts;
    this.#http = new Http(options);
    this.#api = options.url.replace(/\/+$/, '');
    this.#secrets = [options.password];
  }

  /** Logs in and reads the root of the API, so that wrong settings are one error and not one per resource. */
  async connect(): Promise<void> {
    await this.#retried(() => this.#once('GET', ''), this.timeouts.connect);
  }

  get(path: string): Promise<Element> {
    return this.#retried(() => this.#once('GET', path));
  }

  /** Undefined if the object does not exist. */
  find(path: string): Promise<Element | undefined> {
    return this.get(path).catch(ignoreGone);
  }

  put(path: string, name: string, body: Shown): Promise<Element> {
    return this.#retried(() => this.#once('PUT', path, writeXml(name, body)));
  }

  /** Requests an action. An attempt without a clear result is repeated only if `isDone` says that it had no effect. */
  act(path: string, body: Shown, isDone: () => Promise<boolean>): Promise<void> {
    let isUnclear = false;
    return this.#retried(async () => {
      if (isUnclear && (await isDone())) return;
      try {
        await this.#once('POST', path, writeXml('action', body));
      } catch (error) {
        isUnclear = error instanceof PassingError && error.reason === 'busy';
        throw error;
      }
    });
  }

  /** Deletes an object; one that does not exist is deleted. */
  async delete(path: string): Promise<void> {
    await this.#retried(() => this.#once('DELETE', path)).catch(ignoreGone);
  }

  /**
   * Creates an object, unless `existing` finds it: an attempt without a clear result, or an earlier apply that was killed,
   * may have created it.
   */
  create(path: string, name: string, body: Shown, existing: () => Promise<Element | undefined>): Promise<Element> {
    return this.#retried(async () => (await existing()) ?? this.#once('POST', path, writeXml(name, body)));
  }

  /** Removes secrets from a text. */
  redact(text: string): string {
    return this.#secrets.reduce(
      (rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '(sensitive)')),
      text,
    );
  }

  /** Ends the session. */
  async close(): Promise<void> {
    const token = await this.#token?.catch(() => undefined);
    if (token !== undefined)
      await Promise.race([
        this.#http
          .request('POST', this.#urlOf('/ovirt-engine/services/sso-logout'), formHeaders, form({ scope: '', token }))
          .catch(() => undefined),
        sleep(logoutTime),
      ]);
    this.#http.close();
  }

  async #retried<T>(attempt: () => Promise<T>, busy = this.timeouts.busy): Promise<T> {
    const start = Date.now();
    for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof PassingError)) throw error;
        const { diagnostic, reason, retryAfter = 0 } = error;
        const limit = reason === 'locked' ? this.timeouts.locked : busy;
        const next = Math.max(wait, Math.min(retryAfter * 1000, 2 * longestPause));
        if (Date.now() + next - start > limit) throw gaveUp(diagnostic, Date.now() - start);
        await pause(next, this.#options.signal);
      }
    }
  }

  /** One request, and another one with a new token if the token has expired. */
  async #once(method: string, path: string, body?: string): Promise<Element> {
    const used = this.#login();
    try {
      return await this.#send(method, path, await used, body);
    } catch (error) {
      if (!(error instanceof LoginError)) throw error;
      if (this.#token === used) this.#token = undefined;
      return this.#send(method, path, await this.#login(), body);
    }
  }

  async #send(method: string, path: string, token: string, body?: string): Promise<Element> {
    const url = new URL(`${this.#api}${path}`);
    const headers = {
      accept: 'application/xml',
      authorization: `Bearer ${token}`,
      version: '4',
      ...(body !== undefined && { 'content-type': 'application/xml' }),
    };
    const response = await this.#http.request(method, url, headers, body).catch((error: NodeJS.ErrnoException) => {
      throw connectionFailure(error, url);
    });
    const element = elementIn(response.body);
    if (response.status >= 200 && response.status < 300 && element !== undefined) return element;
    if (response.status >= 200 && response.status < 300 && method === 'DELETE' && response.body === '') return '';
    throw responseFailure(`${method} ${path.split('?')[0] || '/'}`, response, element);
  }

  /** Requests that run at the same time share one login. */
  #login(): Promise<string> {
    this.#token ??= this.#requestToken().catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }

  async #requestToken(): Promise<string> {
    const { username, password } = this.#options;
    const url = this.#urlOf('/ovirt-engine/sso/oauth/token');
    const body = form({ grant_type: 'password', scope: 'ovirt-app-api', username, password });
    const response = await this.#http.request('POST', url, formHeaders, body).catch((error: NodeJS.ErrnoException) => {
      throw connectionFailure(error, url);
    });
    const answer = jsonIn(response.body);
    if (answer?.access_token) {
      this.#secrets.push(answer.access_token);
      return answer.access_token;
    }
    if (answer?.error === undefined) throw responseFailure('login', response, undefined);
    const isLimited = response.status === 429;
    throw new DiagnosticError(
      isLimited ? 'The oVirt engine delays logins' : 'The login to the oVirt engine failed',
      `The engine refused the user ${username}: ${answer.error}. ` +
        (isLimited
          ? 'There were too many failed logins: wait, then try again.'
          : 'Check username, with its profile (admin@internal), and password, and that the user is not locked.'),
    );
  }

  #urlOf(path: string): URL {
    return new URL(path, this.#api);
  }
}

const formHeaders = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof GoneError)) throw error;
}

function gaveUp(error: DiagnosticError, milliseconds: number): DiagnosticError {
  const { summary, detail, attribute } = error.diagnostic;
  const seconds = Math.round(milliseconds / 1000);
  return new DiagnosticError(summary, `${detail} (The provider retried for ${seconds} s.)`, attribute);
}

/** Undefined if the text is no XML, for example the HTML page of a proxy. */
function elementIn(text: string): Element | undefined {
  if (!text.trimStart().startsWith('<') || /^\s*<(!doctype\s+)?html/i.test(text)) return undefined;
  try {
    return parseXml(text, maxElements);
  } catch {
    return undefined;
  }
}

function jsonIn(text: string): { access_token?: string; error?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
