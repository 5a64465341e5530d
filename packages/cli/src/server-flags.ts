import { isIP } from 'node:net';
import { levels } from 'pino';
import { badValue } from './failure.ts';

// Parses and validates the options of servers.

export interface Endpoint {
  host: string;
  port: number;
}

export function endpoint(option: string, text: string, example: string): Endpoint {
  const [, bracketed, plain, digits = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65535) {
    throw badValue(option, {
      en: `an address of this host and a port, such as ${example}`,
      ru: `адрес этого хоста и порт, например ${example}`,
    });
  }
  return { host, port };
}

export function endpointText({ host, port }: Endpoint): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address becomes part of the server's certificate. */
export function ipAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw badValue('--address', { en: 'an IP address, such as 172.30.0.1', ru: 'IP-адрес, например 172.30.0.1' });
}

export function hostName(text: string): string {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text) && text.length <= 253) return text;
  throw badValue('--name', { en: 'a DNS name in lower case', ru: 'имя DNS строчными буквами' });
}

export function logLevel(name = 'info'): string {
  const known = [...Object.values(levels.labels), 'silent'];
  if (known.includes(name)) return name;
  throw badValue('NOVA_LOG', { en: `one of ${known.join(', ')}`, ru: `одно из: ${known.join(', ')}` });
}
