import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@nova-platform/api';
import { afterAll } from 'vitest';
import { type CertificateOrder, createKeyPair } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'nova-pki-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file to pass to openssl. It is deleted after the tests of the test file. */
export function file(text: string): string {
  const path = join(folder, randomUUID());
  writeFileSync(path, text);
  return path;
}

export function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The result of `openssl verify`: `OK` or the error. */
export function verify(certificate: string, ...args: string[]): string {
  const { status, stderr } = spawnSync('openssl', ['verify', ...args, file(certificate)], { encoding: 'utf8' });
  return status === 0 ? 'OK' : (/error \d+ at \d+ depth lookup: (.*)/.exec(stderr)?.[1] ?? stderr);
}

/** A certificate request made by `openssl req` from a new key and a configuration. */
export function request({
  subject = 'CN = node-1',
  key = ['-newkey', 'rsa:2048'],
  attributes = '',
  extensions = '',
}: {
  subject?: string;
  key?: string[];
  attributes?: string;
  extensions?: string;
} = {}): string {
  const config = file(`[req]
prompt = no
distinguished_name = name
${attributes && 'attributes = attributes'}
${extensions && 'req_extensions = extensions'}
[name]
${subject}
[attributes]
${attributes}
[extensions]
${extensions}
`);
  return openssl('req', '-new', ...key, '-nodes', '-keyout', '/dev/null', '-config', config, '-utf8');
}

export async function order(changes: Partial<CertificateOrder> = {}): Promise<CertificateOrder> {
  const { publicKey } = await createKeyPair();
  return {
    subject: { commonName: 'node-1', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [],
    usages: ['client auth'],
    lifetimeHours: 24,
    ...changes,
  };
}

/** The codes of the ProblemError that `work` throws. Other errors are rethrown. */
export async function codes(work: () => unknown): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ code }) => code);
    throw error;
  }
}
