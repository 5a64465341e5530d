import { createTestEngine, type TestEngine } from '@nova-platform/contracts/engine/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, startTestApi, type TestApi } from '../testing/serve.ts';
import { idOf, zeroId } from './ids.ts';

let engine: TestEngine;
let api: TestApi;

beforeEach(async () => {
  engine = await createTestEngine();
  api = await startTestApi(await connectEngine(engine));
  engine.addNetwork('lab', '10.30.0.0/24');
});

afterEach(async () => {
  await api.close();
  await engine.close();
});

const get = async (path: string, headers: Record<string, string> = {}) => api.request('GET', path, undefined, headers);
const post = (path: string, body = '<action/>') => api.request('POST', path, body);

/** A stopped machine that another interface has created. */
async function stopped(name: string, more = {}): Promise<string> {
  engine.addMachine(name, 'lab', { state: 'stopped', ...more });
  return (await get(`/vms?search=name%3D${name}`)).body.vm.id;
}

const attachment = (disk: string) =>
  `<disk_attachment><interface>virtio</interface><active>true</active><bootable>false</bootable><disk>${disk}</disk></disk_attachment>`;

test('IDs are UUIDs that follow from the things', () => {
  expect(idOf('vm', 'a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idOf('vm', 'a')).toBe(idOf('vm', 'a'));
  expect(idOf('vm', 'a')).not.toBe(idOf('disk', 'a'));
  expect(idOf('vm', 'a', 'b')).not.toBe(idOf('vm', 'ab'));
});

test('the root has the version, the blank template and links to collections that are served', async () => {
  const { status, body } = await get('');
  expect(status).toBe(200);
  expect(body.product_info.version).toMatchObject({ major: '4' });
  expect(body.special_objects.blank_template.id).toBe(zeroId);
  const paths = body.link.map(({ href }: { href: string }) => href).filter((href: string) => !href.includes('?'));
  expect(paths.length).toBeGreaterThan(25);
  for (const href of paths) expect((await get(href.slice('/ovirt-engine/api'.length))).status, href).toBe(200);
});

test('all links of all objects are served', async () => {
  await stopped('m1');
  await post('/vms/x');
  const seen = new Set<string>();
  const walk = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const { status, text } = await get(path);
    expect(status, `${path} ${text}`).toBe(200);
    for (const [, href = ''] of text.matchAll(/href="\/ovirt-engine\/api([^"?]*)"(?: rel="[a-z]+")?/g)) {
      const isAction = /\/(start|stop|shutdown|reboot|reset|clone|restore|\w+snapshot|activate|deactivate)$/.test(href);
      if (!isAction) await walk(href);
    }
  };
  await walk('');
  expect(seen.size).toBeGreaterThan(80);
});

test('the template Blank is listed, and refused for machines', async () => {
  const { body } = await get('/templates');
  expect(body.template.map(({ id }: { id: string }) => id)).toContain(zeroId);
  const vm = `<vm><name>x</name><cluster><name>Default</name></cluster><template><name>Blank</name></template></vm>`;
  expect((await post('/vms', vm)).body.detail).toContain('NOVA7615');
});

test.each([
  ['/vms/nothing', 404, 'NOVA7605'],
  ['/nothing', 404, 'NOVA7607'],
  ['/vms/a/b/c/d', 404, 'NOVA7605'],
  ['/vms?search=%3D', 400, 'NOVA7609'],
  ['/vms?search=color%3Dred', 400, 'NOVA7610'],
  ['/vms?max=many', 400, 'NOVA7026'],
])('GET %s is a fault with the status %d', async (path, status, code) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(/^<\?xml.*\n<fault>/);
  expect(answer.body).toMatchObject({ reason: 'Operation Failed' });
  expect(answer.body.detail).toContain(code);
});

test('a wrong token is a fault with 401, before the body is read', async () => {
  const { status, text } = await api.request('POST', '/vms', '<vm>', { authorization: 'Bearer wrong' });
  expect(status).toBe(401);
  expect(text).toContain('<fault>');
});

test('ReadOnlyAdmin reads everything and changes nothing', async () => {
  const id = await stopped('m1');
  const reader = { authorization: 'Bearer reader' };
  expect((await get('/vms', reader)).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/vms'],
    ['POST', `/vms/${id}/start`],
    ['PUT', `/vms/${id}`],
    ['DELETE', `/vms/${id}`],
  ] as const) {
    const { status, body } = await api.request(method, path, '<action/>', reader);
    expect(status).toBe(403);
    expect(body.detail).toContain('NOVA7608');
  }
  expect(engine.machines.get('m1')).toMatchObject({ state: 'stopped' });
});

test('an XML bomb, a broken body and another version are faults', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><vm><name>&a;</name></vm>';
  expect((await post('/vms', bomb)).body.detail).toContain('it has a DTD');
  expect((await post('/vms', '<vm>')).status).toBe(400);
  expect((await get('/vms', { version: '3' })).body.detail).toContain('NOVA7625');
  const large = await post('/vms', `<vm><name>${'a'.repeat(5 * 1024 ** 2)}</name></vm>`);
  expect(large.status).toBe(413);
  expect(large.text).toContain('<fault>');
});

test('an unreachable engine is a fault with 503', async () => {
  await engine.close();
  const { status, body } = await get('/vms');
  expect(status).toBe(503);
  expect(body.detail).toContain('NOVA7030');
  engine = await createTestEngine();
});

test('JSON has the same content', async () => {
  await stopped('m1');
  const accept = { accept: 'application/json', 'content-type': 'application/json' };
  const listed = await get('/vms', accept);
  expect(JSON.parse(listed.text)).toMatchObject({ vm: [{ name: 'm1', memory: '536870912', stateless: 'false' }] });
  const tag = await api.request('POST', '/tags', '{"name":"web"}', accept);
  expect(tag.status).toBe(201);
  expect(JSON.parse(tag.text)).toMatchObject({ name: 'web' });
  expect((await api.request('POST', '/tags', '{"name":', accept)).status).toBe(400);
  expect((await api.request('POST', '/tags', `${'['.repeat(50_000)}`, accept)).status).toBe(400);
});

test('follow puts linked objects and collections into the response', async () => {
  await stopped('m1');
  const { body } = await get('/vms?follow=nics.vnic_profile,disk_attachments.disk,cluster.data_center,template');
  expect(body.vm).toMatchObject({
    nics: { nic: { name: 'nic1', vnic_profile: { name: 'lab' } } },
    disk_attachments: { disk_attachment: { disk: { name: 'm1-boot', provisioned_size: String(10 * 1024 ** 3) } } },
    cluster: { name: 'Default', data_center: { status: 'up' } },
    template: { name: 'node' },
  });
  expect((await get('/vms?follow=nothing.at.all,..,link')).status).toBe(200);
});

test('follow does not make a response of all objects for each object', async () => {
  for (let number = 0; number < 250; number += 1) engine.addMachine(`m${number}`, 'lab', { diskMebibytes: 1024 });
  expect((await get('/vms?max=1&follow=disk_attachments.disk.storage_domains.disks')).status).toBe(200);
  const { status, text } = await get('/vms?follow=disk_attachments.disk.storage_domains.disks');
  expect([status, text]).toEqual([400, expect.stringContaining('at most 50000 objects')]);
});

test('a disk that was created without a VM gets the format of its first VM', async () => {
  const container = await stopped('m1');
  const own = await stopped('m2', { kind: 'vm' });
  const disk = await post(
    '/disks',
    '<disk><alias>data</alias><provisioned_size>1073741824</provisioned_size><format>raw</format></disk>',
  );
  expect(disk.body).toMatchObject({ status: 'ok', format: 'raw', sparse: 'true', total_size: '1073741824' });
  const { id } = disk.body;
  expect(engine.disks.get('data')).toMatchObject({ format: 'block' });
  expect((await post(`/vms/${container}/diskattachments`, attachment(`<id>${id}</id>`))).status).toBe(201);
  expect(engine.disks.get('data')).toMatchObject({ format: 'filesystem', machine: 'm1', path: '/mnt/data' });
  expect((await get(`/disks/${id}`)).body.format).toBe('raw');
  await api.request('DELETE', `/vms/${container}/diskattachments/${id}`);
  const refused = await post(`/vms/${own}/diskattachments`, attachment(`<id>${id}</id>`));
  expect(refused.body.detail).toContain('NOVA7627');
  expect(engine.disks.get('data')).toMatchObject({ format: 'filesystem' });
});

test('a blank disk that has data is never created again', async () => {
  const container = await stopped('m1');
  const { body } = await post(
    '/disks',
    '<disk><alias>data</alias><provisioned_size>1073741824</provisioned_size></disk>',
  );
  engine.disks.set('data', { ...(engine.disks.get('data') as never as object), usedBytes: 5000 } as never);
  expect((await post(`/vms/${container}/diskattachments`, attachment(`<id>${body.id}</id>`))).body.detail).toContain(
    'NOVA7627',
  );
});

test('the boot disk grows, and is neither detached nor deleted', async () => {
  const vm = await stopped('m1');
  const { id } = (await get('/disks?search=vm_names%3Dm1')).body.disk;
  expect(
    (await api.request('PUT', `/disks/${id}`, '<disk><provisioned_size>21474836480</provisioned_size></disk>')).status,
  ).toBe(200);
  expect(engine.machines.get('m1')).toMatchObject({ diskMebibytes: 20_480 });
  expect((await api.request('DELETE', `/disks/${id}`)).body.detail).toContain('NOVA7620');
  expect((await api.request('DELETE', `/vms/${vm}/diskattachments/${id}`)).body.detail).toContain('NOVA7620');
});

test('thick, shared and bootable disks are refused by name', async () => {
  const disk = (more: string) => `<disk><alias>x</alias><provisioned_size>1073741824</provisioned_size>${more}</disk>`;
  expect((await post('/disks', disk('<sparse>false</sparse>'))).body.detail).toContain('disk.sparse can only be true');
  expect((await post('/disks', disk('<shareable>true</shareable>'))).body.detail).toContain('disk.shareable');
  expect((await post('/disks', disk('<lun_storage/>'))).body.detail).toContain('disk.lun_storage is not supported');
  expect((await post('/disks', '<disk><alias>x</alias></disk>')).body.detail).toContain('NOVA7602');
});

test('a preview can be undone or committed, and nothing else happens to the VM meanwhile', async () => {
  const id = await stopped('m1');
  const { body: snapshot } = await post(
    `/vms/${id}/snapshots`,
    '<snapshot><description>first</description></snapshot>',
  );
  const preview = `<action><snapshot id="${snapshot.id}"/></action>`;
  expect((await post(`/vms/${id}/undosnapshot`)).body.detail).toContain('NOVA7622');
  expect((await post(`/vms/${id}/previewsnapshot`, preview)).status).toBe(200);
  expect(engine.snapshots.get('m1')).toHaveLength(2);
  expect((await get(`/vms/${id}/snapshots/${snapshot.id}`)).body.snapshot_status).toBe('in_preview');
  expect((await get(`/vms/${id}/snapshots`)).body.snapshot).toHaveLength(2);
  for (const [path, body] of [
    ['previewsnapshot', preview],
    ['snapshots', '<snapshot/>'],
    [`snapshots/${snapshot.id}/restore`, '<action/>'],
  ])
    expect((await post(`/vms/${id}/${path}`, body)).body.detail).toContain('NOVA7621');
  expect((await post(`/vms/${id}/undosnapshot`)).status).toBe(200);
  expect(engine.snapshots.get('m1')).toHaveLength(1);
  await post(`/vms/${id}/previewsnapshot`, preview);
  expect((await post(`/vms/${id}/commitsnapshot`)).status).toBe(200);
  expect(engine.snapshots.get('m1')).toHaveLength(1);
  expect((await api.request('DELETE', `/vms/${id}/snapshots/${snapshot.id}`)).status).toBe(200);
  expect(engine.snapshots.get('m1')).toEqual([]);
});

test('tags are searched for, and end with their VM', async () => {
  const id = await stopped('m1');
  const { body: tag } = await post('/tags', '<tag><name>web</name></tag>');
  expect((await post('/tags', '<tag><name>web</name></tag>')).body.detail).toContain('NOVA7021');
  await post(`/vms/${id}/tags`, '<tag><name>web</name></tag>');
  expect((await get('/vms?search=tag%3Dweb')).body.vm.id).toBe(id);
  expect((await get(`/vms/${id}/tags`)).body.tag.id).toBe(tag.id);
  await api.request('DELETE', `/vms/${id}`);
  engine.addMachine('m1', 'lab', { state: 'stopped' });
  expect((await get('/vms?search=tag%3Dweb')).body).toBe('');
  expect((await api.request('DELETE', `/tags/${zeroId}`)).status).toBe(400);
});

test('affinity groups are kept; an enforcing separation is refused', async () => {
  const id = await stopped('m1');
  const { id: cluster } = (await get('/clusters')).body.cluster;
  const path = `/clusters/${cluster}/affinitygroups`;
  const rule = (positive: boolean) =>
    `<affinity_group><name>g</name><vms_rule><enabled>true</enabled><positive>${positive}</positive><enforcing>true</enforcing></vms_rule></affinity_group>`;
  expect((await post(path, rule(false))).body.detail).toContain('NOVA7617');
  const { body } = await post(path, rule(true));
  await post(`${path}/${body.id}/vms`, `<vm id="${id}"/>`);
  expect((await get(`${path}/${body.id}/vms`)).body.vm.name).toBe('m1');
  api = await api.restart(await connectEngine(engine));
  expect((await get(path)).body.affinity_group).toMatchObject({ name: 'g', positive: 'true', enforcing: 'true' });
});

test('networks are read and described here, and created elsewhere', async () => {
  const { id } = (await get('/networks?search=name%3Dlab')).body.network;
  expect((await post('/networks', '<network><name>new</name></network>')).body.detail).toContain('NOVA7618');
  await api.request('PUT', `/networks/${id}`, '<network><comment>ours</comment></network>');
  expect((await get(`/networks/${id}`)).body.comment).toBe('ours');
  const profile = await post('/vnicprofiles', `<vnic_profile><name>second</name><network id="${id}"/></vnic_profile>`);
  expect(profile.status).toBe(201);
  const { body } = await get(`/networks/${id}/vnicprofiles`);
  expect(body.vnic_profile.map(({ name }: { name: string }) => name)).toEqual(['lab', 'second']);
});

test('templates come from stopped machines; those of the platform stay', async () => {
  const id = await stopped('m1');
  const { status, body } = await post('/templates', `<template><name>mine</name><vm id="${id}"/></template>`);
  expect(status).toBe(201);
  expect((await get(`/templates/${body.id}`)).body).toMatchObject({ name: 'mine', status: 'ok' });
  expect((await api.request('DELETE', `/templates/${body.id}`)).status).toBe(200);
  const node = (await get('/templates?search=name%3Dnode')).body.template;
  expect((await api.request('DELETE', `/templates/${node.id}`)).body.detail).toContain('NOVA7616');
});

test('the reason of the engine is the fault of a maintenance that it does not allow', async () => {
  const { id } = (await get('/hosts')).body.host;
  const { status, body } = await post(`/hosts/${id}/deactivate`);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.detail).toContain('NOVA');
  expect((await get(`/hosts/${id}`)).body.status).toBe('up');
});

test('jobs are found by the correlation ID of the request', async () => {
  await post('/tags?correlation_id=mine', '<tag><name>web</name></tag>');
  expect((await get('/jobs?search=correlation_id%3Dmine')).body.job).toMatchObject({ status: 'finished' });
  expect((await get('/jobs?search=correlation_id%3Dother')).body).toBe('');
  expect((await get('/events?search=correlation_id%3Dmine')).body.event.description).toBe(
    'Tag web was added (admin@internal).',
  );
});

test('permissions, roles and users are listed', async () => {
  const id = await stopped('m1');
  expect((await get('/roles')).body.role.map(({ name }: { name: string }) => name)).toEqual([
    'SuperUser',
    'ReadOnlyAdmin',
  ]);
  const { body } = await get(`/vms/${id}/permissions?follow=user,role`);
  expect(body.permission).toMatchObject([
    { user: { user_name: 'admin@internal' }, role: { name: 'SuperUser' } },
    { user: { user_name: 'reader@internal' }, role: { name: 'ReadOnlyAdmin' } },
  ]);
});
