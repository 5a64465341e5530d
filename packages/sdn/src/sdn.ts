import { type Applied, type ApplyOptions, apply } from './apply.ts';
import { configureHost, type HostOptions, sockets } from './daemons.ts';
import {
  type Attachment,
  attach,
  detach,
  type HostLink,
  hostLinkDown,
  hostLinkUp,
  type Link,
  listLinks,
} from './links.ts';
import { Ovsdb } from './ovsdb.ts';
import { elements, type Row } from './ovsdb-values.ts';
import { type NetworkStatus, networkStatus } from './status.ts';
import type { Topology } from './topology.ts';
import { control } from './unixctl.ts';

/** The networks of this host. It is stateless: several instances, or one after a crash, behave the same. */
export class Sdn {
  readonly #northbound: Ovsdb;
  readonly #vswitch: Ovsdb;
  readonly #vswitchControl: string;

  /** The daemons run in `root`; they may still be starting. */
  constructor(root: string) {
    const { northbound, vswitch, vswitchControl } = sockets(root);
    this.#vswitchControl = vswitchControl;
    this.#northbound = new Ovsdb(northbound, 'OVN_Northbound');
    this.#vswitch = new Ovsdb(vswitch, 'Open_vSwitch');
  }

  async configure(options: HostOptions): Promise<void> {
    await configureHost(this.#vswitch, options);
  }

  /** Applies the topology, and returns once packets follow it. */
  async apply(topology: Topology, options?: ApplyOptions): Promise<Applied> {
    const applied = await apply(this.#northbound, topology, options);
    // The flows are installed, but packets follow cached flows for up to half a second. Connections survive the purge.
    if (applied.operations) await control(this.#vswitchControl, 'revalidator/purge', 10_000).catch(ignoreStopped);
    return applied;
  }

  /** Traffic passes only if the port is in the applied topology. */
  async attach(attachment: Attachment): Promise<void> {
    await attach(this.#vswitch, attachment);
  }

  async detach(port: string): Promise<void> {
    await detach(this.#vswitch, port);
  }

  async listLinks(): Promise<Link[]> {
    return await listLinks();
  }

  async hostLinkUp(link: HostLink): Promise<void> {
    await hostLinkUp(this.#vswitch, link);
  }

  async hostLinkDown(link: Pick<HostLink, 'guard'>): Promise<void> {
    await hostLinkDown(this.#vswitch, link);
  }

  /** Waits until the machines of these ports can send and receive. */
  async portsUp(ports: readonly string[], timeout = 30_000): Promise<void> {
    const missing = (rows: readonly Row[]) => {
      const up = new Set(rows.filter((row) => elements(row.up)[0] === true).map((row) => row.name));
      return ports.filter((port) => !up.has(port));
    };
    await this.#northbound.waitFor('Logical_Switch_Port', ['name', 'up'], (rows) => missing(rows).length === 0, {
      timeout,
      describe: (rows) => `These ports are not up: ${missing(rows).join(', ')}`,
    });
  }

  async status(): Promise<NetworkStatus> {
    return await networkStatus(this.#northbound);
  }

  close(): void {
    this.#northbound.close();
    this.#vswitch.close();
  }
}

/** An ovs-vswitchd that restarts has no cached flows. */
function ignoreStopped(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error;
}
