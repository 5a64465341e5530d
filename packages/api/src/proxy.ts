import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import { defineKind } from './kind.ts';

const server = z.strictObject({
  server: field(string('proxyServer'), 'Address of the proxy server.', 'Адрес прокси-сервера.', {
    example: 'http://172.31.100.100',
  }),
  port: field(z.int().min(1).max(65535).optional(), 'Port of the proxy server.', 'Порт прокси-сервера.', {
    example: 3128,
  }),
  username: field(z.string().min(1).max(256).optional(), 'User name.', 'Имя пользователя.', { example: 'nova' }),
  password: field(z.string().min(1).max(1024).optional(), 'Password.', 'Пароль.', {
    secret: true,
    sentTo: ['server', 'port'],
  }),
});

export const proxy = defineKind({
  kind: 'Proxy',
  version: 'v1alpha1',
  plural: 'proxies',
  description: {
    en: 'The HTTP proxy for outgoing connections of the cluster nodes.',
    ru: 'HTTP-прокси для исходящих соединений узлов кластера.',
  },
  example: `apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata:
  name: cluster
spec:
  httpProxy:
    server: http://172.31.100.100
    port: 3128
  httpsProxy:
    server: http://172.31.100.100
    port: 3128
  noProxy: 10.0.0.0/8,.mycompany.local
`,
  spec: field(
    z.strictObject({
      httpProxy: field(server.optional(), 'Proxy for HTTP.', 'Прокси-сервер для HTTP.'),
      httpsProxy: field(server.optional(), 'Proxy for HTTPS.', 'Прокси-сервер для HTTPS.'),
      noProxy: field(
        string('noProxy').optional(),
        'Addresses, networks and domains that are accessed without the proxy, separated by commas. Those of the cluster are added automatically.',
        'Адреса, сети и домены, доступные без прокси, через запятую. Адреса самого кластера добавляются автоматически.',
        { example: '10.0.0.0/8,.mycompany.local' },
      ),
      trustedCA: field(
        string('certificates').optional(),
        'CA certificates to trust for the proxy: PEM in base64.',
        'Сертификаты CA, которым доверять при подключении к прокси: PEM в base64.',
      ),
    }),
    'The proxy servers, and the exceptions.',
    'Прокси-серверы и исключения.',
  ),
});

export type ProxyDocument = z.output<typeof proxy.schema>;
