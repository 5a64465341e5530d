import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { accept, type Named, named, text } from '../accept.ts';
import type { Call, EngineNetwork } from '../call.ts';
import { idOf } from '../ids.ts';
import { empty, notFound, type Resource, reference } from '../resource.ts';

const word = { en: 'vNIC profile', ru: 'профиль vNIC' };

/** Every network has one with its name; others only have another name. */
export interface Profile {
  id: string;
  name: string;
  network: string;
  description?: string;
}

const fixed = { pass_through: '', 'pass_through.mode': 'disabled', port_mirroring: 'false', migratable: 'true' };

export const defaultProfileId = (network: string): string => idOf('vnic profile', network);

export const vnicProfiles: Resource<Profile, EngineNetwork | undefined> = {
  path: 'vnicprofiles',
  element: 'vnic_profile',
  elements: 'vnic_profiles',
  kind: word,
  id: ({ id }) => id,
  list: async (call, network) =>
    (await profilesOf(call)).filter((profile) => network === undefined || profile.network === network.name),
  show: ({ name, network, description }) => ({
    name,
    description: description ?? '',
    pass_through: { mode: 'disabled' },
    port_mirroring: false,
    network: reference('networks', idOf('network', network)),
  }),
  search: () => ({ name: ({ name }) => name, id: ({ id }) => id, network: ({ network }) => network }),
  add: async (call, body, parent) => {
    const fields = { name: text(50).optional(), description: text().optional(), network: named.optional() };
    const { name, description, network } = accept('vnic_profile', body, { fields, fixed, readOnly: ['id'] });
    if (name === undefined) throw new ProblemError(problem('NOVA7602', { field: 'vnic_profile.name' }));
    const owner = parent ?? (await namedNetwork(call, network));
    const profiles = await profilesOf(call);
    if (profiles.some((each) => each.network === owner.name && each.name === name))
      throw new ProblemError(problem('NOVA7021', { kind: word, name }));
    const profile = { name, network: owner.name, ...(description !== undefined && { description }) };
    const id = randomUUID();
    await call.parts.work.run(task(call, name, 'Adding', 'added', 1122), () =>
      call.records.put('vnicProfile', id, profile),
    );
    return { id, ...profile };
  },
  remove: async (call, { id, name }) => {
    if (!call.records.all('vnicProfile').has(id))
      throw new ProblemError(problem('NOVA7600', { field: `The removal of the first vNIC profile ${name}` }));
    const users = [...call.records.all('machine')].filter(([, { nic }]) => nic?.profile === id);
    await call.parts.work.run(task(call, name, 'Removing', 'removed', 1126), async () => {
      for (const [vm, record] of users)
        await call.records.put('machine', vm, {
          ...record,
          nic: { ...(record.nic?.name !== undefined && { name: record.nic.name }) },
        });
      await call.records.remove('vnicProfile', id);
    });
  },
  children: [empty('permissions', 'permission', 'permissions')],
};

/** Profiles of networks that exist. */
export async function profilesOf(call: Call): Promise<readonly Profile[]> {
  const names = (await call.networks()).map(({ name }) => name);
  const first = names.map((name): Profile => ({ id: defaultProfileId(name), name, network: name }));
  const others = [...call.records.all('vnicProfile')].map(([id, profile]): Profile => ({ id, ...profile }));
  return [...first, ...others.filter(({ network }) => names.includes(network))];
}

export async function namedProfile(call: Call, { id, name }: Named): Promise<Profile> {
  const found = (await profilesOf(call)).find((profile) =>
    id !== undefined ? profile.id === id : profile.name === name,
  );
  if (found) return found;
  throw notFound(word, id ?? name ?? '');
}

async function namedNetwork(call: Call, given: Named | undefined): Promise<EngineNetwork> {
  if (!given) throw new ProblemError(problem('NOVA7602', { field: 'vnic_profile.network' }));
  const { id, name } = given;
  const found = (await call.networks()).find((each) =>
    id !== undefined ? idOf('network', each.name) === id : each.name === name,
  );
  if (found) return found;
  throw notFound({ en: 'network', ru: 'сеть' }, id ?? name ?? '');
}

function task(call: Call, name: string, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} vNIC profile ${name}`, done: `vNIC profile ${name} was ${done}`, code };
}
