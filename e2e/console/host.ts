import type { TestUniverse } from '@nova-platform/universe/testing';
import { startTestEngine, type TestEngine } from '@nova-platform/universe/testing/engine';
import { serveScreen } from './screen.ts';

const createdAt = '2026-11-18T09:00:00.000Z';
const gibibyte = 1024 ** 3;

/** An engine with machines of both kinds, networks, disks, snapshots and a template. */
export async function startHost(
  universe: TestUniverse,
  clusterNetwork: string,
): Promise<TestEngine & { keys: number[] }> {
  const engine = await startTestEngine(universe);
  const { addNetwork, addMachine, disks, snapshots, images } = engine;
  addNetwork('integration', '10.255.0.0/24');
  addNetwork('demo', clusterNetwork);
  addNetwork('lab', '10.30.0.0/24');
  addNetwork('quiet', '10.31.0.0/24');
  addMachine('universe', 'integration');
  for (const name of ['demo-main-1', 'demo-work-1', 'demo-work-2'])
    addMachine(name, 'demo', { image: 'kubernetes-node', cpu: 2, memoryMebibytes: 4096 });
  const vm = { kind: 'vm', image: 'debian' } as const;
  addMachine('web', 'lab', {
    ...vm,
    cpu: 4,
    memoryMebibytes: 4096,
    untilRestart: { cpu: 2, memoryMebibytes: 2048 },
    updates: { checkedAt: createdAt, all: ['libssl3', 'openssl', 'nano'], security: ['libssl3', 'openssl'] },
  });
  addMachine('db', 'lab', { memoryMebibytes: 2048 });
  addMachine('batch', 'lab', { ...vm, state: 'stopped' });
  addMachine('alone', undefined, { state: 'stopped' });
  const vmImage = { kind: 'vm' as const, layers: ['/layer'], isBuilt: true, digest: `sha256:${'b'.repeat(64)}` };
  images.push(
    { ...vmImage, name: 'debian', isTemplate: false, packagesFrom: createdAt },
    {
      ...vmImage,
      name: 'web-server',
      isTemplate: true,
      description: 'nginx, ready to use',
      createdAt,
      diskMebibytes: 12_288,
    },
  );
  const disk = { createdAt, usedBytes: 1.4 * gibibyte };
  disks.set('web-data', {
    ...disk,
    id: 'id-web-data',
    name: 'web-data',
    format: 'block',
    sizeMebibytes: 20_480,
    machine: 'web',
  });
  disks.set('db-data', {
    ...disk,
    id: 'id-db-data',
    name: 'db-data',
    format: 'filesystem',
    sizeMebibytes: 40_960,
    machine: 'db',
    path: '/var/lib/postgresql',
  });
  disks.set('archive', { ...disk, id: 'id-archive', name: 'archive', format: 'block', sizeMebibytes: 102_400 });
  snapshots.set('batch', [
    {
      id: 'id-before-upgrade',
      name: 'before-upgrade',
      description: 'Before the upgrade to Debian 14',
      createdAt,
      disks: ['archive'],
      isFrozen: true,
      usedBytes: 0.3 * gibibyte,
    },
    {
      id: 'id-after-upgrade',
      name: 'after-upgrade',
      description: '',
      createdAt,
      disks: [],
      isFrozen: false,
      usedBytes: 0.1 * gibibyte,
    },
  ]);
  const keys: number[] = [];
  engine.console = (socket, name, kind) => {
    if (kind === 'screen') serveScreen(socket, (key) => keys.push(key));
    else {
      socket.write(`Debian GNU/Linux 13 ${name} ttyS0\r\n\r\n${name} login: `);
      socket.pipe(socket);
    }
  };
  return Object.assign(engine, { keys });
}
