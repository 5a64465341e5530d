import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { HttpApi } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Compressed beforehand, the smaller first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** Paths of other parts of the server; all others are pages of the console. */
const otherPaths = /^\/(api|git|v2|metrics|assets)(\/|$)/;

/** Allow only content of this server, and no framing by other pages. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Serves the web console: its files by name, and its page for every other path. */
export function serveConsole(api: HttpApi, folder: string): void {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length)),
  );
  const pageTag = `"${createHash('sha256')
    .update(readFileSync(join(folder, 'index.html')))
    .digest('base64url')}"`;

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '';
    const isFile = files.has(path) && types[extname(path)] !== undefined;
    if (!isFile && otherPaths.test(path)) return reply.callNotFound();
    const file = isFile ? path : '/index.html';
    const isPage = file === '/index.html';
    reply
      .headers(headers)
      .type(types[extname(file)] ?? '')
      .header('vary', 'accept-encoding')
      // File names contain a digest of the content.
      .header('cache-control', isPage ? 'no-cache' : 'public, max-age=31536000, immutable');
    if (isPage) {
      reply.header('etag', pageTag);
      if (request.headers['if-none-match'] === pageTag) return reply.status(304).send();
    }
    const accepted = String(request.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
    const encoding = encodings.find(({ name, suffix }) => accepted.includes(name) && files.has(file + suffix));
    if (encoding) reply.header('content-encoding', encoding.name);
    return reply.send(await readFile(join(folder, file + (encoding?.suffix ?? ''))));
  };
  for (const url of ['/', '/*']) api.get(url, { schema: { hide: true }, config: { access: 'anyone' } }, handler);
}
