import { z } from 'zod';
import type { Text } from './text.ts';

// Patterns use only RE2 syntax: the API server checks them too.
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `(${octet}\\.){3}${octet}`;
const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
// The last label of a name begins with a letter; otherwise it could be an address.
const name = `(${label}\\.)*[a-z]([-a-z0-9]{0,61}[a-z0-9])?`;

/** Every string format of the documents: its pattern, and a description of the expected value. */
export const formats = {
  address: {
    pattern: `^${ipv4}$`,
    maxLength: 15,
    expected: { en: 'an IPv4 address, such as 10.0.0.1', ru: 'адрес IPv4, например 10.0.0.1' },
  },
  network: {
    pattern: `^${ipv4}/(3[0-2]|[12]?[0-9])$`,
    maxLength: 18,
    expected: { en: 'an IPv4 network, such as 10.20.0.0/24', ru: 'сеть IPv4, например 10.20.0.0/24' },
  },
  addressRange: {
    pattern: `^${ipv4}(-${ipv4})?$`,
    maxLength: 31,
    expected: {
      en: 'an IPv4 address or range, such as 10.0.0.20-10.0.0.60',
      ru: 'адрес IPv4 или диапазон, например 10.0.0.20-10.0.0.60',
    },
  },
  port: {
    pattern: `^${port}(-${port})?/(tcp|udp)$`,
    maxLength: 15,
    expected: {
      en: 'a port or a range with its protocol, such as 80/tcp or 30000-32767/udp',
      ru: 'порт или диапазон с протоколом, например 80/tcp или 30000-32767/udp',
    },
  },
  label: {
    pattern: `^${label}$`,
    maxLength: 63,
    expected: {
      en: 'a DNS label: lower-case letters, digits and hyphens, no hyphen at either end',
      ru: 'метка DNS: строчные латинские буквы, цифры и дефисы, без дефиса по краям',
    },
  },
  domain: {
    pattern: `^${name}$`,
    maxLength: 253,
    expected: { en: 'a DNS name, such as apps.mycompany.local', ru: 'имя DNS, например apps.mycompany.local' },
  },
  subjectName: {
    pattern: `^((\\*\\.)?${name}|${ipv4})$`,
    maxLength: 255,
    expected: { en: 'a DNS name or an IPv4 address', ru: 'имя DNS или адрес IPv4' },
  },
  version: {
    pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$',
    maxLength: 20,
    expected: { en: 'a full version, such as 1.36.3', ru: 'полный номер версии, например 1.36.3' },
  },
  release: {
    pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9a-z]+)?$',
    maxLength: 40,
    expected: { en: 'a full version, such as 0.1.0', ru: 'полный номер версии, например 0.1.0' },
  },
  quantity: {
    // Its groups are the whole part, the fraction and the suffix or exponent.
    pattern: '^([0-9]{1,15})(?:\\.([0-9]{1,9}))?([mkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,2})?$',
    maxLength: 32,
    expected: {
      en: 'a Kubernetes quantity, such as 512Mi or 8Gi',
      ru: 'количество в записи Kubernetes, например 512Mi или 8Gi',
    },
  },
  labelKey: {
    pattern: '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
    maxLength: 317,
    expected: {
      en: 'a Kubernetes label key, such as example.com/zone',
      ru: 'ключ метки Kubernetes, например example.com/zone',
    },
  },
  labelValue: {
    pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$',
    maxLength: 63,
    expected: {
      en: 'a Kubernetes label value: letters, digits, "-", "_" and ".", at most 63',
      ru: 'значение метки Kubernetes: латинские буквы, цифры, «-», «_» и «.», не больше 63 знаков',
    },
  },
  url: {
    pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[^ ]*)?$',
    maxLength: 2048,
    expected: {
      en: 'an http or https address, such as https://engine.mycompany.local',
      ru: 'адрес http или https, например https://engine.mycompany.local',
    },
  },
  proxyServer: {
    pattern: '^https?://[A-Za-z0-9.-]+$',
    maxLength: 2048,
    expected: {
      en: 'a proxy address without port and path, such as http://172.31.100.100',
      ru: 'адрес прокси-сервера без порта и пути, например http://172.31.100.100',
    },
  },
  noProxy: {
    pattern: '^[-A-Za-z0-9.*_/]+( *, *[-A-Za-z0-9.*_/]+)*$',
    maxLength: 16384,
    expected: {
      en: 'addresses, networks and domain names separated by commas',
      ru: 'адреса, сети и доменные имена через запятую',
    },
  },
  certificates: {
    // Base64 that begins with "-----BEGIN ", line breaks allowed.
    pattern: '^LS0tLS1CRUdJTi[A-Za-z0-9+/ \\t\\r\\n]+(=[ \\t\\r\\n]*){0,2}$',
    maxLength: 1048576,
    expected: {
      en: 'PEM certificates encoded in base64 (base64 -w0 ca.pem)',
      ru: 'сертификаты PEM в кодировке base64 (base64 -w0 ca.pem)',
    },
  },
  timestamp: {
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
    maxLength: 40,
    expected: {
      en: 'a time in RFC 3339, such as 2026-11-15T10:00:00Z',
      ru: 'время по RFC 3339, например 2026-11-15T10:00:00Z',
    },
  },
  ovirtUser: {
    pattern: '^[a-z0-9]([-a-z0-9._]{0,30}[a-z0-9])?@[a-z0-9]([-a-z0-9.]{0,29}[a-z0-9])?$',
    maxLength: 64,
    expected: {
      en: 'a user name with its profile, such as admin@internal',
      ru: 'имя пользователя с профилем, например admin@internal',
    },
  },
  path: {
    pattern: '^/[A-Za-z0-9._/-]*$',
    maxLength: 4096,
    expected: { en: 'an absolute path', ru: 'абсолютный путь' },
  },
} as const satisfies Record<string, { pattern: string; maxLength: number; expected: Text }>;

export type Format = keyof typeof formats;

/** A string of the given format; the message contains the name of the format. */
export function string(format: Format, maxLength: number = formats[format].maxLength): z.ZodString {
  // Abort on excess length: the pattern is not tried.
  return z.string().max(maxLength, { abort: true }).regex(new RegExp(formats[format].pattern), { error: format });
}
