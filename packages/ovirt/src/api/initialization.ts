import { ipv4, ProblemError, problem } from '@nova-platform/api';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { flag, group, listOf, text } from './accept.ts';
import type { EngineNetwork } from './call.ts';
import type { Initialized } from './records.ts';

const address = group({
  address: text(15).optional(),
  netmask: text(15).optional(),
  gateway: text(15).optional(),
  version: z.literal('v4').optional(),
});

const nicConfiguration = group({
  name: text().optional(),
  on_boot: flag.optional(),
  boot_protocol: z.enum(['static', 'dhcp']).optional(),
  ip: address.optional(),
  ipv6_boot_protocol: z.literal('none').optional(),
});

/** The supported part of a first boot. Passwords, DNS servers and time zones are not: the platform sets them. */
export const initialization = group({
  custom_script: text(1024 * 1024).optional(),
  host_name: text().optional(),
  user_name: text(32).optional(),
  authorized_ssh_keys: text(64 * 1024).optional(),
  regenerate_ssh_keys: flag.optional(),
  cloud_init_network_protocol: z.enum(['eni', 'openstack_metadata']).optional(),
  nic_configurations: listOf('nic_configuration', nicConfiguration),
});

export type Initialization = z.output<typeof initialization>;

/** The cloud-config and the address for the engine. */
export function initialized(given: Initialization, network: EngineNetwork | undefined): Initialized {
  const cloudConfig = cloudConfigOf(given);
  const [nic, second] = given.nic_configurations;
  if (second) throw new ProblemError(problem('NOVA7600', { field: 'initialization.nic_configurations[1]' }));
  const fixed = nic?.boot_protocol === 'dhcp' ? undefined : nic?.ip?.address;
  if (fixed !== undefined && nic?.ip) assertFits(nic.ip, network);
  return {
    ...(cloudConfig !== undefined && { cloudConfig }),
    ...(fixed !== undefined && { address: fixed }),
  };
}

/** A static address belongs to the network, with its mask and its gateway. */
export function assertFits(
  { address: own = '', netmask, gateway }: z.output<typeof address>,
  network: EngineNetwork | undefined,
): void {
  const field = 'initialization.nic_configurations.ip';
  if (!ipv4.isAddress(own)) throw new ProblemError(problem('NOVA7026', { field, expected: 'an IPv4 address' }));
  if (!network) return;
  const range = ipv4.parseNetwork(network.network);
  const misfit = (name: string, expected: string) =>
    new ProblemError(problem('NOVA7613', { field: `${field}.${name}`, network: network.name, expected }));
  if (!ipv4.contains(range, ipv4.parseRange(own))) throw misfit('address', `an address of ${network.network}`);
  const mask = ipv4.formatAddress((2 ** 32 - (range.last - range.first + 1)) >>> 0);
  if (netmask !== undefined && netmask !== '' && netmask !== mask && netmask !== String(range.prefix))
    throw misfit('netmask', mask);
  if (gateway !== undefined && gateway !== '' && gateway !== network.gateway) throw misfit('gateway', network.gateway);
}

/** The engine checks the fields; here they are only put together. */
function cloudConfigOf(given: Initialization): string | undefined {
  const { custom_script: script, host_name: hostname, user_name: user, authorized_ssh_keys: lines } = given;
  const config = script === undefined || script.trim() === '' ? {} : parsed(script);
  const keys = (lines ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (hostname !== undefined && hostname !== '') config.hostname = hostname;
  if (user !== undefined && user !== '' && user !== 'root') {
    const own = { name: user, sudo: 'ALL=(ALL) NOPASSWD:ALL', ssh_authorized_keys: keys };
    config.users = [...listIn(config, 'users'), own];
  } else if (keys.length > 0) config.ssh_authorized_keys = [...listIn(config, 'ssh_authorized_keys'), ...keys];
  return Object.keys(config).length === 0 ? undefined : `#cloud-config\n${stringify(config, { lineWidth: 0 })}`;
}

function parsed(script: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(script, { logLevel: 'error', maxAliasCount: 0 });
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ProblemError(problem('NOVA7624', {}));
}

function listIn(config: Record<string, unknown>, key: string): unknown[] {
  const value = config[key] ?? [];
  if (Array.isArray(value)) return value;
  throw new ProblemError(problem('NOVA7624', {}));
}
