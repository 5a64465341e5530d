import { initialMembersFile } from '@nova-platform/catalog';
import type { Services } from '@nova-platform/config-manager';
import { createRequest } from '@nova-platform/config-manager/testing';
import type { MachineState } from '@nova-platform/infra';
import { type MemoryProvider, memoryProvider } from '@nova-platform/infra/testing';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import { MemoryEtcd, MemoryKubernetes, type Request, serveJson } from '@nova-platform/kubernetes/testing';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import { parse } from 'yaml';

interface Machine extends Pick<MachineState, 'name' | 'address'> {
  /** Aborted when the machine halts. */
  signal: AbortSignal;
  isInitialMember: boolean;
  /** The agent has run: the kubelet is up, and on a control plane the API server and etcd. */
  isConfigured: boolean;
}

/**
 * One cluster whose machines, SDN, API, etcd and agents exist in this process. Addresses of its nodes must be loopback
 * addresses: clients connect to the API and to etcd over TLS as usual.
 */
export class MemoryCluster {
  readonly provider: MemoryProvider = memoryProvider({
    boot: (machine, cloudConfig) => this.#boot(machine, cloudConfig),
    halt: (name) => this.#halt(name),
  });
  readonly kubernetes: MemoryKubernetes;
  readonly etcd = new MemoryEtcd((address) => this.#isServing(address));
  /** Nodes whose agents have run, in order. */
  readonly runs: string[] = [];
  readonly #services: Services;
  readonly #key: string;
  readonly #onError: (error: unknown) => void;
  readonly #machines = new Map<string, Machine & { halt: () => void }>();
  #balancer: Promise<{ close: () => void }> | undefined;

  /** `key` (PEM) is the key of all agents. `revision` is the one that Flux finds in the release repository. */
  constructor(services: Services, key: string, revision: string, onError: (error: unknown) => void) {
    this.#services = services;
    this.#key = key;
    this.#onError = onError;
    this.kubernetes = new MemoryKubernetes((object) => this.#statusOf(object, revision));
  }

  async close(): Promise<void> {
    for (const name of this.#machines.keys()) this.#halt(name);
    (await this.#balancer)?.close();
  }

  /** Makes a machine that can never join: its agent got no certificate, and its token has expired. */
  async lose(name: string): Promise<void> {
    this.#halt(name);
    this.kubernetes.objects.delete(`/api/v1/nodes/${name}`);
    await this.#services.catalogs.forgetNode(name);
  }

  #boot({ name, address }: MachineState, cloudConfig?: string): void {
    const { write_files: files = [] } = (parse(cloudConfig ?? '{}') ?? {}) as {
      write_files?: { path: string; content: string }[];
    };
    const [, token] = /1\.2\.840\.113549\.1\.9\.7: (\S+)/.exec(files.map(({ content }) => content).join('\n')) ?? [];
    const controller = new AbortController();
    const machine = {
      name,
      address,
      signal: controller.signal,
      isInitialMember: files.some(({ path }) => path === initialMembersFile([]).path),
      isConfigured: false,
      halt: () => controller.abort(),
    };
    this.#machines.get(name)?.halt();
    this.#machines.set(name, machine);
    this.#runAgent(machine, token).catch(this.#onError);
  }

  #halt(name: string): void {
    this.#machines.get(name)?.halt();
    this.#machines.delete(name);
  }

  /** An agent enrols, runs once at boot and then on demand. */
  async #runAgent(machine: Machine, token: string | undefined): Promise<void> {
    const { name, signal } = machine;
    const { enrolment, orders } = this.#services;
    if (token !== undefined)
      await enrolment.enrol(name, (await createRequest(name, { token, key: this.#key })).request);
    await this.#applyCatalog(machine);
    while (!signal.aborted) {
      const order = await orders.take(name, 60_000, signal);
      if (!order) continue;
      orders.started(order.id, name);
      await this.#applyCatalog(machine);
      orders.end(order.id, name, 0);
    }
  }

  async #applyCatalog(machine: Machine): Promise<void> {
    const { name } = machine;
    const served = await this.#services.catalogs.served(name, {});
    if (!served) return;
    this.runs.push(name);
    if (!machine.isConfigured) await this.#startComponents(machine);
    await this.#services.reports.store(name, {
      startedAt: new Date().toISOString(),
      status: 'changed',
      isNoop: false,
      catalog: String(served.id),
      agentVersion: '8.10.0',
      seconds: 1,
      resources: { total: 1, changed: 1, corrective: 0, failed: 0, skipped: 0 },
      changes: [],
      skipped: [],
      log: [],
    });
  }

  async #startComponents(machine: Machine): Promise<void> {
    const { name, address, signal, isInitialMember } = machine;
    const plan = await this.#services.catalogs.planOf(name);
    const isControlPlane = plan?.nodes.find((node) => node.name === name)?.roles.includes('control-plane');
    if (plan && isControlPlane) {
      const cluster = plan.cluster.name;
      const isMember = this.etcd.members.some((each) => each.address === address);
      if (isInitialMember && !isMember) this.etcd.add(address, false);
      this.#balancer ??= this.#serve(cluster, 'kubernetes', plan.api.address, 6443, (request) =>
        this.#isBalanced(cluster) ? this.#respond(request) : undefined,
      );
      const servers = [
        await this.#serve(cluster, 'kubernetes', address, 6443, (request) =>
          this.etcd.isServing(address) ? this.#respond(request) : undefined,
        ),
        await this.#serve(cluster, 'etcd', address, 2379, ({ url, body }) =>
          this.etcd.respond(address, url.pathname, body),
        ),
      ];
      const close = () => {
        for (const server of servers) server.close();
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close);
    }
    machine.isConfigured = true;
    if (!signal.aborted && !this.kubernetes.objects.has(`/api/v1/nodes/${name}`))
      this.kubernetes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} }, 'nodes');
  }

  #respond(request: Request) {
    if (request.url.pathname === '/readyz') return { status: 200, body: {} };
    return this.kubernetes.respond(request);
  }

  /** Whether the load balancer has a backend that serves. */
  #isBalanced(cluster: string): boolean {
    const backends = this.provider.networkState.get(cluster) ?? [];
    return backends.some((name) => {
      const machine = this.#machines.get(name);
      return machine?.isConfigured === true && this.etcd.isServing(machine.address);
    });
  }

  #isServing(address: string): boolean {
    return [...this.#machines.values()].some((machine) => machine.address === address && machine.isConfigured);
  }

  async #serve(
    cluster: string,
    authority: 'kubernetes' | 'etcd',
    host: string,
    port: number,
    respond: Parameters<typeof serveJson>[2],
  ) {
    const { privateKey: key, publicKey } = await createKeyPair();
    const { certificate: cert } = await issueCertificate(
      await this.#services.authorities.issuerOf(cluster, authority),
      {
        subject: { commonName: authority, organizations: [] },
        publicKey,
        dnsNames: [],
        addresses: [host],
        usages: ['server auth'],
        lifetimeHours: 1,
      },
    );
    return serveJson({ host, port }, { key, cert }, respond);
  }

  /** All declared objects are ready at once, and a node is ready while its machine runs. */
  #statusOf({ kind, metadata: { name, generation: observedGeneration } }: KubernetesObject, revision: string) {
    const ready = { type: 'Ready', status: 'True', reason: '', message: '' };
    switch (kind) {
      case 'Node':
        return {
          conditions: [{ ...ready, status: this.#machines.get(name)?.isConfigured === true ? 'True' : 'Unknown' }],
        };
      case 'Deployment':
        return { observedGeneration, updatedReplicas: 1, availableReplicas: 1 };
      case 'GitRepository':
        return { observedGeneration, conditions: [ready], artifact: { revision } };
      case 'Kustomization':
        return { observedGeneration, conditions: [ready], lastAppliedRevision: revision };
      default:
        return undefined;
    }
  }
}
