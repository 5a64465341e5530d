import { engineClient } from '@nova-platform/contracts/engine/client';
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
    t({ en: 'EXTERNAL ADDRESS', ru: 'ВНЕШНИЙ АДРЕС' }),
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
  const { router, machines, ports, names, loadBalancers } = network;
  const section = (title: string, rows: string[][]): Branch[] =>
    rows.length > 0 ? [{ line: title, children: table(rows).map((line) => ({ line })) }] : [];
  const stateOf = (port: string) => machines.find((machine) => machine.name === port)?.state ?? '';
  const link = (isUp: boolean) =>
    isUp ? t({ en: 'link up', ru: 'подключён' }) : t({ en: 'link down', ru: 'отключён' });
  const tree: Branch[] = [
    ...section(
      t({ en: 'machines', ru: 'машины' }),
      ports.map((port) => [port.name, port.address, port.mac, link(port.up), stateOf(port.name)]),
    ),
    ...section(
      `${t({ en: 'router', ru: 'маршрутизатор' })} ${router.name}`,
      router.ports.map((port) => [port.network, port.address]),
    ),
    ...section(
      'NAT',
      router.nat.map(({ type, externalAddress, address, ports: open }) => [
        type,
        externalAddress,
        type === 'snat' ? '←' : '→',
        address,
        open.join(', '),
      ]),
    ),
    ...section(
      t({ en: 'routes', ru: 'маршруты' }),
      router.routes.map((route) => [route.network, `${t({ en: 'via', ru: 'через' })} ${route.via}`]),
    ),
    ...section(
      t({ en: 'load balancers', ru: 'балансировщики' }),
      loadBalancers.map((balancer) => [balancer.name, balancer.address, `→ ${balancer.backends.join(', ')}`]),
    ),
    ...section(
      t({ en: 'names', ru: 'имена' }),
      names.map((each) => [each.name, each.addresses.join(', ')]),
    ),
  ];
  return { data: network, text: [...picture(network, t, style), '', ...drawTree(tree, style)].join('\n') };
}

/** Draws the network between the outside, Universe and its machines. */
function picture(
  { name, network, router, ports }: Awaited<ReturnType<typeof engineClient.network>>,
  t: Context['t'],
  style: Context['style'],
): string[] {
  const addressIn = (other: string) =>
    router.ports.find((port) => port.network === other)?.address.split('/')[0] ?? '—';
  const up = `${t({ en: 'outside', ru: 'снаружи' })} ── ${addressIn('external')} ──`;
  const down = `${t({ en: 'transit', ru: 'транзит' })} ── ${addressIn('transit')} ──`;
  const width = Math.max(up.length, down.length);
  const machines = ports.map((port) => port.name).join(', ') || t({ en: 'no machines', ru: 'машин нет' });
  return [
    `${style.bold(name)} ${network}`,
    '',
    `  ${up.padEnd(width, '─')}┐`,
    `  ${' '.repeat(width)}├── ${style.bold(router.name)} ── ${addressIn(name)} ── ${machines}`,
    `  ${down.padEnd(width, '─')}┘`,
  ];
}

export async function remove(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  await engineClient.deleteNetwork(name);
  return {
    data: { deleted: name },
    text: `${this.style.green('✓')} ${this.t({ en: `${name} is deleted.`, ru: `Сеть ${name} удалена.` })}`,
  };
}
