import { engineClient } from '@nova-platform/engine';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import type { Output } from '../../output.ts';
import { type Branch, drawTree, table } from '../../tree.ts';

export interface CreateFlags {
  cidr: string;
  output: Output;
}

export const create = command<CreateFlags, [name: string]>(async function ({ cidr }, name) {
  const network = await engineClient.createNetwork(name, cidr);
  return { data: network, text: `${this.style.green('✓')} ${network.name} ${network.network}` };
});

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const networks = await engineClient.networks();
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'NETWORK', ru: 'СЕТЬ' }),
    t({ en: 'GATEWAY', ru: 'ШЛЮЗ' }),
    t({ en: 'OUTWARD AS', ru: 'НАРУЖУ КАК' }),
  ];
  const rows = networks.map(({ name, network, gateway, router }) => [
    name,
    network,
    gateway,
    router.externalAddress ?? '—',
  ]);
  return { data: networks, text: table([head, ...rows]).join('\n') };
}

export async function show(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { t, style } = this;
  const network = await engineClient.network(name);
  const { router, machines, names, published, loadBalancers } = network;
  const lines = (rows: string[][]): Branch[] => table(rows).map((line) => ({ line }));
  const section = (title: string, rows: string[][]): Branch[] =>
    rows.length > 0 ? [{ line: title, children: lines(rows) }] : [];
  const tree: Branch[] = [
    {
      line: `${t({ en: 'router', ru: 'маршрутизатор' })} ${router.name}`,
      children: lines([
        [t({ en: 'outward as', ru: 'наружу как' }), `${router.externalAddress ?? '—'} (SNAT)`],
        [t({ en: 'transit', ru: 'транзит' }), router.transitAddress ?? '—'],
        [t({ en: 'default route via', ru: 'маршрут по умолчанию через' }), network.externalGateway],
      ]),
    },
    ...section(
      t({ en: 'machines', ru: 'машины' }),
      machines.map((machine) => [machine.name, machine.address, machine.state]),
    ),
    ...section(
      t({ en: 'published', ru: 'опубликовано' }),
      published.map(({ externalAddress, address }) => [externalAddress, `→ ${address}`]),
    ),
    ...section(
      t({ en: 'balanced', ru: 'балансировка' }),
      loadBalancers.map(({ name: balancer, address, port, backends }) => [
        balancer,
        `${address}:${port}`,
        `→ ${backends.map((each) => each.address).join(', ')}`,
      ]),
    ),
    ...section(
      t({ en: 'names', ru: 'имена' }),
      names.map((each) => [each.name, each.addresses.join(', ')]),
    ),
  ];
  return {
    data: network,
    text: [
      `${style.bold(name)} ${network.network}`,
      '',
      `  ${t({ en: 'outside', ru: 'снаружи' })} ── ${router.externalAddress ?? '—'} ── ${style.bold(router.name)} ── ${network.gateway} ── ${machines.map((machine) => machine.name).join(', ') || t({ en: 'no machines', ru: 'машин нет' })}`,
      '',
      ...drawTree(tree, style),
    ].join('\n'),
  };
}

export async function remove(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  await engineClient.deleteNetwork(name);
  return {
    data: { deleted: name },
    text: `${this.style.green('✓')} ${this.t({ en: `${name} is gone.`, ru: `${name} удалена.` })}`,
  };
}
