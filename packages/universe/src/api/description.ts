import { nodeContract, universeContract } from '@nova-platform/contracts/universe';
import { createHttpApi, serve } from '@nova-platform/http';
import { serveEvents } from './events.ts';
import { serveMachineConsoles } from './machine-consoles.ts';

/** Universe's API as an OpenAPI document, without a server behind it. */
export async function describeApi(): Promise<object> {
  const api = await createHttpApi({ title: 'Nova Universe' });
  const unused = {} as never;
  serveEvents(api, unused, '/api/v1/events');
  serveMachineConsoles(api, unused, unused);
  await api.register(
    async (scope) => {
      serve(scope as never, universeContract, unused);
      serve(scope as never, nodeContract, unused);
    },
    { prefix: '/api' },
  );
  await api.ready();
  const described = api.swagger() as { components?: { schemas?: Record<string, object> } };
  // Schemas are registered in the order in which files are loaded, which depends on the importing module.
  const place = (name: string) => `${name.endsWith('Input') ? 0 : 1} ${name}`;
  const schemas = Object.entries(described.components?.schemas ?? {}).toSorted(([one], [other]) =>
    place(one) < place(other) ? -1 : 1,
  );
  return { ...described, components: { ...described.components, schemas: Object.fromEntries(schemas) } };
}
