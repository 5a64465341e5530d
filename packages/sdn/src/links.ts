import { writeFile } from 'node:fs/promises';
import { CommandError, run } from '@nova-platform/process';
import { externalBridge, hostLinkName, hostLinkPeer, integrationBridge, linkName, macOf } from './names.ts';
import { limitOffload } from './offload.ts';
import type { Ovsdb } from './ovsdb.ts';
import { ensureSwitchPort, isUserspace, removeSwitchPort } from './vswitch.ts';

/** A machine's network card: `eth0` in its named network namespace, joined to a port of a logical network. */
export interface Attachment {
  /** The port's name in the topology. */
  name: string;
  netns: string;
  mac: string;
  address: string;
  prefix: number;
  gateway: string;
  mtu: number;
  /** Whether it sends VXLAN, Geneve or the like, as many pod networks do; slower without the kernel's datapath. */
  tunnels?: boolean;
}

export interface Link {
  name: string;
  /** The port's name, as far as the kernel was told. */
  port: string;
  up: boolean;
}

interface IpLink {
  ifindex: number;
  ifname: string;
  ifalias?: string;
  link_index?: number;
  flags?: string[];
  addr_info?: { family: string; local: string; prefixlen: number }[];
}

const card = 'eth0';
const patience = 10_000;
/** Loses against any real route, wins against the default route, which leads out of the box. */
const guardMetric = '4294967294';

/** Makes what is missing, repairs what differs. */
export async function attach(vswitch: Ovsdb, attachment: Attachment): Promise<void> {
  const { name, netns, mac, address, prefix, gateway, mtu, tunnels = false } = attachment;
  const link = linkName(name);
  const outer = await show(link);
  const inner = await show(card, netns);
  const isJoined = outer !== undefined && inner?.link_index === outer.ifindex;
  if (!isJoined) {
    // Before the new link exists: ovs-vswitchd would go on holding the old one by the same name.
    await removeSwitchPort(vswitch, link);
    if (outer) await ip([`link delete ${link}`]);
    // Not ours, but the name must be free; the namespace is the machine's alone.
    if (inner) await ip([`link delete ${card}`], netns).catch(() => undefined);
  }
  await ip([
    ...(isJoined ? [] : [`link add ${link} type veth peer name ${card} netns ${netns}`]),
    `link set ${link} alias ${name} mtu ${mtu} up`,
  ]);
  await ip(
    [
      'link set lo up',
      `link set ${card} address ${mac} mtu ${mtu} up`,
      ...onlyAddress(card, `${address}/${prefix}`, isJoined ? inner : undefined),
      `route replace default via ${gateway}`,
    ],
    netns,
  );
  if (await isUserspace(vswitch, integrationBridge)) await limitOffload(card, { tunnels, netns });
  await ensureSwitchPort(vswitch, { name: link, bridge: integrationBridge, port: name });
}

/** The port's link goes, whether or not the machine's namespace still exists. */
export async function detach(vswitch: Ovsdb, name: string): Promise<void> {
  const link = linkName(name);
  await removeSwitchPort(vswitch, link);
  if (await show(link)) await ip([`link delete ${link}`]);
}

export async function listLinks(): Promise<Link[]> {
  return (await json('link', 'show', 'type', 'veth'))
    .filter(({ ifname, ifalias }) => ifalias !== undefined && ifname === linkName(ifalias))
    .map(({ ifname, ifalias = '', flags = [] }) => ({ name: ifname, port: ifalias, up: flags.includes('LOWER_UP') }));
}

export interface HostLink {
  /** The host's address in the external network. */
  address: string;
  prefix: number;
  mtu: number;
  /** Networks that must never leave the box by its default route, also while the link is down. */
  guard: readonly string[];
}

/**
 * The host's place in the external network. A veth pair, because the internal port of a bridge loses its address
 * whenever ovs-vswitchd restarts.
 */
export async function hostLinkUp(vswitch: Ovsdb, { address, prefix, mtu, guard }: HostLink): Promise<void> {
  await ip(guard.map((network) => `route replace unreachable ${network} metric ${guardMetric}`));
  const host = await show(hostLinkName);
  const isThere = host !== undefined && (await show(hostLinkPeer)) !== undefined;
  if (!isThere) {
    await removeSwitchPort(vswitch, hostLinkPeer);
    if (host) await ip([`link delete ${hostLinkName}`]);
    await ip([`link add ${hostLinkName} type veth peer name ${hostLinkPeer}`]);
  }
  await ip([
    // Always the same address: routers remember it, and would go on sending to the one before.
    `link set ${hostLinkName} address ${macOf(hostLinkName)} mtu ${mtu}`,
    `link set ${hostLinkPeer} mtu ${mtu}`,
  ]);
  if (await isUserspace(vswitch, externalBridge)) await limitOffload(hostLinkName, { tunnels: false });
  // Everything ends at the host, also on a box that forwards for others.
  await writeFile(`/proc/sys/net/ipv4/conf/${hostLinkName}/forwarding`, '0');
  await ip([
    `link set ${hostLinkPeer} up`,
    `link set ${hostLinkName} up`,
    ...onlyAddress(hostLinkName, `${address}/${prefix}`, isThere ? host : undefined),
  ]);
  await ensureSwitchPort(vswitch, { name: hostLinkPeer, bridge: externalBridge });
}

export async function hostLinkDown(vswitch: Ovsdb, { guard }: Pick<HostLink, 'guard'>): Promise<void> {
  await removeSwitchPort(vswitch, hostLinkPeer);
  if (await show(hostLinkName)) await ip([`link delete ${hostLinkName}`]);
  for (const network of guard)
    await ip([`route delete unreachable ${network} metric ${guardMetric}`]).catch(() => undefined);
}

/** What gives a device this address and no other. */
function onlyAddress(device: string, address: string, shown: IpLink | undefined): string[] {
  const present = (shown?.addr_info ?? [])
    .filter(({ family }) => family === 'inet')
    .map(({ local, prefixlen }) => `${local}/${prefixlen}`);
  return [
    ...present.filter((one) => one !== address).map((other) => `address delete ${other} dev ${device}`),
    ...(present.includes(address) ? [] : [`address add ${address} dev ${device}`]),
  ];
}

/** Asked for by its name: a list of all may miss one while others come and go. */
async function show(device: string, netns?: string): Promise<IpLink | undefined> {
  const where = netns === undefined ? [] : ['-n', netns];
  try {
    const [link] = await json(...where, 'address', 'show', 'dev', device);
    return link;
  } catch (error) {
    if (error instanceof CommandError && error.stderr.includes('does not exist')) return undefined;
    throw error;
  }
}

async function json(...args: string[]): Promise<IpLink[]> {
  const text = await run('ip', ['-j', ...args], { signal: AbortSignal.timeout(patience) });
  return JSON.parse(text || '[]') as IpLink[];
}

/** Several commands in one program: starting one takes longer than what it does. The first that fails is the last. */
async function ip(commands: readonly string[], netns?: string): Promise<void> {
  const where = netns === undefined ? [] : ['-n', netns];
  const input = `${commands.join('\n')}\n`;
  await run('ip', [...where, '-batch', '-'], { input, signal: AbortSignal.timeout(patience) });
}

/** What ovs-vswitchd leaves behind when it is killed; `ovs-netdev` is its own name. For when it no longer runs. */
export async function removeBridgeLinks(): Promise<void> {
  for (const link of [integrationBridge, externalBridge, 'ovs-netdev'])
    if (await show(link)) await ip([`link delete ${link}`]);
}
