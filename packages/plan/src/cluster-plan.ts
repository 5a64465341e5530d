import { formatted, infrastructure, machineKinds, ProblemError, problem, providers, proxy } from '@nova-platform/api';
import { z } from 'zod';

const taint = z.strictObject({ key: z.string(), value: z.string().optional(), effect: z.string() });

/** Absent in plans of earlier versions, whose machines are containers, and while the kind is not known yet. */
const machineKind = z.enum(machineKinds).optional();

const node = z.strictObject({
  name: z.string(),
  group: z.string(),
  machineKind,
  roles: z.array(z.enum(['control-plane', 'infra', 'ingress', 'worker'])),
  address: z.ipv4(),
  /** The published address, for infra and ingress nodes. */
  externalAddress: z.ipv4().optional(),
  podNetwork: z.cidrv4(),
  cpu: z.int(),
  memory: z.string(),
  disk: z.string(),
  labels: z.record(z.string(), z.string()),
  taints: z.array(taint),
});

const name = z.strictObject({ name: z.string(), addresses: z.array(z.ipv4()) });

/** Networks that the platform creates: the five stages from the integration network to the interceptor. */
const sdn = z.strictObject({
  kind: z.literal('sdn'),
  /** Stages 1 and 2, the same for all clusters: the integration network, and Universe published from it. */
  integration: z.strictObject({
    network: z.cidrv4(),
    router: z.ipv4(),
    universe: z.strictObject({ address: z.ipv4(), externalAddress: z.ipv4() }),
  }),
  /** Stage 3: the network of the nodes and its router with SNAT. */
  service: z.strictObject({ name: z.string(), network: z.cidrv4(), gateway: z.ipv4() }),
  router: z.strictObject({ name: z.string(), externalAddress: z.ipv4(), transitAddress: z.ipv4() }),
  external: z.strictObject({ network: z.cidrv4(), gateway: z.ipv4() }),
  snat: z.strictObject({ from: z.cidrv4(), to: z.ipv4(), exempt: z.array(z.cidrv4()) }),
  published: z.array(
    z.strictObject({
      name: z.string(),
      externalAddress: z.ipv4(),
      address: z.ipv4(),
      /** Ports that are reachable from outside: `80/tcp`. Absent in plans of earlier versions. */
      ports: z.array(formatted('port')).optional(),
    }),
  ),
  /** Stage 4: the link to the transit network, and the routes that make Universe and nodes reach each other. */
  transit: z.strictObject({ network: z.cidrv4() }),
  routes: z.array(z.strictObject({ router: z.string(), network: z.cidrv4(), via: z.ipv4() })),
  /** Stage 5: names that are resolved whichever DNS server a query is sent to. */
  interceptor: z.array(name),
});

/** Existing networks; names are written to the hosts files of the nodes. */
const siteNetwork = z.strictObject({
  kind: z.literal('site'),
  network: z.cidrv4(),
  gateway: z.ipv4().optional(),
  hosts: z.array(name),
});

const api = z.strictObject({
  port: z.int(),
  /** The address for nodes. */
  address: z.ipv4(),
  /** The address for users. */
  externalAddress: z.ipv4(),
  fqdn: z.string().optional(),
  balancing: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('sdn'), backends: z.array(z.ipv4()), healthCheckSource: z.ipv4() }),
    z.strictObject({ by: z.literal('external'), backends: z.array(z.ipv4()) }),
    z.strictObject({ by: z.literal('none'), backends: z.array(z.ipv4()) }),
  ]),
});

const services = z.strictObject({
  podNetwork: z.cidrv4(),
  serviceNetwork: z.cidrv4(),
  kubernetes: z.ipv4(),
  kubeDns: z.ipv4(),
  novaDns: z.ipv4(),
});

const zone = z.strictObject({
  name: z.string(),
  answeredBy: z.enum(['coredns', 'nova-dns', 'forward']),
  records: z
    .array(z.strictObject({ name: z.string(), type: z.enum(['A', 'CNAME']), values: z.array(z.string()) }))
    .optional(),
  servers: z.array(z.string()).optional(),
});

const subject = z.strictObject({ commonName: z.string(), organizations: z.array(z.string()) });

const keyLocation = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('universe') }),
  z.strictObject({ in: z.literal('node'), node: z.string(), path: z.string() }),
  z.strictObject({ in: z.literal('secret'), namespace: z.string(), name: z.string() }),
]);

const authority = z.strictObject({ name: z.string(), subject, lifetimeHours: z.int(), key: keyLocation });

const certificate = z.strictObject({
  name: z.string(),
  node: z.string().optional(),
  issuer: z.string(),
  subject,
  dnsNames: z.array(z.string()),
  addresses: z.array(z.ipv4()),
  usages: z.array(z.enum(['server auth', 'client auth'])),
  lifetimeHours: z.number().positive(),
  key: keyLocation,
});

const module = z.strictObject({
  name: z.string(),
  category: z.enum(['base', 'additional']),
  needs: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
});

/** Everything that will exist for a cluster, before anything does. */
export const clusterPlan = z
  .strictObject({
    planVersion: z.literal(1),
    cluster: z.strictObject({
      name: z.string(),
      provider: z.enum(providers),
      /** Of nodes whose group declares none. It stays as it is when the host changes. */
      machineKind,
      kubernetesVersion: z.string(),
      topology: z.enum(['SingleReplica', 'HighlyAvailable']),
      cni: z.string(),
      kubeProxyMode: z.string(),
    }),
    nodes: z.array(node),
    network: z.discriminatedUnion('kind', [sdn, siteNetwork]),
    api,
    services,
    dns: z.strictObject({ mode: z.enum(['internal', 'external']), baseDomain: z.string(), zones: z.array(zone) }),
    authorities: z.array(authority),
    certificates: z.array(certificate),
    /** Keys that several nodes share; their values are never in a plan. */
    sharedKeys: z.array(z.strictObject({ name: z.string(), nodes: z.array(z.string()), path: z.string() })),
    /** Digests of core images by name, from the registry at the time of approval. */
    images: z.record(z.string(), z.string()).optional(),
    /** The platform release that modules come from; absent without one. */
    release: z.string().optional(),
    modules: z.array(module),
    proxy: z
      .strictObject({
        http: z.string().optional(),
        https: z.string().optional(),
        noProxy: z.array(z.string()),
        /** Certificates to trust for the proxy: PEM in base64. */
        trustedCA: z.string().optional(),
      })
      .optional(),
    /** The declaration behind the plan; secrets are masked. */
    declared: infrastructure.schema.shape.spec,
    /** The same for the proxy. */
    declaredProxy: proxy.schema.shape.spec.optional(),
  })
  .meta({ id: 'ClusterPlan' });

export type ClusterPlan = z.output<typeof clusterPlan>;
export type PlannedNode = z.output<typeof node>;
export type PlannedCertificate = z.output<typeof certificate>;
export type PlannedZone = z.output<typeof zone>;
export type SdnPlan = z.output<typeof sdn>;

/** Reads a plan that was saved as JSON, alone or together with its changes. */
export function readPlan(text: string): ClusterPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProblemError(problem('NOVA5002', { reason: { en: 'the file is not JSON', ru: 'файл — не JSON' } }));
  }
  const result = clusterPlan.safeParse((value as { plan?: unknown } | null)?.plan ?? value);
  if (result.success) return result.data;
  const where = mismatchOf(result.error) || 'planVersion';
  throw new ProblemError(
    problem('NOVA5002', { reason: { en: `the field ${where} is not valid`, ru: `неверное поле ${where}` } }),
  );
}

/** The first field that does not match. */
export function mismatchOf({ issues: [first] }: z.ZodError): string {
  const key = first?.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : [];
  return [...(first?.path ?? []), ...key].join('.');
}
