import { ProblemError, problem } from '@nova-platform/api';
import { accept, text } from '../accept.ts';
import type { Call, EngineNetwork } from '../call.ts';
import { dataCenterId, idOf } from '../ids.ts';
import { empty, type Resource, reference } from '../resource.ts';
import { vnicProfiles } from './vnic-profiles.ts';

/** Logical networks. Their addresses belong to the networking API, which creates them. */
export const networks: Resource<EngineNetwork, unknown> = {
  path: 'networks',
  element: 'network',
  elements: 'networks',
  kind: { en: 'network', ru: 'сеть' },
  id: ({ name }) => idOf('network', name),
  list: (call) => call.networks(),
  show: ({ name, network }, call) => {
    const { comment, description } = call.records.all('network').get(idOf('network', name)) ?? {};
    return {
      name,
      description: description ?? network,
      comment: comment ?? '',
      status: 'operational',
      required: false,
      mtu: 0,
      stp: false,
      usages: { usage: ['vm'] },
      vdsm_name: name,
      data_center: reference('datacenters', dataCenterId),
    };
  },
  search: () => ({
    name: ({ name }) => name,
    id: ({ name }) => idOf('network', name),
    description: ({ network }) => network,
    datacenter: () => 'Default',
    'datacenter.name': () => 'Default',
    cluster_network: () => 'Default',
  }),
  add: async () => {
    throw new ProblemError(problem('NOVA7618', {}));
  },
  update: async (call, network, body) => {
    const change = accept('network', body, {
      fields: { comment: text().optional(), description: text().optional() },
      fixed: { name: network.name, stp: 'false', mtu: '0' },
      readOnly: ['id', 'status', 'data_center', 'usages', 'vdsm_name', 'required'],
    });
    await call.parts.work.run(task(call, network.name, 'Updating', 'updated', 1114), () =>
      call.records.change('network', idOf('network', network.name), {}, change),
    );
    return network;
  },
  remove: async (call, { name }) => {
    await call.parts.work.run(task(call, name, 'Removing', 'removed', 944), async () => {
      await call.engine.deleteNetwork(name);
      const own = [...call.records.all('vnicProfile')].filter(([, { network }]) => network === name);
      await call.records.remove('vnicProfile', ...own.map(([id]) => id));
      await call.records.remove('network', idOf('network', name));
    });
  },
  children: [
    vnicProfiles,
    empty('permissions', 'permission', 'permissions'),
    empty('networklabels', 'network_label', 'network_labels'),
  ],
};

function task(call: Call, name: string, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} network ${name}`, done: `Network ${name} was ${done}`, code };
}
