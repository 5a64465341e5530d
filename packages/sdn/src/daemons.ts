import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@nova-platform/process';
import { chassis, externalBridge, integrationBridge, physicalNetwork } from './names.ts';
import type { Ovsdb } from './ovsdb.ts';
import { map, type Row, record } from './ovsdb-values.ts';
import { ensureBridge, reconfigure } from './vswitch.ts';

/** `system` is the kernel module; `netdev` runs in the process of ovs-vswitchd. */
export type Datapath = 'system' | 'netdev';

/** A process for a supervisor: it runs in the foreground and logs to standard error. */
export interface Daemon {
  name: string;
  command: string;
  args: string[];
}

/** Paths inside the root. */
const paths = {
  vswitch: { database: '/var/lib/openvswitch/vswitch.db', socket: '/run/openvswitch/db.sock' },
  northbound: { database: '/var/lib/ovn/ovnnb.db', socket: '/run/ovn/ovnnb_db.sock' },
  southbound: { database: '/var/lib/ovn/ovnsb.db', socket: '/run/ovn/ovnsb_db.sock' },
};

const vswitchControl = '/run/openvswitch/vswitchd.ctl';

const schemas = {
  vswitch: '/usr/share/openvswitch/vswitch.ovsschema',
  northbound: '/usr/share/ovn/ovn-nb.ovsschema',
  southbound: '/usr/share/ovn/ovn-sb.ovsschema',
};

const databases = ['vswitch', 'northbound', 'southbound'] as const;

/** Paths of the sockets, outside the root. */
export function sockets(root: string): { northbound: string; vswitch: string; vswitchControl: string } {
  return {
    northbound: join(root, paths.northbound.socket),
    vswitch: join(root, paths.vswitch.socket),
    vswitchControl: join(root, vswitchControl),
  };
}

/** The daemons can start in any order: each waits for the others. */
export function ovnDaemons(root: string): Daemon[] {
  const daemon = (name: string, program: string, ...args: string[]): Daemon => ({
    name,
    command: 'chroot',
    args: [root, program, ...args, '-vconsole:warn', '-vsyslog:off', '-vfile:off'],
  });
  const server = (name: string, { database, socket }: { database: string; socket: string }) =>
    daemon(name, 'ovsdb-server', database, `--remote=punix:${socket}`, `--unixctl=${socket}.ctl`);
  const northbound = `unix:${paths.northbound.socket}`;
  const southbound = `unix:${paths.southbound.socket}`;
  return [
    server('nova-vswitch-db', paths.vswitch),
    server('nova-northbound-db', paths.northbound),
    server('nova-southbound-db', paths.southbound),
    daemon('nova-vswitchd', 'ovs-vswitchd', `unix:${paths.vswitch.socket}`, `--unixctl=${vswitchControl}`),
    daemon(
      'nova-northd',
      'ovn-northd',
      `--ovnnb-db=${northbound}`,
      `--ovnsb-db=${southbound}`,
      '--unixctl=/run/ovn/northd.ctl',
    ),
    daemon('nova-controller', 'ovn-controller', `unix:${paths.vswitch.socket}`, '--unixctl=/run/ovn/controller.ctl'),
  ];
}

export interface HostOptions {
  datapath: Datapath;
  /** Address of the tunnels. A single host has no tunnels, but OVN requires an address. */
  encapAddress?: string;
}

/** Creates what the daemons need at startup: folders, devices, databases. Idempotent. */
export async function prepareRoot(root: string, { datapath }: HostOptions): Promise<void> {
  for (const folder of ['run/openvswitch', 'run/ovn', 'var/lib/openvswitch', 'var/lib/ovn', 'var/log', 'dev/net']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  const devices = { null: [1, 3], zero: [1, 5], random: [1, 8], urandom: [1, 9], 'net/tun': [10, 200] };
  for (const [device, [major, minor]] of Object.entries(devices)) {
    const path = join(root, 'dev', device);
    if (!existsSync(path)) await run('mknod', ['-m', '666', path, 'c', String(major), String(minor)]);
  }
  for (const name of databases) await prepareDatabase(root, name, datapath);
}

async function prepareDatabase(root: string, name: (typeof databases)[number], datapath: Datapath): Promise<void> {
  const { database } = paths[name];
  const tool = (...args: string[]) => run('chroot', [root, 'ovsdb-tool', ...args]);
  if (existsSync(join(root, database))) {
    // The root may contain a newer release of OVN.
    const answer = await tool('needs-conversion', database, schemas[name]);
    if (answer.trim() === 'yes') await tool('convert', database, schemas[name]);
    return;
  }
  const draft = `${database}.new`;
  await rm(join(root, draft), { force: true });
  await tool('create', draft, schemas[name]);
  if (name === 'vswitch') {
    // ovs-vswitchd reads some settings only at startup, so they are written before it starts.
    const row = { external_ids: map(externalIds(datapath)), other_config: map(otherConfig(datapath)) };
    await tool('transact', draft, JSON.stringify(['Open_vSwitch', { op: 'insert', table: 'Open_vSwitch', row }]));
  }
  await rename(join(root, draft), join(root, database));
}

/** Configures this chassis and its bridges; waits until ovs-vswitchd has applied it. */
export async function configureHost(vswitch: Ovsdb, { datapath, encapAddress }: HostOptions): Promise<void> {
  const { Open_vSwitch: roots } = await vswitch.snapshot({ Open_vSwitch: ['external_ids', 'other_config'] });
  const before: Row = roots[0] ?? {};
  await reconfigure(vswitch, {
    external_ids: map({ ...record(before.external_ids), ...externalIds(datapath, encapAddress) }),
    other_config: map({ ...record(before.other_config), ...otherConfig(datapath) }),
  });
  // Without flows from OVN the integration bridge forwards nothing; the external bridge is an ordinary switch.
  await ensureBridge(vswitch, integrationBridge, { datapath_type: datapath, fail_mode: 'secure' });
  await ensureBridge(vswitch, externalBridge, { datapath_type: datapath });
}

function externalIds(datapath: Datapath, encapAddress = '127.0.0.1'): Record<string, string> {
  return {
    'system-id': chassis,
    hostname: chassis,
    'ovn-remote': `unix:${paths.southbound.socket}`,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': encapAddress,
    'ovn-bridge': integrationBridge,
    'ovn-bridge-datapath-type': datapath,
    'ovn-bridge-mappings': `${physicalNetwork}:${externalBridge}`,
    // A single chassis needs all data; conditional monitoring costs time at every change.
    'ovn-monitor-all': 'true',
  };
}

/** Veth pairs pass packets of 64 KB without checksums. The userspace datapath handles them only with this setting. */
function otherConfig(datapath: Datapath): Record<string, string> {
  return datapath === 'netdev' ? { 'userspace-tso-enable': 'true' } : {};
}

/** Prefers the kernel module if it is available. */
export async function detectDatapath(): Promise<Datapath> {
  if (existsSync('/sys/module/openvswitch')) return 'system';
  try {
    await run('modprobe', ['openvswitch']);
    return 'system';
  } catch {
    return 'netdev';
  }
}
