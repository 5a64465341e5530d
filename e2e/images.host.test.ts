import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { registryClient } from '@nova-platform/contracts/registry/client';
import { type Component, chooseComponents, readComponents } from '@nova-platform/distro';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { novaCtl, type Outcome, root, temporaryFolder } from './nova-ctl.ts';

/** The components that ordinary tests build; all of them take half an hour (`npm run test:components`). */
const names = process.env.NOVA_TEST_COMPONENTS?.split(' ') ?? ['pause', 'nettest', 'distribution'];
const components = (await readComponents()).filter(({ images }) => images.length > 0);
const tested = names[0] === 'all' ? components : chooseComponents(components, names);

const folder = temporaryFolder();
const env = {
  NOVA_CONFIG_SOCKET: join(folder.path, 'config.sock'),
  NOVA_REGISTRY_SOCKET: join(folder.path, 'registry.sock'),
};
const hub = 'hub.universe.nova.internal:5000';
const node = { name: 'demo-main-1', address: '10.44.0.10' };
const servers: ChildProcess[] = [];

async function serve(...args: string[]): Promise<void> {
  const child = spawn(join(root, 'nova-ctl'), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  servers.push(child);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stdout.once('data', () => resolve());
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    child.once('exit', () => reject(new Error(log)));
  });
}

async function succeed(...args: string[]): Promise<string> {
  const outcome = await novaCtl(args, { env });
  expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome.stdout;
}

const inside = (command: string): Promise<Outcome> =>
  novaCtl(['machine', 'exec', node.name, '--', 'sh', '-c', command]);
const ctr = (command: string) => inside(`ctr --namespace test ${command} 2>&1`);
const pull = (image: string, ...options: string[]) => ctr(`images pull ${options.join(' ')} ${hub}/nova/${image}`);

beforeAll(async () => {
  const manifest = join(folder.path, 'cluster.yaml');
  writeFileSync(
    manifest,
    `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: container }
  nodeGroups: [{ name: main, roles: [control-plane, infra, ingress, worker] }]
  clusterConfiguration: { dnsBaseDomain: demo.nova.local, nodeNetwork: 10.44.0.0/24 }
`,
  );
  await succeed('host', 'up');
  await succeed('component', 'build', 'kubernetes', 'etcd');
  await succeed('image', 'build', 'kubernetes-node');
  await succeed('network', 'create', 'images', '--cidr', '10.44.0.0/24');
  await engineClient.changeOpenPorts(['8140/tcp', '5000/tcp', '15001/tcp']);
  const names = [{ name: 'hub.universe.nova.internal', addresses: ['172.30.0.1'] }];
  await engineClient.changeNetwork('images', { names });
  await succeed('component', 'build', 'distribution', ...tested.map(({ name }) => name));
  await serve('config', 'serve', '--data', join(folder.path, 'config'));
  await serve('registry', 'serve', '--data', join(folder.path, 'registry'));
  await succeed('registry', 'import', ...tested.map(({ name }) => name));
  await succeed('config', 'apply', '-f', manifest, '--yes');
  const cloudConfig = join(folder.path, 'node.yaml');
  await succeed('config', 'token', 'create', '--node', node.name, '--cloud-config', cloudConfig);
  await succeed(
    'machine',
    'create',
    node.name,
    '--image',
    'kubernetes-node',
    '--network',
    'images',
    '--address',
    node.address,
    '--memory',
    '2Gi',
    '--cloud-config',
    cloudConfig,
  );
  for (let tries = 0; (await succeed('node', 'reports', node.name, '-o', 'json')).trim() === '[]'; tries += 1) {
    if (tries > 120) throw new Error('the node did not report');
    await sleep(500);
  }
});

afterAll(async () => {
  for (const child of servers.filter(({ exitCode }) => exitCode === null)) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await gone;
  }
  await novaCtl(['host', 'down']);
  folder.remove();
});

test("every image is pulled with the node's certificate, starts, and reports its version", {
  timeout: 1_200_000,
}, async () => {
  const failures: string[] = [];
  for (const component of tested) {
    for (const image of component.images) {
      const failure = await tryImage(component, image);
      if (failure) failures.push(`${image.name}: ${failure}`);
    }
  }
  expect(failures).toEqual([]);
});

async function tryImage({ version }: Component, image: Component['images'][number]): Promise<string | undefined> {
  const reference = `${hub}/nova/${image.name}:${version}`;
  const pulled = await pull(`${image.name}:${version}`, '--hosts-dir /etc/containerd/certs.d');
  if (pulled.exitCode !== 0) return pulled.stdout;
  const run = (options: string, args: readonly string[]) =>
    ctr(`run --rm --net-host ${options} ${reference} try-${image.name} ${[...image.entrypoint, ...args].join(' ')}`);
  try {
    if (image.check) {
      const { exitCode, stdout } = await run('', image.check);
      return exitCode === 0 ? undefined : stdout;
    }
    if (!image.health) return 'it declares neither `check` nor `health`';
    const { port, path } = image.health;
    await run('--detach', image.health.arguments);
    const { exitCode, stdout } = await inside(
      `for try in $(seq 50); do curl -sfk http://127.0.0.1:${port}${path} && exit 0; sleep 0.2; done; exit 1`,
    );
    return exitCode === 0 ? undefined : `no answer at ${path}: ${stdout}`;
  } finally {
    await ctr(`task kill --signal SIGKILL try-${image.name}; ctr --namespace test container delete try-${image.name}`);
    await ctr(`images remove ${reference}`);
  }
}

test('a node cannot pull without its certificate, and cannot push with it', async () => {
  const { version = '' } = tested.find(({ name }) => name === 'pause') ?? {};
  expect((await pull(`pause:${version}`)).exitCode).not.toBe(0);
  expect(await pull(`pause:${version}`, '--hosts-dir /etc/containerd/certs.d')).toMatchObject({ exitCode: 0 });
  const pushed = await ctr(
    `images push --hosts-dir /etc/containerd/certs.d ${hub}/nova/evil:1 ${hub}/nova/pause:${version}`,
  );
  expect(pushed.exitCode).not.toBe(0);
  expect(await succeed('registry', 'list', '-o', 'json')).not.toContain('evil');
});

test('containerd pushes images with the registry password, and pulls them again', async () => {
  const { version = '' } = tested.find(({ name }) => name === 'pause') ?? {};
  const { url, username, password } = await registryClient(env.NOVA_REGISTRY_SOCKET).access();
  // The write endpoint is only on loopback; the test forwards it to its machine.
  const way = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on('error', () => each.destroy());
  });
  await new Promise<void>((resolve) => way.listen(15001, '172.30.0.1', resolve));
  try {
    const source = `${hub}/nova/pause:${version}`;
    expect(await pull(`pause:${version}`, '--hosts-dir /etc/containerd/certs.d')).toMatchObject({ exitCode: 0 });
    const push = (secret: string) =>
      ctr(`images push --plain-http --user ${username}:${secret} 172.30.0.1:15001/tools/containerd:1 ${source}`);
    expect((await push('guessed')).exitCode).not.toBe(0);
    expect(await push(password)).toMatchObject({ exitCode: 0 });
  } finally {
    way.close();
  }
  expect(await succeed('registry', 'list')).toContain('tools/containerd');
  const pulled = await ctr(`images pull --hosts-dir /etc/containerd/certs.d ${hub}/tools/containerd:1`);
  expect(pulled).toMatchObject({ exitCode: 0 });
});

test('a revoked node can no longer pull', async () => {
  const { version = '' } = tested.find(({ name }) => name === 'pause') ?? {};
  const pause = () => pull(`pause:${version}`, '--hosts-dir /etc/containerd/certs.d');
  expect(await pause()).toMatchObject({ exitCode: 0 });
  await succeed('node', 'revoke', node.name);
  await ctr(`images remove ${hub}/nova/pause:${version}`);
  const refused = await pause();
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stdout).toMatch(/403|denied|revoked/i);
});
