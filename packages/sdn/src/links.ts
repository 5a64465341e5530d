import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { externalBridge, hostLinkName, hostLinkPeer, integrationBridge, linkName, macOf } from './names.ts';
import { limitOffload } from './offload.ts';
import type { Ovsdb } from './ovsdb.ts';
import { ensureSwitchPort, isUserspace, removeSwitchPort } from './vswitch.ts';

const run = promisify(execFile);

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
}

const card = 'eth0';
/** Loses against any real route, wins against the default route, which leads out of the box. */
const guardMetric = '4294967294';

/** Makes what is missing, repairs what differs. */
export async function attach(vswitch: Ovsdb, attachment: Attachment): Promise<void> {
  const { name, netns, mac, address, prefix, gateway, mtu, tunnels = false } = attachment;
  const link = linkName(name);
  const outer = await show(link);
  const inner = await show(card, netns);
  if (!outer || !inner || inner.link_index !== outer.ifindex) {
    // Before the new link exists: ovs-vswitchd would go on holding the old one by the same name.
    await removeSwitchPort(vswitch, link);
    if (outer) await ip('link', 'delete', link);
    // Not ours, but the name must be free; the namespace is the machine's alone.
    if (inner) await ip('-n', netns, 'link', 'delete', card).catch(() => undefined);
    await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', card, 'netns', netns);
  }
  await ip('link', 'set', link, 'alias', name, 'mtu', String(mtu), 'up');
  await ip('-n', netns, 'link', 'set', 'lo', 'up');
  await ip('-n', netns, 'link', 'set', card, 'address', mac, 'mtu', String(mtu), 'up');
  if (await isUserspace(vswitch, integrationBridge)) await limitOffload(card, { tunnels, netns });
  await onlyAddress(card, `${address}/${prefix}`, netns);
  await ip('-n', netns, 'route', 'replace', 'default', 'via', gateway);
  await ensureSwitchPort(vswitch, { name: link, bridge: integrationBridge, port: name });
}

/** The port's link goes, whether or not the machine's namespace still exists. */
export async function detach(vswitch: Ovsdb, name: string): Promise<void> {
  const link = linkName(name);
  await removeSwitchPort(vswitch, link);
  if (await show(link)) await ip('link', 'delete', link);
}

export async function listLinks(): Promise<Link[]> {
  const links = (await json('-j', 'link', 'show', 'type', 'veth')) as IpLink[];
  return links
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
  for (const network of guard) await ip('route', 'replace', 'unreachable', network, 'metric', guardMetric);
  if (!(await show(hostLinkName)) || !(await show(hostLinkPeer))) {
    await removeSwitchPort(vswitch, hostLinkPeer);
    if (await show(hostLinkName)) await ip('link', 'delete', hostLinkName);
    await ip('link', 'add', hostLinkName, 'type', 'veth', 'peer', 'name', hostLinkPeer);
  }
  // Always the same address: routers remember it, and would go on sending to the one before.
  await ip('link', 'set', hostLinkName, 'address', macOf(hostLinkName), 'mtu', String(mtu));
  await ip('link', 'set', hostLinkPeer, 'mtu', String(mtu));
  if (await isUserspace(vswitch, externalBridge)) await limitOffload(hostLinkName, { tunnels: false });
  // Everything ends at the host, also on a box that forwards for others.
  await writeFile(`/proc/sys/net/ipv4/conf/${hostLinkName}/forwarding`, '0');
  for (const end of [hostLinkPeer, hostLinkName]) await ip('link', 'set', end, 'up');
  await onlyAddress(hostLinkName, `${address}/${prefix}`);
  await ensureSwitchPort(vswitch, { name: hostLinkPeer, bridge: externalBridge });
}

export async function hostLinkDown(vswitch: Ovsdb, { guard }: Pick<HostLink, 'guard'>): Promise<void> {
  await removeSwitchPort(vswitch, hostLinkPeer);
  if (await show(hostLinkName)) await ip('link', 'delete', hostLinkName);
  for (const network of guard) {
    await ip('route', 'delete', 'unreachable', network, 'metric', guardMetric).catch(() => undefined);
  }
}

async function onlyAddress(device: string, address: string, netns?: string): Promise<void> {
  const where = netns === undefined ? [] : ['-n', netns];
  const [shown] = (await json(...where, '-j', '-4', 'addr', 'show', 'dev', device)) as {
    addr_info?: { local: string; prefixlen: number }[];
  }[];
  const present = (shown?.addr_info ?? []).map(({ local, prefixlen }) => `${local}/${prefixlen}`);
  for (const other of present.filter((one) => one !== address))
    await ip(...where, 'addr', 'delete', other, 'dev', device);
  if (!present.includes(address)) await ip(...where, 'addr', 'add', address, 'dev', device);
}

async function show(device: string, netns?: string): Promise<IpLink | undefined> {
  const where = netns === undefined ? [] : ['-n', netns];
  // All of them, because asking for one that is not there is an error like any other.
  const links = (await json(...where, '-j', 'link', 'show')) as IpLink[];
  return links.find(({ ifname }) => ifname === device);
}

async function json(...args: string[]): Promise<unknown> {
  return JSON.parse((await ip(...args)) || '[]');
}

async function ip(...args: string[]): Promise<string> {
  const { stdout } = await run('ip', args, { timeout: 10_000 });
  return stdout;
}

/** What ovs-vswitchd leaves behind when it is killed; `ovs-netdev` is its own name. For when it no longer runs. */
export async function removeBridgeLinks(): Promise<void> {
  for (const link of [integrationBridge, externalBridge, 'ovs-netdev'])
    if (await show(link)) await ip('link', 'delete', link);
}
