import { createHash } from 'node:crypto';
import { mebibytesOf, ProblemError, problem } from '@nova-platform/api';
import { hostArchive, initialMembersFile, joinScript } from '@nova-platform/catalog';
import type { Clusters } from '@nova-platform/cluster';
import type { ConfigManager } from '@nova-platform/config-manager';
import { type ClusterPlan, type PlannedNode, type Site, universeNames } from '@nova-platform/plan';

export interface JoinCommand {
  name: string;
  address: string;
  command: string;
  expiresAt: string;
}

/** How existing hosts become nodes: one command each, with a token for one use. */
export class HostJoins {
  readonly #config: ConfigManager;
  readonly #clusters: Clusters;
  readonly #site: Site;

  constructor(config: ConfigManager, clusters: Clusters, site: Site) {
    this.#config = config;
    this.#clusters = clusters;
    this.#site = site;
  }

  /** The script that hosts run. It is the same for all of them. */
  async script(): Promise<string> {
    const authority = await this.authority();
    const { externalAddress: address } = this.#site.universe;
    return joinScript({ address, names: universeNames(this.#site), authority });
  }

  async authority(): Promise<string> {
    return this.#config.services.authorities.bundle();
  }

  /** A line for root's shell on the host. It pins the CA and the script by their digests. */
  async command(name: string, lifetimeSeconds: number): Promise<JoinCommand> {
    const { enrolment } = this.#config.services;
    const { node } = await this.#planned(name);
    if ((await enrolment.certificateOf(name)) !== undefined) throw new ProblemError(problem('NOVA8506', { name }));
    const { token, expiresAt } = await enrolment.createToken(name, lifetimeSeconds);
    const role = node.roles.includes('control-plane') ? 'control-plane' : 'worker';
    const sizes = [node.cpu, mebibytesOf(node.memory), mebibytesOf(node.disk)];
    const url = `https://${this.#site.universe.externalAddress}/hosts`;
    const options = [
      'Acquire::https::Verify-Peer=false',
      'Acquire::https::Verify-Host=false',
      'Acquire::https::Proxy=DIRECT',
      'APT::Sandbox::User=root',
    ];
    const files = [
      `${url}/ca.pem "$d/ca.pem" SHA256:${digestOf(await this.authority())}`,
      `${url}/join "$d/join" SHA256:${digestOf(await this.script())}`,
    ];
    const download = `/usr/lib/apt/apt-helper -qq ${options.map((each) => `-o ${each}`).join(' ')} download-file`;
    // Arguments are visible to every user of the host; the environment is not.
    const run = `NOVA_TOKEN=${token} sh "$d/join" ${[name, node.address, role, ...sizes].join(' ')}`;
    return {
      name,
      address: node.address,
      command: `d=$(mktemp -d) && ${download} ${files.join(' ')} && ${run}; c=$?; rm -rf "$d"; (exit $c)`,
      expiresAt: expiresAt.toISOString(),
    };
  }

  /** The files of a host that shows its token. The token stays valid: the certificate request uses it. */
  async files(name: string, token: string): Promise<Buffer> {
    const { enrolment, manager } = this.#config.services;
    await enrolment.assertToken(name, token);
    const { plan } = await this.#planned(name);
    const initialMembers = await this.#clusters.initialMembers(plan.cluster.name);
    const members = plan.nodes.filter((each) => initialMembers.includes(each.name));
    return hostArchive(
      { node: name, token, manager },
      initialMembers.includes(name) ? [initialMembersFile(members)] : [],
    );
  }

  async #planned(name: string): Promise<{ plan: ClusterPlan; node: PlannedNode }> {
    const plan = await this.#config.services.catalogs.planOf(name);
    const node = plan?.nodes.find((each) => each.name === name);
    if (!plan || !node || plan.cluster.provider !== 'existing') throw new ProblemError(problem('NOVA8500', { name }));
    return { plan, node };
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
