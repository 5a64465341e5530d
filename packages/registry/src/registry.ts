import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { createHttpApi, streamLines } from '@nova-platform/http';
import { createKeyPair } from '@nova-platform/pki';
import { run } from '@nova-platform/process';
import { hash } from 'bcryptjs';
import { type Address, filesIn, readingSettings, writingSettings } from './settings.ts';
import { Supervised } from './supervised.ts';

/** Signs the registry's key; answers the certificate with its chain, and the authority that clients' certificates come from. */
export type Certify = (publicKey: string) => Promise<{ certificate: string; authority: string }>;

export interface RegistryOptions {
  data: string;
  /** CNCF Distribution. */
  program: string;
  /** Where nodes pull, with their certificates. */
  listen: Address;
  /** Where images are brought in; an address of this host only. */
  importListen: Address;
  socket: string;
  certify: Certify;
  log: (line: string) => void;
}

export interface Registry {
  close: () => Promise<void>;
}

export const importUser = 'nova-import';
const renewalHours = 10 * 24;
/** The least: the password is random and long, and every request is checked against it. */
const bcryptCost = 4;
/** What is only asked for and not there, or asked for without a password or certificate, is no event. */
const noise = /"err\.code":"(manifest|blob|name) unknown"|authentication challenge|didn't provide a certificate/;

/** Two of CNCF Distribution over one storage: one that only reads, for nodes, and one that writes, for this host. */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  await using opened = new AsyncDisposableStack();
  const { data, program, listen, importListen, socket, log } = options;
  const files = filesIn(data);
  await mkdir(files.storage, { recursive: true, mode: 0o700 });
  await chmod(data, 0o700);
  const password = await importPassword(files);
  const secret = createHash('sha256').update(password).digest('hex');
  await writeSecret(files.writing, writingSettings(files, importListen, secret));
  await writeSecret(files.reading, readingSettings(files, listen, secret));
  await certify(files, options.certify);

  const logEvents = (line: string) => {
    if (!noise.test(line)) log(line);
  };
  const writing = new Supervised(program, ['serve', files.writing], logEvents);
  const reading = new Supervised(program, ['serve', files.reading], logEvents);
  writing.start();
  opened.defer(() => writing.stop());
  reading.start();
  opened.defer(() => reading.stop());
  await Promise.all([answers(importListen, httpRequest), answers(listen, httpsRequest)]);

  const renewal = setInterval(async () => {
    try {
      await certify(files, options.certify);
      await reading.stop();
      reading.start();
    } catch (error) {
      log(`the certificate could not be renewed: ${(error as Error).message}`);
    }
  }, renewalHours * 3600_000);
  opened.defer(() => clearInterval(renewal));

  const api = await createHttpApi({ title: 'Nova registry' });
  api.get('/v1/access', async () => ({
    url: `http://${importListen.host}:${importListen.port}`,
    username: importUser,
    password,
  }));
  api.post('/v1/collect', async (_request, reply) =>
    streamLines(reply, async (say) => {
      await collect(program, files.writing, writing, (line) => say({ line }));
      await answers(importListen, httpRequest);
    }),
  );
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  await api.listen({ path: socket });
  opened.defer(async () => {
    await api.close();
    await rm(socket, { force: true });
  });
  await chmod(socket, 0o600);

  const running = opened.move();
  return { close: () => running.disposeAsync() };
}

/** Removes blobs that no image needs. Nothing may be written meanwhile; nodes go on pulling. */
async function collect(
  program: string,
  settings: string,
  writing: Supervised,
  onLine: (line: string) => void,
): Promise<void> {
  await writing.stop();
  try {
    await run(program, ['garbage-collect', '--delete-untagged', settings], { onLine });
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

/** A new key and certificate, unless the ones there are good for a while. */
async function certify(files: ReturnType<typeof filesIn>, sign: Certify): Promise<void> {
  const current = await readFile(files.certificate, 'utf8').catch(() => undefined);
  const isGood =
    current !== undefined &&
    new Date(new X509Certificate(current).validTo).getTime() > Date.now() + renewalHours * 2 * 3600_000;
  if (isGood) return;
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await sign(publicKey);
  await writeSecret(files.key, privateKey);
  await writeSecret(files.certificate, certificate);
  await writeSecret(files.authority, authority);
}

async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chmod(file, 0o600);
}

/** Until somebody answers there, whatever the answer. */
async function answers({ host, port }: Address, request: typeof httpRequest): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isThere = await new Promise<boolean>((resolve) => {
      const options = { host: host === '0.0.0.0' ? '127.0.0.1' : host, port, path: '/v2/', rejectUnauthorized: false };
      request(options, (response) => {
        response.resume();
        resolve(true);
      })
        // The reading side ends the handshake of whoever has no certificate: it is there.
        .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'))
        .end();
    });
    if (isThere) return;
    await sleep(100);
  }
  throw new ProblemError(problem('NOVA8033', { address: `${host}:${port}`, reason: 'ETIMEDOUT' }));
}
