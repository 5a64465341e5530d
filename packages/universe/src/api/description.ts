import { nodeContract, universeContract } from '@nova-platform/contracts/universe';
import { createHttpApi, serve } from '@nova-platform/http';
import { serveEvents } from './events.ts';

/** Universe's API as an OpenAPI document, without a server behind it. */
export async function describeApi(): Promise<object> {
  const api = await createHttpApi({ title: 'Nova Universe' });
  const nobody = {} as never;
  serveEvents(api, nobody, '/api/v1/events');
  await api.register(
    async (scope) => {
      serve(scope as never, universeContract, nobody);
      serve(scope as never, nodeContract, nobody);
    },
    { prefix: '/api' },
  );
  await api.ready();
  return api.swagger();
}
