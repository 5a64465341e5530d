import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { gunzipSync } from 'node:zlib';

export interface Identity {
  name: string;
  /** PEM, like the key. */
  certificate: string;
  key: string;
}

/** Facts that differ between two runs of one agent. */
export interface Moment {
  uptimeSeconds: number;
  freeMemoryBytes: number;
  loadAverage: number;
  timestamp: string;
  expiration: string;
}

export type FactsOf = (name: string, moment: Moment) => object;

export interface CatalogLoad {
  perSecond: number;
  /** In milliseconds, like p99. */
  p50: number;
  p99: number;
  errors: number;
  /** CPU milliseconds per catalog of the simulated agents, which share the CPUs with the server. */
  ownMilliseconds: number;
}

interface SimulatedAgent {
  name: string;
  connection: Agent;
  url: URL;
  body: () => string;
}

interface Answer {
  status: number;
  gzip: boolean;
  body: Buffer;
}

/** Simulates agents that request their catalog again immediately, each over one persistent connection. */
export async function fetchCatalogs(options: {
  url: string;
  ca: string;
  identities: readonly Identity[];
  factsOf: FactsOf;
  /** How many identities send requests at the same time. */
  clients: number;
  seconds: number;
  /** The expected number of resources in a catalog, without stages and classes. */
  resources: number;
}): Promise<CatalogLoad> {
  if (options.identities.length < options.clients) throw new Error('every client needs an identity of its own');
  const agents = options.identities
    .slice(0, options.clients)
    .map((identity) => simulatedAgent(options.url, options.ca, identity, options.factsOf));
  try {
    // Not part of the measured time; also opens the connections.
    await Promise.all(agents.map((agent) => checkCatalog(agent, options.resources)));
    return await load(agents, options.seconds);
  } finally {
    for (const { connection } of agents) connection.destroy();
  }
}

async function load(agents: readonly SimulatedAgent[], seconds: number): Promise<CatalogLoad> {
  const taken: number[] = [];
  let errors = 0;
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  const deadline = started + seconds * 1000;
  const askUntilDeadline = async (agent: SimulatedAgent) => {
    for (let now = started; now < deadline; ) {
      const isGood = await ask(agent).then(looksGood, () => false);
      const answered = performance.now();
      if (isGood) taken.push(answered - now);
      else errors += 1;
      now = answered;
    }
  };
  await Promise.all(agents.map(askUntilDeadline));
  const elapsed = performance.now() - started;
  const { user, system } = process.threadCpuUsage(cpu);
  const sorted = taken.toSorted((a, b) => a - b);
  return {
    perSecond: (taken.length * 1000) / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    errors,
    ownMilliseconds: (user + system) / 1000 / taken.length,
  };
}

/** The smallest sample that is at least as large as this fraction of the samples. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

function looksGood({ status, body }: Answer): boolean {
  return status === 200 && body.length > 0;
}

async function checkCatalog(agent: SimulatedAgent, expected: number): Promise<void> {
  const { status, gzip, body } = await ask(agent);
  const text = (gzip ? gunzipSync(body) : body).toString();
  if (status !== 200) throw new Error(`${agent.name}: status ${status} instead of a catalog: ${text.slice(0, 500)}`);
  const { name, resources } = JSON.parse(text) as { name: string; resources: { type: string }[] };
  const count = resources.filter(({ type }) => type !== 'Stage' && type !== 'Class').length;
  if (name !== agent.name || count !== expected) {
    throw new Error(`${agent.name}: a catalog of ${name} with ${count} resources instead of ${expected}`);
  }
}

function simulatedAgent(
  url: string,
  ca: string,
  { name, certificate, key }: Identity,
  factsOf: FactsOf,
): SimulatedAgent {
  return {
    name,
    connection: new Agent({ ca, cert: certificate, key, keepAlive: true, maxSockets: 1 }),
    url: new URL(`/puppet/v3/catalog/${name}?environment=production`, url),
    body: catalogRequest(name, factsOf),
  };
}

const headers = {
  Accept: 'application/vnd.puppet.rich+json, application/json',
  'Accept-Encoding': 'gzip',
  'Content-Type': 'application/x-www-form-urlencoded',
  'User-Agent': 'Puppet/8.10.0 Ruby/3.2.5-p208 (x86_64-linux)',
  'X-Puppet-Version': '8.10.0',
};

const silenceMilliseconds = 60_000;

function ask({ connection, url, body }: SimulatedAgent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body();
    const call = request(url, {
      method: 'POST',
      agent: connection,
      headers: { ...headers, 'Content-Length': text.length },
      timeout: silenceMilliseconds,
    });
    call
      .on('response', (response) => collect(response.on('error', reject), resolve))
      .on('timeout', () => call.destroy(new Error('no answer')))
      .on('error', reject)
      // The text is pure ASCII and needs no further encoding.
      .end(text, 'latin1');
  });
}

function collect(response: IncomingMessage, resolve: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  response
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        gzip: response.headers['content-encoding'] === 'gzip',
        body: Buffer.concat(chunks),
      }),
    );
}

/**
 * Request bodies of an agent. The facts are encoded once, with marks at the values that change between runs: encoding
 * them for each request would take more CPU time than everything else an agent does.
 */
function catalogRequest(name: string, factsOf: FactsOf): () => string {
  const pieces = encodedTwice(JSON.stringify(factsOf(name, marks))).split(anyMark);
  const booted = Date.now() - 86_400_000;
  return () => {
    const now = currentMoment(booted);
    const facts = pieces.map((piece, index) => (index % 2 === 0 ? piece : now[piece])).join('');
    return `facts_format=application%2Fjson&facts=${facts}${otherFields}&transaction_uuid=${randomUUID()}`;
  };
}

const otherFields = [
  '',
  'environment=production',
  'configured_environment=production',
  'check_environment=true',
  'job_uuid=',
  'static_catalog=true',
  'checksum_type=sha256.sha384.sha512.sha224.md5',
].join('&');

/** Numbers and texts that occur in no fact and that encoding does not change. */
const marks: Moment = {
  uptimeSeconds: 7300000000001,
  freeMemoryBytes: 7300000000002,
  loadAverage: 7300000000003,
  timestamp: '7300000000004',
  expiration: '7300000000005',
};
const anyMark = /(730000000000[1-5])/;

/** Encoded values, by mark. */
function currentMoment(booted: number): Record<string, string> {
  const now = Date.now();
  return {
    [marks.uptimeSeconds]: String(Math.floor((now - booted) / 1000)),
    [marks.freeMemoryBytes]: String(4096 * Math.floor(1e6 * (1 + Math.random()))),
    [marks.loadAverage]: (4 * Math.random()).toFixed(2),
    [marks.timestamp]: encodedTwice(new Date(now).toISOString()),
    [marks.expiration]: encodedTwice(new Date(now + 1_800_000).toISOString()),
  };
}

function encodedTwice(text: string): string {
  return encodeURIComponent(encodeURIComponent(text));
}

/** Facts of a node with a few pods, comparable to facter's in number and size: 157 facts, 22 KB. */
export function simulatedFacts(name: string, moment: Moment): object {
  const values = {
    ...operatingSystem(name),
    ...hardware(moment),
    ...network(name),
    ...storage(name),
    system_uptime: { seconds: moment.uptimeSeconds, hours: 24, days: 1, uptime: '1 day' },
    uptime_seconds: moment.uptimeSeconds,
    uptime_hours: 24,
    uptime_days: 1,
    uptime: '1 day',
    load_averages: { '1m': moment.loadAverage, '5m': 0.52, '15m': 0.41 },
    ssh: Object.fromEntries(['ecdsa', 'ed25519', 'rsa'].map((type) => [type, hostKey(name, type)])),
    clientcert: name,
    clientversion: '8.10.0',
    clientnoop: false,
  };
  return { name, values, timestamp: moment.timestamp, expiration: moment.expiration };
}

function operatingSystem(name: string): Record<string, unknown> {
  const release = { full: '12.11', major: '12', minor: '11' };
  return {
    os: {
      name: 'Debian',
      family: 'Debian',
      release,
      distro: { id: 'Debian', codename: 'bookworm', description: 'Debian GNU/Linux 12 (bookworm)', release },
      architecture: 'amd64',
      hardware: 'x86_64',
      selinux: { enabled: false },
    },
    operatingsystem: 'Debian',
    operatingsystemrelease: release.full,
    operatingsystemmajrelease: release.major,
    osfamily: 'Debian',
    lsbdistcodename: 'bookworm',
    lsbdistdescription: 'Debian GNU/Linux 12 (bookworm)',
    lsbdistid: 'Debian',
    lsbdistrelease: release.full,
    lsbmajdistrelease: release.major,
    kernel: 'Linux',
    kernelrelease: '6.1.0-35-amd64',
    kernelversion: '6.1.0',
    kernelmajversion: '6.1',
    architecture: 'amd64',
    hardwaremodel: 'x86_64',
    hardwareisa: 'unknown',
    hostname: name.split('.')[0],
    fqdn: name,
    identity: { uid: 0, gid: 0, user: 'root', group: 'root', privileged: true },
    id: 'root',
    gid: 'root',
    path: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/puppetlabs/bin',
    timezone: 'UTC',
    selinux: false,
    fips_enabled: false,
    is_virtual: true,
    virtual: 'kvm',
    hypervisors: { kvm: {} },
    puppetversion: '8.10.0',
    facterversion: '4.10.0',
    ruby: { platform: 'x86_64-linux', version: '3.2.5', sitedir: '/usr/local/lib/site_ruby/3.2.0' },
    augeas: { version: '1.14.0' },
    filesystems: 'btrfs,ext2,ext3,ext4,squashfs,vfat,xfs',
  };
}

function hardware(moment: Moment): Record<string, unknown> {
  const model = 'Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz';
  const models = Array.from({ length: 8 }, () => model);
  return {
    processors: { count: 8, physicalcount: 1, cores: 4, threads: 2, isa: 'unknown', models, speed: '2.90 GHz' },
    processorcount: 8,
    physicalprocessorcount: 1,
    ...Object.fromEntries(models.map((each, index) => [`processor${index}`, each])),
    memory: {
      system: {
        total: '15.64 GiB',
        total_bytes: 16793403392,
        available: '7.13 GiB',
        available_bytes: moment.freeMemoryBytes,
      },
    },
    memoryfree: '7.13 GiB',
    memorysize: '15.64 GiB',
    memorysize_mb: 16015.44,
    dmi: {
      bios: { vendor: 'SeaBIOS', version: '1.16.2-1', release_date: '04/01/2014' },
      manufacturer: 'QEMU',
      product: { name: 'Standard PC (Q35 + ICH9, 2009)', uuid: '4c4c4544-0035-5310-8052-c4c04f4d3732' },
    },
    manufacturer: 'QEMU',
    productname: 'Standard PC (Q35 + ICH9, 2009)',
    bios_vendor: 'SeaBIOS',
    bios_version: '1.16.2-1',
  };
}

/** Structured facts, and the legacy flat facts that agents still send. */
function network(name: string): Record<string, unknown> {
  const names = ['lo', 'eth0', 'cni0', ...Array.from({ length: 6 }, (_, index) => `veth${digest(name, index, 8)}`)];
  const interfaces = names.map((each, index) => {
    const v4 = { address: `10.${index}.0.12`, netmask: '255.255.255.0', network: `10.${index}.0.0` };
    const v6 = { address: `fe80::${digest(name, each, 4)}:1`, netmask: 'ffff:ffff:ffff:ffff::', network: 'fe80::' };
    return { name: each, v4, v6, mac: digest(name, each, 12).replace(/(..)(?!$)/g, '$1:') };
  });
  const structured = interfaces.map(({ name: each, v4, v6, mac }) => {
    const first = { ip: v4.address, netmask: v4.netmask, network: v4.network };
    const first6 = { ip6: v6.address, netmask6: v6.netmask, network6: v6.network, scope6: 'link' };
    return [each, { ...first, ...first6, mac, mtu: 1450, bindings: [v4], bindings6: [{ ...v6, scope6: 'link' }] }];
  });
  const flat = interfaces.flatMap(({ name: each, v4, v6, mac }) => [
    [`ipaddress_${each}`, v4.address],
    [`netmask_${each}`, v4.netmask],
    [`network_${each}`, v4.network],
    [`ipaddress6_${each}`, v6.address],
    [`netmask6_${each}`, v6.netmask],
    [`network6_${each}`, v6.network],
    [`scope6_${each}`, 'link'],
    [`macaddress_${each}`, mac],
    [`mtu_${each}`, 1450],
  ]);
  return {
    networking: {
      hostname: name.split('.')[0],
      fqdn: name,
      primary: 'eth0',
      interfaces: Object.fromEntries(structured),
    },
    interfaces: names.join(','),
    ...Object.fromEntries(flat),
  };
}

/** Every pod mounts its token and the shared memory of its containers. */
function storage(name: string): Record<string, unknown> {
  const size = { size: '7.82 GiB', size_bytes: 8396701696, available: '7.82 GiB', available_bytes: 8396701696 };
  const mount = { ...size, used: '0 bytes', used_bytes: 0, capacity: '0%', filesystem: 'tmpfs', device: 'tmpfs' };
  const pods = Array.from({ length: 13 }, (_, index) => digest(name, index, 40));
  const mountpoints = ['/', '/boot', '/run', '/tmp', ...pods.flatMap(podMounts)];
  const disk = { size: '40.00 GiB', size_bytes: 42949672960, vendor: '0x1af4', model: 'virtio', type: 'hdd' };
  return {
    mountpoints: Object.fromEntries(
      mountpoints.map((each) => [each, { ...mount, options: ['rw', 'nosuid', 'nodev', 'relatime', 'inode64'] }]),
    ),
    disks: { vda: disk, vdb: disk },
    blockdevices: 'vda,vdb',
    ...Object.fromEntries(
      ['vda', 'vdb'].flatMap((each) => [
        [`blockdevice_${each}_size`, disk.size_bytes],
        [`blockdevice_${each}_vendor`, disk.vendor],
        [`blockdevice_${each}_model`, disk.model],
      ]),
    ),
    partitions: { '/dev/vda1': { mount: '/', filesystem: 'ext4', size: '39.90 GiB', size_bytes: 42842714112 } },
  };
}

function podMounts(pod: string): string[] {
  return [
    `/var/lib/kubelet/pods/${pod}/volumes/kubernetes.io~projected/kube-api-access-${pod.slice(0, 5)}`,
    `/run/containerd/io.containerd.grpc.v1.cri/sandboxes/${pod}/shm`,
  ];
}

function hostKey(name: string, type: string): object {
  const fingerprints = { sha1: `SSHFP 1 1 ${digest(name, type, 40)}`, sha256: `SSHFP 1 2 ${digest(name, type, 64)}` };
  return { type: `ssh-${type}`, key: digest(name, type, 64).repeat(3), fingerprints };
}

/** Stable for an agent and different between agents, like the real value. */
function digest(name: string, of: string | number, length: number): string {
  return createHash('sha256').update(`${name} ${of}`).digest('hex').slice(0, length);
}
