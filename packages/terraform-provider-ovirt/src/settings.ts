import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { HttpOptions } from './engine/http.ts';
import { type Diagnostic, DiagnosticError } from './protocol/diagnostics.ts';
import type { Attribute, Block } from './protocol/schema.ts';
import { type Fields, isFields, isList, unknown, type Value } from './protocol/values.ts';
import { flagIn, textIn, textsIn } from './resources/fields.ts';

const setting = (type: Attribute['type'], description: string): Attribute => ({ type, mode: 'optional', description });

export const settingsBlock: Block = {
  description: 'The oVirt or zVirt engine, and how to log in.',
  attributes: {
    url: setting('string', 'URL of the API: `https://engine.example.com/ovirt-engine/api`.'),
    username: setting('string', 'User with its profile: `admin@internal`.'),
    password: { ...setting('string', 'Password of the user.'), isSensitive: true },
    tls_ca_bundle: setting('string', 'CA certificates in PEM.'),
    tls_ca_files: setting(['list', 'string'], 'Files with CA certificates in PEM.'),
    tls_ca_dirs: setting(['list', 'string'], 'Folders of files with CA certificates in PEM.'),
    tls_system: setting('bool', 'Trust the CA certificates of this system too.'),
    tls_insecure: setting('bool', 'Do not verify the certificate of the engine. Not with other tls_ settings.'),
    extra_headers: setting(['map', 'string'], 'HTTP headers for every request.'),
    mock: setting('bool', 'Only for compatibility: must be false.'),
  },
};

const trusts = ['tls_ca_bundle', 'tls_ca_files', 'tls_ca_dirs', 'tls_system'];

export function checkSettings(config: Fields): Diagnostic[] {
  const isGiven = (name: string) => config[name] !== null && config[name] !== false;
  const problem = (attribute: string, summary: string, detail: string): Diagnostic => ({
    severity: 'error',
    summary,
    detail,
    attribute: [attribute],
  });
  const problems: Diagnostic[] = [];
  for (const name of ['url', 'username', 'password'])
    if (config[name] === null || config[name] === '')
      problems.push(problem(name, `${name} is missing`, `The provider needs url, username and password.`));
  const url = textIn(config, 'url');
  if (url && !/^https?:\/\/[^/]+\/.*\/api\/*$/.test(url))
    problems.push(problem('url', 'Invalid url', 'url must look like https://engine.example.com/ovirt-engine/api.'));
  if (isGiven('mock')) problems.push(problem('mock', 'There is no mock', 'This provider has no mock: remove mock.'));
  if (config.tls_insecure === true && trusts.some(isGiven))
    problems.push(problem('tls_insecure', 'Two ways to trust', 'tls_insecure excludes the other tls_ settings.'));
  if (!isGiven('tls_insecure') && !trusts.some(isGiven) && url?.startsWith('https:') !== false)
    problems.push(
      problem(
        'tls_ca_files',
        'No certificate is trusted',
        "Give tls_ca_files or tls_ca_bundle with the engine's CA, which it serves at " +
          '/ovirt-engine/services/pki-resource?resource=ca-certificate&format=X509-PEM-CA, or tls_system = true.',
      ),
    );
  return problems;
}

interface Settings extends HttpOptions {
  url: string;
  username: string;
  password: string;
}

/** Undefined if a setting is not known yet. */
export async function settingsOf(config: Fields): Promise<Settings | undefined> {
  if (Object.values(config).some(hasUnknown)) return undefined;
  const [url = '', username = '', password = ''] = ['url', 'username', 'password'].map((name) => textIn(config, name));
  const headers = isFields(config.extra_headers) ? config.extra_headers : {};
  return {
    url,
    username,
    password,
    headers: Object.fromEntries(
      Object.entries(headers).filter((each): each is [string, string] => typeof each[1] === 'string'),
    ),
    ca: flagIn(config, 'tls_insecure') ? undefined : await authorities(config),
  };
}

function hasUnknown(value: Value): boolean {
  return (
    value === unknown ||
    (isList(value) && value.some(hasUnknown)) ||
    (isFields(value) && Object.values(value).some(hasUnknown))
  );
}

async function authorities(config: Fields): Promise<string[]> {
  const found: string[] = [];
  const bundle = textIn(config, 'tls_ca_bundle');
  if (bundle !== undefined) found.push(bundle);
  const files = textsIn(config.tls_ca_files);
  for (const folder of textsIn(config.tls_ca_dirs)) {
    const names = await readdir(folder).catch((error: Error) => unreadable('tls_ca_dirs', folder, error));
    files.push(...names.map((name) => join(folder, name)));
  }
  for (const file of files)
    found.push(await readFile(file, 'utf8').catch((error: Error) => unreadable('tls_ca_files', file, error)));
  for (const each of found)
    if (!each.includes('-----BEGIN CERTIFICATE-----'))
      throw new DiagnosticError('No CA certificate', 'A tls_ca_ setting holds no certificate in PEM.', [
        'tls_ca_files',
      ]);
  return flagIn(config, 'tls_system') ? [...found, ...getCACertificates('system')] : found;
}

function unreadable(name: string, path: string, { message }: Error): never {
  throw new DiagnosticError('A CA certificate cannot be read', `${path}: ${message}. Check ${name}.`, [name]);
}
