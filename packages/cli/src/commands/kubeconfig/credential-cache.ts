import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Io } from '../../io.ts';
import { universeOf } from '../../universe.ts';
import { writeFileSafely } from '../../write.ts';

/** A client certificate of a cluster's API, and its key (PEM). */
export interface Credential {
  certificate: string;
  key: string;
}

/** A request must not end after the certificate. */
const neededLifetime = 60_000;

/** The cached credential of a cluster, unless it expires soon. */
export function cachedCredential(io: Io, cluster: string): Credential | undefined {
  const credential = read(fileOf(io, cluster));
  return credential && isFresh(credential) ? credential : undefined;
}

/** Without a writable cache, each use requests a new certificate. */
export function cacheCredential(io: Io, cluster: string, credential: Credential): void {
  try {
    store(io, cluster, credential);
  } catch (error) {
    if (io.env.NOVA_DEBUG) io.stderr.write(`${String(error)}\n`);
  }
}

/** Only the owner can read it. Removes those that have expired. */
function store(io: Io, cluster: string, { certificate, key }: Credential): void {
  const folder = credentialFolder(io);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const other = read(join(folder, name));
    if (other && !isFresh(other)) rmSync(join(folder, name), { force: true });
  }
  const text = `${JSON.stringify({ certificate, key })}\n`;
  writeFileSafely(io, fileOf(io, cluster), text, { mode: 0o600, mayOverwrite: true });
}

/** Called at logout: a credential is valid without the token that requested it. */
export function forgetCredentials(io: Io): void {
  rmSync(credentialFolder(io), { recursive: true, force: true });
}

export function expiryOf({ certificate }: Credential): Date {
  return new Date(new X509Certificate(certificate).validTo);
}

function credentialFolder({ env, cwd }: Io): string {
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return resolve(cwd, cache, 'nova', 'credentials');
}

/** Another Universe, token or cluster has another file. */
function fileOf(io: Io, cluster: string): string {
  const { connection, server } = universeOf(io);
  const token = 'headers' in connection ? connection.headers?.authorization : undefined;
  const key = createHash('sha256')
    .update(JSON.stringify([server, token, cluster]))
    .digest('hex');
  return join(credentialFolder(io), `${key}.json`);
}

/** A missing or damaged file counts as no credential. */
function read(file: string): Credential | undefined {
  try {
    const { certificate, key } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Credential>;
    if (typeof certificate !== 'string' || typeof key !== 'string') return undefined;
    return Number.isNaN(expiryOf({ certificate, key }).getTime()) ? undefined : { certificate, key };
  } catch {
    return undefined;
  }
}

function isFresh(credential: Credential): boolean {
  return expiryOf(credential).getTime() - Date.now() > neededLifetime;
}
