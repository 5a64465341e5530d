import { createHash, createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { registryContract, type StorageSize } from '@nova-platform/contracts/registry';
import { createHttpApi, isAnswered, serve } from '@nova-platform/http';
import { createKeyPair } from '@nova-platform/pki';
import { CommandError, run, waitUntil } from '@nova-platform/process';
import { hash } from 'bcryptjs';
import { startFront } from './front.ts';
import { Identities, type WatchIdentities } from './identities.ts';
import { type Address, filesIn, readingSettings, textOf, writingSettings } from './settings.ts';
import { bytesIn, sizeOf } from './storage-size.ts';
import { Supervised } from './supervised.ts';

/** Signs the registry's key. Returns the certificate with its chain, and the CA of the client certificates. */
export type Certify = (publicKey: string) => Promise<{ certificate: string; authority: string }>;

export interface RegistryOptions {
  data: string;
  /** CNCF Distribution. */
  program: string;
  /** The endpoint for nodes, which authenticate with client certificates. */
  listen: Address;
  /** The endpoint for imports; an address of this host only. */
  importListen: Address;
  socket: string;
  /** Whether the group of the socket can connect too. */
  isGroupSocket?: boolean | undefined;
  certify: Certify;
  watchIdentities: WatchIdentities;
  log: (line: string) => void;
}

export interface Registry {
  close: () => Promise<void>;
}

const importUser = 'nova-import';
/** Limits of the pause between two renewals in milliseconds, for any lifetime of the certificate. */
const renewalPause = { least: 1000, most: 10 * 24 * 3600_000 };
/** The lowest cost: the password is random and long, and every request is checked against it. */
const bcryptCost = 4;
/** Requests for missing content and requests without a password are not worth logging. */
const noise = /"err\.code":"(manifest|blob|name) unknown"|authentication challenge/;

/**
 * Runs two instances of CNCF Distribution over one storage: a read-only one behind a front for nodes, and a writable
 * one for this host.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  await using opened = new AsyncDisposableStack();
  const { data, program, listen, importListen, socket, log } = options;
  const files = filesIn(data);
  // The start is detected by a response on these addresses, so no other program may listen on them.
  if (await isAnswered(socket)) throw taken(socket, 'EADDRINUSE');
  for (const address of [importListen, listen]) await assertFree(address);
  await mkdir(files.storage, { recursive: true, mode: 0o700 });
  await chmod(data, 0o700);
  const password = await importPassword(files);
  const secret = createHash('sha256').update(password).digest('hex');
  await writeSecret(files.writing, writingSettings(files, importListen, secret));
  await writeSecret(files.reading, readingSettings(files, secret));
  await rm(files.readingSocket, { force: true });
  await certify(files, options.certify, log);

  const logEvents = (line: string) => {
    if (!noise.test(line)) log(line);
  };
  const writing = new Supervised(program, ['serve', files.writing], logEvents);
  const reading = new Supervised(program, ['serve', files.reading], logEvents);
  writing.start();
  opened.defer(() => writing.stop());
  reading.start();
  opened.defer(() => reading.stop());
  const { readingSocket } = files;
  await Promise.all([answers(importListen), answers({ socketPath: readingSocket })]);

  const identities = await Identities.open(files.identities);
  const front = await startFront({
    listen,
    upstream: readingSocket,
    storage: files.storage,
    certificate: await certificateIn(files),
    identities,
  }).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw taken(textOf(listen), code ?? message);
  });
  opened.defer(() => front.close());
  const stopping = new AbortController();
  const following = identities.follow(options.watchIdentities, front.closeRevoked, stopping.signal);
  opened.defer(async () => {
    stopping.abort();
    await following;
  });
  void renewInTime(files, stopping.signal, async () => {
    try {
      await certify(files, options.certify, log);
      front.setCertificate(await certificateIn(files));
    } catch (error) {
      log(`the certificate could not be renewed: ${(error as Error).message}`);
    }
  });

  const api = await createHttpApi({ title: 'Nova registry' });
  let collecting: Promise<unknown> = Promise.resolve();
  serve(api, registryContract, {
    access: async () => ({ url: `http://${textOf(importListen)}`, username: importUser, password }),
    size: async () => {
      const { bavail, bsize } = await statfs(files.storage);
      return { bytes: await bytesIn(files.storage), freeBytes: bavail * bsize };
    },
    collect: async (_asked, say) => {
      const work = async () => {
        const before = await sizeOf(files.storage);
        await collect(program, files.writing, writing, (line) => say({ line }));
        await answers(importListen);
        say({ freed: difference(before, await sizeOf(files.storage)) });
      };
      // One at a time: each collection stops the registry that the previous one has just restarted.
      const turn = collecting.then(work);
      collecting = turn.catch(() => undefined);
      await turn;
    },
  });
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  await api.listen({ path: socket });
  opened.defer(async () => {
    await api.close();
    await rm(socket, { force: true });
  });
  await chmod(socket, options.isGroupSocket ? 0o660 : 0o600);

  const running = opened.move();
  return { close: () => running.disposeAsync() };
}

/** Removes blobs that no image uses. The writable instance is stopped meanwhile; nodes can still pull. */
async function collect(
  program: string,
  settings: string,
  writing: Supervised,
  onLine: (line: string) => void,
): Promise<void> {
  await writing.stop();
  try {
    await run(program, ['garbage-collect', '--delete-untagged', settings], { onLine });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new ProblemError(problem('NOVA8213', { reason: error.stderr.trim().split('\n').at(-1) ?? '' }));
  } finally {
    writing.start();
  }
}

async function importPassword({ password, passwords }: ReturnType<typeof filesIn>): Promise<string> {
  const existing = await readFile(password, 'utf8').catch(() => '');
  const value = existing === '' ? randomBytes(24).toString('base64url') : existing;
  await writeSecret(password, value);
  await writeSecret(passwords, `${importUser}:${await hash(value, bcryptCost)}\n`);
  return value;
}

/**
 * Requests a certificate for a new key, because names or the CA may have changed. If that fails, a certificate that is
 * still valid stays in use.
 */
async function certify(files: ReturnType<typeof filesIn>, sign: Certify, log: (line: string) => void): Promise<void> {
  const { privateKey, publicKey } = await createKeyPair();
  const signed = await sign(publicKey).catch(async (error: Error) => {
    if (!(await isCertified(files))) throw error;
    log(`no new certificate; the current one is still valid: ${error.message}`);
  });
  if (!signed) return;
  const { certificate, authority } = signed;
  await writeSecret(files.key, privateKey);
  await writeSecret(files.certificate, certificate);
  await writeSecret(files.authority, authority);
}

/** Renews the certificate after half of its remaining lifetime. */
async function renewInTime(
  { certificate }: ReturnType<typeof filesIn>,
  signal: AbortSignal,
  renew: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const left = Date.parse(new X509Certificate(await readFile(certificate, 'utf8')).validTo) - Date.now();
    const pause = Math.min(renewalPause.most, Math.max(renewalPause.least, left / 2));
    await sleep(pause, undefined, { signal }).then(renew, () => undefined);
  }
}

async function certificateIn({ certificate, key, authority }: ReturnType<typeof filesIn>) {
  const [cert, own, ca] = await Promise.all([certificate, key, authority].map((file) => readFile(file, 'utf8')));
  return { cert, key: own, ca };
}

async function isCertified({ certificate, key, authority }: ReturnType<typeof filesIn>): Promise<boolean> {
  try {
    const current = new X509Certificate(await readFile(certificate, 'utf8'));
    const isOwn = current.checkPrivateKey(createPrivateKey(await readFile(key, 'utf8')));
    return isOwn && existsSync(authority) && Date.parse(current.validTo) > Date.now();
  } catch {
    return false;
  }
}

function difference(before: StorageSize, after: StorageSize): StorageSize {
  return { bytes: Math.max(0, before.bytes - after.bytes), blobs: Math.max(0, before.blobs - after.blobs) };
}

function taken(address: string, reason: string): ProblemError {
  return new ProblemError(problem('NOVA8033', { address, reason }));
}

async function assertFree(address: Address): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => reject(taken(textOf(address), code ?? '')));
    server.listen(address, () => server.close(() => resolve()));
  });
}

async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chmod(file, 0o600);
}

/** Waits for any HTTP response. */
async function answers(target: Address | { socketPath: string }): Promise<void> {
  const options: RequestOptions = { path: '/v2/', agent: false, ...target };
  const isMissing = () =>
    new Promise<true | undefined>((resolve) => {
      request(options, (response) => {
        response.resume();
        resolve(undefined);
      })
        .on('error', () => resolve(true))
        .end();
    });
  await waitUntil(isMissing, {
    every: 100,
    within: 10_000,
    expired: () => taken('socketPath' in target ? target.socketPath : textOf(target), 'ETIMEDOUT'),
  });
}
