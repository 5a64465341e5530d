import { parseArgs } from 'node:util';
import { createTestEngine } from '@nova-platform/contracts/engine/testing';
import { connectEngine, startTestApi } from '../packages/ovirt/src/testing/serve.ts';
import { mutateBytes, pick } from './fuzz-requests-mutations.ts';
import { type Random, randomFrom } from './mutate.ts';

export interface OvirtFuzzReport {
  requests: number;
  statuses: Record<string, number>;
  slowestMilliseconds: number;
  memoryMegabytes: { middle: number; end: number };
  seconds: number;
}

const slowest = 5000;
const growthLimitMegabytes = 100;
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** Bodies of real clients, as the start of mutations. */
const bodies = [
  '<vm><name>x1</name><cluster><name>Default</name></cluster><template><name>node</name></template><memory>1073741824</memory><cpu><topology><cores>2</cores></topology></cpu><initialization><host_name>x</host_name><custom_script>write_files: []</custom_script><nic_configurations><nic_configuration><boot_protocol>static</boot_protocol><ip><address>10.30.0.9</address></ip></nic_configuration></nic_configurations></initialization></vm>',
  '<vm><comment>c</comment><description>d</description><memory>536870912</memory></vm>',
  '<action><vm><initialization><host_name>y</host_name></initialization></vm><use_cloud_init>true</use_cloud_init></action>',
  '<action><snapshot id="SNAPSHOT"/></action>',
  '<action><vm><name>x2</name></vm></action>',
  '<nic><name>nic1</name><vnic_profile><name>lab</name></vnic_profile></nic>',
  '<disk><alias>d1</alias><provisioned_size>1073741824</provisioned_size><format>cow</format><storage_domains><storage_domain><name>local</name></storage_domain></storage_domains></disk>',
  '<disk_attachment><active>true</active><interface>virtio</interface><disk><alias>d2</alias><provisioned_size>1073741824</provisioned_size></disk></disk_attachment>',
  '<snapshot><description>s</description></snapshot>',
  '<tag><name>t</name><description>d</description></tag>',
  '<affinity_group><name>g</name><positive>true</positive><vms><vm id="VM"/></vms></affinity_group>',
  '<template><name>t1</name><vm id="VM"/></template>',
  '<vnic_profile><name>p</name><network id="NETWORK"/></vnic_profile>',
  '{"name":"x3","cluster":{"name":"Default"},"template":{"name":"node"}}',
  '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><vm><name>&b;</name></vm>',
  `${'<a>'.repeat(50)}`,
];
/** Where the first bodies belong. */
const targets: readonly [path: RegExp, body: number][] = [
  [/^\/vms$/, 0],
  [/^\/vms\/[^/]+$/, 1],
  [/\/start$/, 2],
  [/\/previewsnapshot$/, 3],
  [/\/clone$/, 4],
  [/\/nics$/, 5],
  [/\/disks$/, 6],
  [/\/diskattachments$/, 7],
  [/\/snapshots$/, 8],
  [/\/tags$/, 9],
  [/\/affinitygroups$/, 10],
  [/\/templates$/, 11],
  [/\/vnicprofiles$/, 12],
];
const searches = [
  'name=x* and status=down sortby name page 1',
  'tag=t or memory>1',
  '(name=a or name=b) and status!=up',
  'correlation_id=c',
];
const segments = [
  'vms',
  'templates',
  'disks',
  'nics',
  'diskattachments',
  'snapshots',
  'tags',
  'jobs',
  'events',
  'clusters',
  'affinitygroups',
  'start',
  'stop',
  'clone',
  'previewsnapshot',
  'restore',
  '...',
  '%00',
  '%2f',
  'x'.repeat(3000),
  '__proto__',
];

/** Sends mutated requests to the API with an engine in memory; throws what it finds. */
export async function fuzzOvirt(
  requests: number,
  firstSeed: number,
  progress = (_done: number) => {},
): Promise<OvirtFuzzReport> {
  const engine = await createTestEngine();
  const api = await startTestApi(await connectEngine(engine));
  const findings = new Map<string, string>();
  const statuses: Record<string, number> = {};
  const started = Date.now();
  let longest = 0;
  let middle = 0;
  const crash = (error: unknown) => findings.set('unhandled', String((error as Error)?.stack ?? error));
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  try {
    engine.addNetwork('lab', '10.30.0.0/24');
    for (let index = 0; index < 5; index += 1)
      engine.addMachine(`m${index}`, 'lab', { state: index % 2 ? 'running' : 'stopped' });
    let paths = await knownPaths(api);
    for (let seed = firstSeed; seed < firstSeed + requests; seed += 1) {
      const random = randomFrom(seed);
      // What requests have created gets requests too.
      if (seed % 500 === 0) paths = await knownPaths(api);
      const { method, path, body, headers } = request(random, paths);
      const before = performance.now();
      const { status, text } = await api.request(method, path, body, headers);
      longest = Math.max(longest, performance.now() - before);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const isFault = /^(<\?xml[^>]*>\n<fault><reason>|\{"reason":)/.test(text);
      const problem =
        (status >= 500 && 'an internal error') ||
        (status >= 400 && !isFault && 'an error that is no fault') ||
        (/\n\s+at .*:\d+:\d+|node_modules|\.ts:/.test(text) && 'a stack') ||
        (/<html/i.test(text) && !body?.includes('html') && 'HTML');
      if (problem && findings.size < 20)
        findings.set(
          `${problem} ${status} ${method}`,
          `seed ${seed}: ${method} ${path.slice(0, 200)} ${JSON.stringify(body?.slice(0, 500))}: ${text.slice(0, 500)}`,
        );
      if (seed - firstSeed === Math.floor(requests / 2)) middle = resident();
      progress(seed - firstSeed + 1);
    }
    const { status } = await api.request('GET', '');
    if (status !== 200) findings.set('end', `the API does not work any more: ${status}`);
    const report = {
      requests,
      statuses,
      slowestMilliseconds: Math.round(longest),
      memoryMegabytes: { middle, end: resident() },
      seconds: Math.round((Date.now() - started) / 1000),
    };
    if (longest > slowest) findings.set('slow', `a request took ${report.slowestMilliseconds} ms`);
    if (requests > 50_000 && report.memoryMegabytes.end > middle + growthLimitMegabytes)
      findings.set('memory', JSON.stringify(report.memoryMegabytes));
    if (findings.size > 0)
      throw new Error([...findings.entries()].map(([kind, what]) => `${kind}: ${what}`).join('\n\n'));
    return report;
  } finally {
    process.off('uncaughtException', crash).off('unhandledRejection', crash);
    await api.close();
    await engine.close();
  }
}

type Api = Awaited<ReturnType<typeof startTestApi>>;

const collections = [
  '/vms',
  '/templates',
  '/disks',
  '/networks',
  '/vnicprofiles',
  '/clusters',
  '/hosts',
  '/tags',
  '/jobs',
  '/events',
  '/storagedomains',
  '/datacenters',
  '/users',
  '/permissions',
];

async function knownPaths(api: Api): Promise<string[]> {
  const paths = new Set(collections);
  for (const path of collections) {
    const { text } = await api.request('GET', `${path}?max=5`);
    for (const [, href = ''] of text.matchAll(/href="\/ovirt-engine\/api([^"]*)"/g)) paths.add(href);
  }
  return [...paths];
}

function request(random: Random, paths: readonly string[]) {
  const method = pick(methods, random);
  let path = pick(paths, random);
  if (random(4) === 0) path += `/${pick(segments, random)}`;
  if (random(8) === 0)
    path = path
      .split('/')
      .toSpliced(1 + random(4), 1, pick(segments, random))
      .join('/');
  const query: string[] = [];
  if (random(4) === 0) query.push(`search=${encodeURIComponent(damaged(pick(searches, random), random))}`);
  if (random(6) === 0)
    query.push(`follow=${encodeURIComponent(damaged('nics,disk_attachments.disk,template', random))}`);
  if (random(10) === 0) query.push(`max=${damaged('5', random).replace(/[^\d-]/g, 'x')}`);
  const id = /[0-9a-f-]{36}/.exec(pick(paths, random))?.[0] ?? 'x';
  const own = targets.find(([pattern]) => pattern.test(path))?.[1];
  const fitting = own === undefined || random(4) === 0 ? pick(bodies, random) : (bodies[own] ?? '');
  const plain = fitting
    .replace(/(?<=<name>|<alias>)\w\d?(?=<)/, (name) => `${name}${random(50)}`)
    .replace(/VM|SNAPSHOT|NETWORK/, id);
  const body = method === 'GET' ? undefined : random(4) === 0 ? plain : damaged(plain, random);
  const headers: Record<string, string> = {
    ...(plain.startsWith('{') && { 'content-type': 'application/json' }),
    ...(random(20) === 0 && { accept: 'application/json' }),
    ...(random(30) === 0 && { version: damaged('4', random).replace(/[^\x20-\x7e]/g, '?') }),
    ...(random(20) === 0 && { authorization: pick(['Bearer wrong', 'Basic x', 'Bearer reader'], random) }),
    ...(random(40) === 0 && {
      'content-type': pick(['text/html', 'multipart/form-data', 'application/xml; charset=utf-16'], random),
    }),
  };
  return { method, path: `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, body, headers };
}

function damaged(text: string, random: Random): string {
  return mutateBytes(Buffer.from(text), random).toString('utf8');
}

function resident(): number {
  return Math.round(process.memoryUsage().rss / 1024 ** 2);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  });
  const [requests, seed] = [Number(values.requests), Number(values.seed)];
  console.log(`${requests} mutated requests, first seed ${seed} (--seed ${seed} repeats them)`);
  let next = 10_000;
  const report = await fuzzOvirt(requests, seed, (done) => {
    if (done < next) return;
    console.log(`${next} done`);
    next += 10_000;
  });
  console.log(JSON.stringify(report, null, 2));
  console.log('No crash, no internal error, only faults, memory bounded.');
}
