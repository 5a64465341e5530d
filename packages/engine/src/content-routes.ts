import type { Readable } from 'node:stream';
import { label } from '@nova-platform/contracts/engine';
import { contentQuery } from '@nova-platform/contracts/engine/content';
import type { HttpApi } from '@nova-platform/http';
import { z } from 'zod';
import type { ContentStore } from './storage/content.ts';

const contentType = 'application/octet-stream';

/** Import and export of disks. Their bodies are the bytes of a file, so they are not part of a contract. */
export function serveContent(api: HttpApi, contents: ContentStore): void {
  const schema = { hide: true, params: z.object({ name: label }), querystring: contentQuery };
  const config = { access: 'anyone' as const };
  // Without a limit: the space of the host is one.
  api.addContentTypeParser(contentType, (_request, body, done) => done(null, body));
  api.get('/v1/disks/:name/content', { schema, config }, async ({ params, query }, reply) =>
    reply.type(contentType).send(await contents.exportDisk(params.name, query.format)),
  );
  api.get('/v1/machines/:name/content', { schema, config }, async ({ params, query }, reply) =>
    reply.type(contentType).send(await contents.exportMachine(params.name, query.format)),
  );
  api.put('/v1/disks/:name/content', { schema, config }, async ({ params, query, body }) =>
    contents.importDisk(params.name, query.format, body as Readable),
  );
}
