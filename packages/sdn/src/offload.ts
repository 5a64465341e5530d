import { run } from '@nova-platform/process';

/**
 * What a card may leave to the userspace datapath. Open vSwitch 3.5 with `userspace-tso-enable` segments TCP and fills in
 * checksums itself, which is ten times faster than the kernel doing so for every packet. But datagrams that the kernel
 * has yet to cut (QUIC, WireGuard) it drops, and checksums inside a tunnel it writes into the wrong place: a machine
 * that sends tunnels must do everything itself.
 */
export async function limitOffload(
  device: string,
  { tunnels, netns }: { tunnels: boolean; netns?: string },
): Promise<void> {
  const unwanted = ['tx-udp-segmentation', 'tx-sctp-segmentation', ...(tunnels ? ['tx-checksum-ip-generic'] : [])];
  const features = await ethtool(netns, '-k', device);
  const enabled = unwanted.filter((feature) => new RegExp(`^\\s*${feature}: on$`, 'm').test(features));
  if (enabled.length) await ethtool(netns, '-K', device, ...enabled.flatMap((feature) => [feature, 'off']));
  // Back from a machine that did send tunnels; the kernel brings segmentation back with it.
  if (!tunnels && /^\s*tx-checksum-ip-generic: off$/m.test(features)) await ethtool(netns, '-K', device, 'tx', 'on');
}

async function ethtool(netns: string | undefined, ...args: string[]): Promise<string> {
  const command = ['ethtool', ...args];
  const [program = '', ...rest] = netns === undefined ? command : ['ip', 'netns', 'exec', netns, ...command];
  return run(program, rest, { signal: AbortSignal.timeout(10_000) });
}
