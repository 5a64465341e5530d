import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { type OvirtOptions, ProblemError, problem, type Text } from '@nova-platform/api';
import { z } from 'zod';

/** Milliseconds within which the engine must answer. */
const patience = 20_000;
const pageSize = 100;

interface Answer {
  status: number;
  body: string;
}

type Access = Pick<OvirtOptions, 'url' | 'username' | 'password' | 'caBundle'>;

const granted = z.object({ access_token: z.string() });
const refused = z.object({ error: z.string() });
const fault = z.object({ reason: z.string().default(''), detail: z.string().default('') });

/** Reads from the API of an oVirt or zVirt engine, as JSON. */
export class OvirtClient {
  readonly #access: Access;
  readonly #token: string;

  private constructor(access: Access, token: string) {
    this.#access = access;
    this.#token = token;
  }

  static async login(access: Access): Promise<OvirtClient> {
    const { username, password } = access;
    const body = new URLSearchParams({ grant_type: 'password', scope: 'ovirt-app-api', username, password });
    const url = new URL('/ovirt-engine/sso/oauth/token', access.url);
    const { status, body: given } = await send(access, url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    const answer = jsonOf(given);
    const token = granted.safeParse(answer);
    if (token.success) return new OvirtClient(access, token.data.access_token);
    const error = refused.safeParse(answer);
    if (!error.success) throw notOvirt(access, status, given);
    throw new ProblemError(problem('NOVA8552', { address: url.origin, user: username, reason: error.data.error }));
  }

  async get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    const base = this.#access.url.replace(/\/+$/, '');
    const url = new URL(`${base}${path}`);
    const headers = { authorization: `Bearer ${this.#token}`, version: '4' };
    const { status, body } = await send(this.#access, url, { method: 'GET', headers });
    const answer = jsonOf(body);
    const parsed = status === 200 ? schema.safeParse(answer) : undefined;
    if (parsed?.success) return parsed.data;
    const said = fault.safeParse(answer);
    // At a wrong address, another service may have an API too.
    const isElsewhere = path === '' && status === 404;
    if (status === 200 || !said.success || isElsewhere) throw notOvirt(this.#access, status, body);
    const reason = [said.data.reason, said.data.detail].filter((each) => each !== '').join(' ');
    const { origin } = url;
    if (status === 401)
      throw new ProblemError(problem('NOVA8552', { address: origin, user: this.#access.username, reason }));
    throw new ProblemError(problem('NOVA8554', { address: origin, request: `GET ${path}`, reason }));
  }

  /** All items of a collection. `search` is in the language of oVirt. */
  async list<Schema extends z.ZodType>(
    path: string,
    element: string,
    item: Schema,
    search?: string,
  ): Promise<z.output<Schema>[]> {
    // An empty collection is an empty object.
    const schema = z.object({ [element]: z.array(item).default([]) });
    const found: z.output<Schema>[] = [];
    for (let page = 1; ; page += 1) {
      // Only a search has pages.
      const query =
        search === undefined ? '' : `?search=${encodeURIComponent(`${search} page ${page}`)}&max=${pageSize}`;
      const items = (await this.get(`${path}${query}`, schema))[element] ?? [];
      found.push(...(items as z.output<Schema>[]));
      if (search === undefined || items.length < pageSize) return found;
    }
  }
}

function send(
  { caBundle }: Access,
  url: URL,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { accept: 'application/json', ...headers },
      timeout: patience,
      ...(caBundle !== undefined && { ca: Buffer.from(caBundle, 'base64') }),
    };
    const fail = (error: NodeJS.ErrnoException) => reject(unreachable(url.origin, error));
    const outgoing = request(url, options, (response) => {
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), fail);
    });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Certificate error codes of OpenSSL and Node. */
const certificateCodes = /^(CERT_|CRL_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_)/;

const reasons: Record<string, Text> = {
  ECONNREFUSED: { en: 'the connection was refused', ru: 'в соединении отказано' },
  ECONNRESET: { en: 'the connection was reset', ru: 'соединение сброшено' },
  ETIMEDOUT: { en: 'it does not answer in time', ru: 'время ожидания истекло' },
  EHOSTUNREACH: { en: 'there is no route to it', ru: 'нет маршрута' },
  ENETUNREACH: { en: 'there is no route to it', ru: 'нет маршрута' },
  ENOTFOUND: { en: 'its name does not resolve', ru: 'имя не разрешается' },
  EAI_AGAIN: { en: 'the DNS server does not respond', ru: 'сервер DNS не отвечает' },
  CERT_HAS_EXPIRED: { en: 'it has expired', ru: 'срок его действия истёк' },
  CERT_NOT_YET_VALID: { en: 'it is not valid yet; check the clock', ru: 'он ещё не действует; проверьте часы' },
  ERR_TLS_CERT_ALTNAME_INVALID: { en: 'it is for other names', ru: 'он выдан на другие имена' },
};

function unreachable(address: string, { code = '', message }: NodeJS.ErrnoException): ProblemError {
  const isCertificate = certificateCodes.test(code);
  const unknownIssuer = { en: `an unknown CA has issued it (${code})`, ru: `его выдал неизвестный CA (${code})` };
  const reason = reasons[code] ?? (isCertificate ? unknownIssuer : code || message);
  return new ProblemError(problem(isCertificate ? 'NOVA8551' : 'NOVA8550', { address, reason }));
}

/** A busy engine answers with a page of its web server. */
function notOvirt({ url }: Access, status: number, body: string): ProblemError {
  const title = /<title>([^<]{1,100})/i.exec(body)?.[1]?.trim();
  const reason =
    title === undefined
      ? { en: 'without the data of this API', ru: 'без данных этого API' }
      : { en: `the page “${title}”`, ru: `страница «${title}»` };
  return new ProblemError(problem('NOVA8553', { address: new URL(url).origin, status, reason }));
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
