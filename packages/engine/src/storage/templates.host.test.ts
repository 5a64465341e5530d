import { writeFile } from 'node:fs/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, inside, program } from '../testing.ts';

const say = () => undefined;
const machine = { image: 'node', memoryMebibytes: 256 };
const folder = '/var/lib/nova/templates';
const imageNamed = async (name: string) => (await engineClient.images()).find((each) => each.name === name);
const identity = ['/etc/machine-id', '/etc/hostname', '/etc/nova/secret', '/etc/puppet/ssl.pem', '/var/lib/puppet/key'];

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createMachine({ ...machine, name: 'm1', diskMebibytes: 512 });
  await inside(
    'm1',
    `mkdir -p /etc/nova /etc/puppet /var/lib/puppet /root/.ssh /home/user/.ssh /var/log/own /etc/ssh
    for file in ${identity.slice(2).join(' ')} /root/.ssh/authorized_keys /home/user/.ssh/id /var/log/own/log \
      /etc/ssh/ssh_host_ed25519_key /opt/program; do echo of-m1 > $file; done
    rm /usr/bin/socat; rm -r /etc/apt; mkdir /etc/apt; ln -s / /etc/kubernetes`,
  );
});

afterAll(() => hostDown(say));

test('a template is an image with the files of its machine, without what identifies it', async () => {
  expect(await codesOf(engineClient.createTemplate({ name: 'golden', machine: 'm1' }))).toEqual(['NOVA7100']);
  await engineClient.stopMachine('m1');
  const template = await engineClient.createTemplate({ name: 'golden', machine: 'm1', description: 'with a program' });
  expect(template).toMatchObject({ name: 'golden', kind: 'container', isTemplate: true, isBuilt: true });
  expect(await imageNamed('golden')).toMatchObject({ description: 'with a program', layers: template.layers });
  await engineClient.createMachine({ ...machine, name: 'm2', image: 'golden', diskMebibytes: 512 });
  expect(await inside('m2', 'cat /opt/program; ls -A /etc/apt; test -e /usr/bin/socat || echo removed')).toBe(
    'of-m1\nremoved\n',
  );
  expect(
    await inside('m2', 'grep -rl of-m1 /etc /var /root /home; hostname; ls -d /var/log/own; ls /etc/kubernetes 2>&1'),
  ).toBe("m2\n/var/log/own\nls: cannot access '/etc/kubernetes': No such file or directory\n");
  const id = await inside('m2', 'cat /etc/machine-id');
  await engineClient.startMachine('m1');
  expect(id).not.toBe(await inside('m1', 'cat /etc/machine-id'));
});

test('a template of a machine without a limited disk is based on another template', async () => {
  await engineClient.createMachine({ ...machine, name: 'm3', image: 'golden' });
  await inside('m3', 'echo of-m3 > /opt/other');
  await engineClient.stopMachine('m3');
  await engineClient.createTemplate({ name: 'second', machine: 'm3' });
  await engineClient.deleteMachine('m3');
  await engineClient.createMachine({ ...machine, name: 'm3', image: 'second' });
  expect(await inside('m3', 'cat /opt/program /opt/other')).toBe('of-m1\nof-m3\n');
});

test('names of images and templates are unique', async () => {
  await engineClient.stopMachine('m1');
  for (const name of ['node', 'golden'])
    expect(await codesOf(engineClient.createTemplate({ name, machine: 'm1' }))).toEqual(['NOVA7021']);
  expect(await codesOf(engineClient.createTemplate({ name: 'other', machine: 'missing' }))).toEqual(['NOVA7010']);
});

test('a template that machines or templates use is kept, with the layers below', async () => {
  expect(await codesOf(engineClient.deleteTemplate('golden'))).toEqual(['NOVA7136']);
  for (const name of ['m2', 'm3']) await engineClient.deleteMachine(name);
  expect(await codesOf(engineClient.deleteTemplate('golden'))).toEqual(['NOVA7136']);
  await engineClient.deleteMachine('m1');
  await engineClient.pruneImages();
  await engineClient.createMachine({ ...machine, name: 'm1', image: 'second' });
  await engineClient.deleteMachine('m1');
  expect(await codesOf(engineClient.deleteTemplate('node'))).toEqual(['NOVA7010']);
});

test('an incomplete template is reported', async () => {
  await run('mv', [`${folder}/golden/layer`, `${folder}/golden/moved`]);
  expect(await codesOf(engineClient.createMachine({ ...machine, name: 'm1', image: 'second' }))).toEqual(['NOVA7135']);
  expect(await imageNamed('second')).toMatchObject({ isBuilt: false });
  await run('mv', [`${folder}/golden/moved`, `${folder}/golden/layer`]);
});

test.for([
  ['storage.filled', () => engineClient.createTemplate({ name: 'half', machine: 'm1' })],
  ['storage.deleted', () => engineClient.deleteTemplate('second')],
] as const)('an engine killed at %s leaves no half template', async ([point, change]) => {
  await engineClient.createMachine({ ...machine, name: 'm1', isStarted: false });
  await writeFile('/run/nova/fault', point);
  expect(await codesOf(change())).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 30_000 }).toBeTruthy();
  expect(await run('ls', [folder])).toBe(point === 'storage.filled' ? 'golden\nsecond\n' : 'golden\n');
  await engineClient.deleteMachine('m1');
});
