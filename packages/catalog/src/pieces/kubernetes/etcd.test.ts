import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { contentOf, nodeInput } from '../../testing.ts';
import { etcd, etcdMemberScript, initialMembersFile } from './etcd.ts';

const root = mkdtempSync(join(tmpdir(), 'nova-etcd-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Records how it was started, and creates data. */
const fakeEtcd = `#!/bin/sh
echo "\${ETCD_INITIAL_CLUSTER_STATE:-member} \${ETCD_INITIAL_CLUSTER:-}" >"$FAKE/started"
mkdir -p "$FAKE/data/member/wal"
touch "$FAKE/data/member/wal/0.wal"
exec sleep 60
`;

/** Prints the members file, or fails without one. Removing a member deletes it from the file. */
const fakeEtcdctl = `#!/bin/sh
[ -e "$FAKE/members" ] || exit 1
for last; do :; done
case "$*" in
  *'member list'*) cat "$FAKE/members" ;;
  *'member remove'*) grep -v "^$last," "$FAKE/members" >"$FAKE/rest"; mv "$FAKE/rest" "$FAKE/members" ;;
esac
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'node-'));
  mkdirSync(join(folder, 'data'));
  program('etcd', fakeEtcd);
  program('etcdctl', fakeEtcdctl);
  program(
    'etcd-member',
    etcdMemberScript
      .replaceAll('/var/lib/etcd', join(folder, 'data'))
      .replaceAll('/etc/nova/kubernetes/etcd-member.conf', join(folder, 'conf'))
      .replaceAll('/etc/nova/etcd-founders', join(folder, 'initial-members')),
  );
  write('conf', `node=cp-2\npeer=https://10.0.0.2:2380\nothers=https://10.0.0.1:2379\netcdctl=${folder}/etcdctl\n`);
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function program(name: string, text: string): void {
  write(name, text);
  chmodSync(join(folder, name), 0o755);
}

/** Runs the script. Its processes end with the test. */
function run(): void {
  const child = spawn(join(folder, 'etcd-member'), [join(folder, 'etcd')], {
    env: { PATH: process.env.PATH, FAKE: folder },
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await gone;
  });
}

/** How etcd was started, if it was. */
function started(): string | undefined {
  const file = join(folder, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

const hasInitialMembersFile = () => existsSync(join(folder, 'initial-members'));
/** Longer than one pass of the script. */
const aWhile = 1900;

const initialMembers = 'cp-1=https://10.0.0.1:2380,cp-2=https://10.0.0.2:2380';
const first = '1a, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n';
const giveData = () => {
  mkdirSync(join(folder, 'data/member/wal'), { recursive: true });
  write('data/member/wal/0.wal', '');
};

test('a node with data starts as an existing member in any case', async () => {
  giveData();
  write('initial-members', initialMembers);
  write('members', first);
  run();
  await expect.poll(started).toBe('member');
  await expect.poll(hasInitialMembersFile).toBe(false);
});

test.each([
  ['no peer responds', undefined],
  ['the others have already started', `${first}2b, started, cp-2, https://10.0.0.2:2380, , false\n`],
])('an initial member starts a new cluster when %s, and only once', async (_when, members) => {
  write('initial-members', `${initialMembers}\n`);
  if (members !== undefined) write('members', members);
  run();
  await expect.poll(started).toBe(`new ${initialMembers}`);
  await expect.poll(hasInitialMembersFile).toBe(false);
});

test('other nodes never start a new cluster, even if no peer responds', async () => {
  run();
  await sleep(aWhile);
  expect(started()).toBeUndefined();
});

test('a node that is not a member waits until it is added', async () => {
  write('members', first);
  run();
  await sleep(300);
  expect(started()).toBeUndefined();
  write('members', `${first}2b, unstarted, , https://10.0.0.2:2380, , true\n`);
  await expect.poll(started).toBe(`existing ${initialMembers}`);
});

test('an initial member without its file joins as the listed member', async () => {
  write('members', `${first}2b, started, cp-2, https://10.0.0.2:2380, , false\n`);
  run();
  await expect.poll(started).toBe(`existing ${initialMembers}`);
});

test('a member that lost its data leaves and waits to be added again', async () => {
  write('members', `${first}2b, started, cp-2, https://10.0.0.2:2380, https://10.0.0.2:2379, false\n`);
  run();
  await expect.poll(() => readFileSync(join(folder, 'members'), 'utf8')).toBe(first);
  await sleep(aWhile);
  expect(started()).toBeUndefined();
});

test('the file of initial members lists all of them', () => {
  const members = [1, 2].map((number) => ({ name: `cp-${number}`, address: `10.0.0.${number}` }));
  expect(initialMembersFile(members).content).toBe(`${initialMembers}\n`);
});

test('the unit does not change with the members', () => {
  const unitOf = (count: number) => {
    const input = nodeInput();
    const [one] = input.plan.nodes;
    if (!one) throw new Error('no node');
    const nodes = Array.from({ length: count }, (_, index) => (index === 0 ? one : { ...one, name: `more-${index}` }));
    return etcd({ ...input, node: one, plan: { ...input.plan, nodes } });
  };
  const [alone, three] = [unitOf(1), unitOf(3)].map((resources) =>
    contentOf({ resources }, '/etc/systemd/system/etcd.service'),
  );
  expect(three).toBe(alone);
});
