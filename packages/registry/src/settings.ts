import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Paths of the registry's files. */
export const filesIn = (data: string) => ({
  storage: join(data, 'storage'),
  certificate: join(data, 'server.crt'),
  key: join(data, 'server.key'),
  authority: join(data, 'clients.crt'),
  passwords: join(data, 'import.htpasswd'),
  password: join(data, 'import.password'),
  writing: join(data, 'writing.yaml'),
  reading: join(data, 'reading.yaml'),
  /** It gives access to every image without authentication, so it is in a folder of the registry's own user. */
  readingSocket: join(data, 'reading.sock'),
  identities: join(data, 'identities.json'),
});

type Files = ReturnType<typeof filesIn>;

const common = {
  version: 0.1,
  log: { level: 'warn', formatter: 'json', accesslog: { disabled: true } },
};

/** Settings of the instance for imports: this host only, with a password. */
export function writingSettings({ storage, passwords }: Files, address: Address, secret: string): string {
  return stringify({
    ...common,
    storage: {
      filesystem: { rootdirectory: storage },
      delete: { enabled: true },
      // Removes abandoned uploads.
      maintenance: { uploadpurging: { enabled: true, age: '24h', interval: '1h', dryrun: false } },
    },
    auth: { htpasswd: { realm: 'nova', path: passwords } },
    http: { addr: textOf(address), secret },
  });
}

/** Settings of the read-only instance for nodes, behind the front that authenticates them. */
export function readingSettings({ storage, readingSocket }: Files, secret: string): string {
  return stringify({
    ...common,
    storage: {
      filesystem: { rootdirectory: storage },
      maintenance: { readonly: { enabled: true } },
    },
    http: { net: 'unix', addr: readingSocket, secret },
  });
}

export interface Address {
  host: string;
  port: number;
}

export function textOf({ host, port }: Address): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
