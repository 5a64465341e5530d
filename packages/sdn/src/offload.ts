import { run } from '@nova-platform/process';

/**
 * Limits the offloads of an interface to those that the userspace datapath handles. Open vSwitch 3.5 with
 * `userspace-tso-enable` segments TCP and computes checksums itself, ten times faster than the kernel does per packet.
 * But it drops UDP datagrams that need segmentation (QUIC, WireGuard), and it writes checksums inside of tunnels to the
 * wrong offset. So a machine that sends tunnels must do everything itself.
 */
export async function limitOffload(
  device: string,
  { tunnels, netns }: { tunnels: boolean; netns?: string },
): Promise<void> {
  const unwanted = ['tx-udp-segmentation', 'tx-sctp-segmentation', ...(tunnels ? ['tx-checksum-ip-generic'] : [])];
  const features = await ethtool(netns, '-k', device);
  const enabled = unwanted.filter((feature) => new RegExp(`^\\s*${feature}: on$`, 'm').test(features));
  if (enabled.length) await ethtool(netns, '-K', device, ...enabled.flatMap((feature) => [feature, 'off']));
  // The machine no longer sends tunnels. The kernel restores segmentation together with checksums.
  if (!tunnels && /^\s*tx-checksum-ip-generic: off$/m.test(features)) await ethtool(netns, '-K', device, 'tx', 'on');
}

async function ethtool(netns: string | undefined, ...args: string[]): Promise<string> {
  const command = ['ethtool', ...args];
  const [program = '', ...rest] = netns === undefined ? command : ['ip', 'netns', 'exec', netns, ...command];
  return run(program, rest, { signal: AbortSignal.timeout(10_000) });
}
