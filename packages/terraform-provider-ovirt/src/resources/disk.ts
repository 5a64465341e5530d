import { type Element, flagAt, idOf, listAt, numberAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { type EngineCall, settledDisk } from '../engine/vms.ts';
import { until } from '../engine/wait.ts';
import { DiagnosticError } from '../protocol/diagnostics.ts';
import { applied } from '../protocol/plan.ts';
import type { Resource } from '../protocol/provider.ts';
import { type Fields, isEqual } from '../protocol/values.ts';
import {
  claim,
  flagIn,
  given,
  id,
  idsIn,
  isClaimed,
  isPositive,
  markOf,
  numberIn,
  oneOf,
  reference,
  requiredIn,
  textIn,
} from './fields.ts';

export const disk: Resource<Engine> = {
  block: {
    description: 'A disk of its own. It outlives the VMs that it is attached to.',
    attributes: {
      id,
      storage_domain_id: reference('Storage domain of the disk.'),
      format: {
        type: 'string',
        mode: 'required',
        replaces: true,
        check: oneOf('cow', 'raw'),
        description: 'Format: cow or raw.',
      },
      size: {
        type: 'number',
        mode: 'required',
        // A disk grows in place and cannot shrink.
        replaces: (before, after) => typeof before === 'number' && typeof after === 'number' && after < before,
        check: isPositive,
        description: 'Size in bytes. The disk grows in place; a smaller size replaces it.',
      },
      alias: {
        type: 'string',
        mode: 'adopted',
        description: 'Name of the disk. It must be unique: the apply after a killed one finds the disk by it.',
      },
      sparse: { type: 'bool', mode: 'adopted', replaces: true, description: 'Thin provisioning.' },
      total_size: { type: 'number', mode: 'computed', isVolatile: true, description: 'Size of the image in bytes.' },
      status: {
        type: 'string',
        mode: 'computed',
        isVolatile: true,
        description: 'Status of the disk, `ok` or `locked`.',
      },
    },
  },
  create: async (call, planned) => {
    const { client } = call;
    const alias = textIn(planned, 'alias');
    const body = {
      alias,
      provisioned_size: numberIn(planned, 'size'),
      format: requiredIn(planned, 'format'),
      sparse: flagIn(planned, 'sparse'),
      storage_domains: { storage_domain: [{ id: requiredIn(planned, 'storage_domain_id') }] },
    };
    const mark = markOf(given(body));
    const created = await client.create('/disks', 'disk', given({ ...body, description: mark }), () =>
      alias === undefined ? Promise.resolve(undefined) : remainder(client, alias, mark),
    );
    const own = claim(idOf(created));
    call.keep({ ...planned, id: own });
    return applied(planned, { id: own, ...observed(await settledDisk(call, own)) });
  },
  read: async ({ client }, state) => {
    const found = await client.find(`/disks/${requiredIn(state, 'id')}`);
    return found === undefined ? undefined : observed(found);
  },
  update: async (call, prior, planned) => {
    const own = requiredIn(planned, 'id');
    await settledDisk(call, own);
    const isChanged = (name: string) => !isEqual(prior[name], planned[name]);
    const changes = {
      alias: isChanged('alias') ? textIn(planned, 'alias') : undefined,
      provisioned_size: isChanged('size') ? numberIn(planned, 'size') : undefined,
    };
    await call.client.put(`/disks/${own}`, 'disk', given(changes));
    if (isChanged('size')) await grown(call, own, numberIn(planned, 'size') ?? 0);
    return applied(planned, observed(await settledDisk(call, own)));
  },
  delete: async (call, state) => {
    const own = requiredIn(state, 'id');
    if (!(await call.client.find(`/disks/${own}`))) return;
    await settledDisk(call, own);
    await call.client.delete(`/disks/${own}`);
  },
  identify: (text) => idsIn(text, 'id'),
};

/** The disk that a killed apply left. Aliases are not unique in oVirt: of several, none is taken. */
async function remainder(client: Engine, alias: string, mark: string): Promise<Element | undefined> {
  const found = listAt(await client.get(`/disks?search=${encodeURIComponent(`alias=${alias}`)}`), 'disk').filter(
    (each) => textAt(each, 'alias') === alias && textAt(each, 'description') === mark && !isClaimed(idOf(each)),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The engine grows disks after its response. */
export async function grown(call: EngineCall, id: string, size: number): Promise<void> {
  const timeout = call.client.timeouts.locked;
  await until(
    async () => ((numberAt(await settledDisk(call, id), 'provisioned_size') ?? 0) >= size ? true : undefined),
    () => new DiagnosticError(`Disk ${id} does not grow`, 'Look at its events in the engine; the storage may be full.'),
    { timeout, signal: call.signal },
  );
}

function observed(found: Element): Fields {
  const [domain] = listAt(typeof found === 'object' ? (found.storage_domains as Element) : '', 'storage_domain');
  return {
    storage_domain_id: domain === undefined ? null : idOf(domain),
    format: textAt(found, 'format') ?? null,
    size: numberAt(found, 'provisioned_size') ?? null,
    alias: textAt(found, 'alias') ?? null,
    sparse: flagAt(found, 'sparse') ?? null,
    total_size: numberAt(found, 'total_size') ?? null,
    status: textAt(found, 'status') ?? null,
  };
}
