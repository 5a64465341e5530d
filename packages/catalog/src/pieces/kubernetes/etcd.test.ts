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

/** Says as what it was started, and has data from then on. */
const fakeEtcd = `#!/bin/sh
echo "\${ETCD_INITIAL_CLUSTER_STATE:-member} \${ETCD_INITIAL_CLUSTER:-}" >"$FAKE/started"
mkdir -p "$FAKE/data/member/wal"
touch "$FAKE/data/member/wal/0.wal"
exec sleep 60
`;

/** Answers what the file says, or nothing where there is none; removing a member takes it out of the file. */
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
      .replaceAll('/etc/nova/etcd-founders', join(folder, 'founders')),
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

/** Runs it; whatever it started ends with the test. */
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

/** As what etcd was started, if it was. */
function started(): string | undefined {
  const file = join(folder, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

const isFounder = () => existsSync(join(folder, 'founders'));
/** Longer than it takes to look at everything once. */
const aWhile = 1900;

const founders = 'cp-1=https://10.0.0.1:2380,cp-2=https://10.0.0.2:2380';
const first = '1a, started, cp-1, https://10.0.0.1:2380, https://10.0.0.1:2379, false\n';
const giveData = () => {
  mkdirSync(join(folder, 'data/member/wal'), { recursive: true });
  write('data/member/wal/0.wal', '');
};

test('one that has data is a member, whatever else is there', async () => {
  giveData();
  write('founders', founders);
  write('members', first);
  run();
  await expect.poll(started).toBe('member');
  await expect.poll(isFounder).toBe(false);
});

test.each([
  ['nobody answers', undefined],
  ['the others have begun already', `${first}2b, started, cp-2, https://10.0.0.2:2380, , false\n`],
])('a founder starts as new when %s, and is one only once', async (_when, members) => {
  write('founders', `${founders}\n`);
  if (members !== undefined) write('members', members);
  run();
  await expect.poll(started).toBe(`new ${founders}`);
  await expect.poll(isFounder).toBe(false);
});

test('others never begin a store, also when nobody answers', async () => {
  run();
  await sleep(aWhile);
  expect(started()).toBeUndefined();
});

test('one that is not a member waits until it is added', async () => {
  write('members', first);
  run();
  await sleep(300);
  expect(started()).toBeUndefined();
  write('members', `${first}2b, unstarted, , https://10.0.0.2:2380, , true\n`);
  await expect.poll(started).toBe(`existing ${founders}`);
});

test('one that was made for a new store and came late joins as what it is listed', async () => {
  write('members', `${first}2b, started, cp-2, https://10.0.0.2:2380, , false\n`);
  run();
  await expect.poll(started).toBe(`existing ${founders}`);
});

test('a member whose data is gone leaves, and waits to be added anew', async () => {
  write('members', `${first}2b, started, cp-2, https://10.0.0.2:2380, https://10.0.0.2:2379, false\n`);
  run();
  await expect.poll(() => readFileSync(join(folder, 'members'), 'utf8')).toBe(first);
  await sleep(aWhile);
  expect(started()).toBeUndefined();
});

test('founders are told to each other', () => {
  const members = [1, 2].map((number) => ({ name: `cp-${number}`, address: `10.0.0.${number}` }));
  expect(initialMembersFile(members).content).toBe(`${founders}\n`);
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
