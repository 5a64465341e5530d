import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { CommandError, run } from '@nova-platform/process';
import { externalBridge, hostLinkName, hostLinkPeer, integrationBridge, linkName, macOf } from './names.ts';
import { limitOffload } from './offload.ts';
import type { Ovsdb } from './ovsdb.ts';
import { ensureSwitchPort, isUserspace, removeSwitchPort } from './vswitch.ts';

/** A machine's network interface: `eth0` in its network namespace, connected to a port of a logical network. */
export interface Attachment {
  /** The port's name in the topology. */
  name: string;
  netns: string;
  mac: string;
  address: string;
  prefix: number;
  gateway: string;
  mtu: number;
  /** Whether it sends VXLAN, Geneve or the like, as many pod networks do. Slower on the userspace datapath. */
  tunnels?: boolean;
  /** For a VM: a tap that this user can open. The guest has the addresses, and `eth0` only leads to it. */
  tap?: { name: string; owner: number };
}

export interface Link {
  name: string;
  /** The port's name, from the alias of the link. */
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
/** In the namespace of a VM, between its tap and `eth0`. */
const guestBridge = 'bridge';
const commandTimeout = 10_000;
/** Any real route wins against it; it wins against the default route, which leads out of the host. */
const guardMetric = '4294967294';

/** Creates missing parts and repairs different ones. */
export async function attach(vswitch: Ovsdb, attachment: Attachment): Promise<void> {
  const { name, netns, mtu, tunnels = false, tap } = attachment;
  const link = linkName(name);
  const outer = await show(link);
  // Both ends of a pair disappear together.
  const inner = outer && (await show(card, netns));
  const isJoined = outer !== undefined && inner?.link_index === outer.ifindex;
  if (!isJoined) {
    // Before the new link exists: otherwise ovs-vswitchd keeps the old device open under the same name.
    await removeSwitchPort(vswitch, link);
    if (outer) await ip([`link delete ${link}`]);
    // Something else may have the name; the namespace belongs to the machine alone.
    if (inner) await ip([`link delete ${card}`], netns).catch(() => undefined);
  }
  await ip([
    ...(isJoined ? [] : [`link add ${link} type veth peer name ${card} netns ${netns}`]),
    `link set ${link} alias ${name} mtu ${mtu} up`,
  ]);
  await ip(tap ? await bridgeTo(tap, attachment) : useCard(attachment, isJoined ? inner : undefined), netns);
  if (await isUserspace(vswitch, integrationBridge)) await limitOffload(card, { tunnels, netns });
  await ensureSwitchPort(vswitch, { name: link, bridge: integrationBridge, port: name });
}

/** Commands that give the card its addresses. */
function useCard({ mac, address, prefix, gateway, mtu }: Attachment, shown: IpLink | undefined): string[] {
  return [
    'link set lo up',
    `link set ${card} address ${mac} mtu ${mtu} up`,
    ...onlyAddress(card, `${address}/${prefix}`, shown),
    `route replace default via ${gateway}`,
  ];
}

/** Commands that connect the card to the tap of a VM. The card keeps a MAC address of its own: that of the VM is behind it. */
async function bridgeTo(tap: NonNullable<Attachment['tap']>, { netns, mtu }: Attachment): Promise<string[]> {
  // The namespace itself must not send anything.
  const quiet = 'setting=/proc/sys/net/ipv6/conf/all/disable_ipv6; [ ! -e $setting ] || echo 1 >$setting';
  await run('ip', ['netns', 'exec', netns, 'sh', '-c', quiet], { signal: AbortSignal.timeout(commandTimeout) });
  const hasBridge = (await show(guestBridge, netns)) !== undefined;
  const hasTap = (await show(tap.name, netns)) !== undefined;
  return [
    ...(hasBridge ? [] : [`link add ${guestBridge} type bridge mcast_snooping 0`]),
    ...(hasTap ? [] : [`tuntap add dev ${tap.name} mode tap user ${tap.owner}`]),
    `link set ${guestBridge} mtu ${mtu} up`,
    ...[tap.name, card].map((port) => `link set ${port} mtu ${mtu} master ${guestBridge} up`),
  ];
}

/** Removes the port's link, even if the machine's namespace no longer exists. */
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
  /** Networks whose traffic must never leave the host by the default route, not even while the link is down. */
  guard: readonly string[];
}

/**
 * Connects the host to the external network. It uses a veth pair, because the internal port of a bridge loses its
 * address whenever ovs-vswitchd restarts.
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
    // The MAC address is constant: routers cache it and would continue to send to the previous one.
    `link set ${hostLinkName} address ${macOf(hostLinkName)} mtu ${mtu}`,
    `link set ${hostLinkPeer} mtu ${mtu}`,
  ]);
  if (await isUserspace(vswitch, externalBridge)) await limitOffload(hostLinkName, { tunnels: false });
  // The host does not forward this traffic, even if it forwards for other networks.
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

/** Commands that make this the only IPv4 address of a device. */
function onlyAddress(device: string, address: string, shown: IpLink | undefined): string[] {
  const present = (shown?.addr_info ?? [])
    .filter(({ family }) => family === 'inet')
    .map(({ local, prefixlen }) => `${local}/${prefixlen}`);
  return [
    ...present.filter((one) => one !== address).map((other) => `address delete ${other} dev ${device}`),
    ...(present.includes(address) ? [] : [`address add ${address} dev ${device}`]),
  ];
}

/** Queries the device by name: a list of all can miss one while others are created or deleted. */
async function show(device: string, netns?: string): Promise<IpLink | undefined> {
  // Most devices are new. A program to find that out would take longer than to create one.
  if (netns === undefined && !existsSync(`/proc/sys/net/ipv4/conf/${device}`)) return undefined;
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
  const text = await run('ip', ['-j', ...args], { signal: AbortSignal.timeout(commandTimeout) });
  return JSON.parse(text || '[]') as IpLink[];
}

/**
 * Runs several commands in one process, because starting a process takes longer than a command. Stops at the first
 * failure.
 */
async function ip(commands: readonly string[], netns?: string): Promise<void> {
  const where = netns === undefined ? [] : ['-n', netns];
  const input = `${commands.join('\n')}\n`;
  await run('ip', [...where, '-batch', '-'], { input, signal: AbortSignal.timeout(commandTimeout) });
}

/**
 * Removes devices that a killed ovs-vswitchd leaves behind; `ovs-netdev` is its own name. Call it only when
 * ovs-vswitchd does not run.
 */
export async function removeBridgeLinks(): Promise<void> {
  for (const link of [integrationBridge, externalBridge, 'ovs-netdev'])
    if (await show(link)) await ip([`link delete ${link}`]);
}
