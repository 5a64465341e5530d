import type { EngineClient } from '@nova-platform/contracts/engine/client';
import { createTestEngine, type TestEngine } from '@nova-platform/contracts/engine/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, startTestApi, type TestApi } from '../testing/serve.ts';

let engine: TestEngine;
let client: EngineClient;
let api: TestApi;

beforeEach(async () => {
  engine = await createTestEngine();
  client = await connectEngine(engine);
  api = await startTestApi(client);
  engine.addNetwork('lab', '10.30.0.0/24');
});

afterEach(async () => {
  await api.close();
  await engine.close();
});

const vm = (name: string, more = '') =>
  `<vm><name>${name}</name><cluster><name>Default</name></cluster><template><name>node</name></template>${more}</vm>`;

test('the root has the version, the blank template and links to all collections', async () => {
  const { status, body } = await api.request('GET', '');
  console.log(JSON.stringify(body).slice(0, 600));
  expect(status).toBe(200);
  const created = await api.request('POST', '/vms', vm('web1', '<memory>536870912</memory>'));
  console.log(created.text);
  const list = await api.request('GET', '//vms?search=name%3Dweb*');
  console.log(list.status, list.text.length);
  const { id } = list.body.vm;
  const nic = await api.request(
    'POST',
    `/vms/${id}/nics`,
    '<nic><name>nic1</name><vnic_profile><name>lab</name></vnic_profile></nic>',
  );
  console.log(nic.text);
  console.log(
    (
      await api.request(
        'POST',
        `/vms/${id}/start`,
        '<action><use_cloud_init>true</use_cloud_init><vm><initialization><host_name>web</host_name></initialization></vm></action>',
      )
    ).text,
  );
  console.log((await api.request('GET', `/vms/${id}/reporteddevices`)).text);
  console.log((await api.request('GET', `/vms/${id}?follow=nics,diskattachments.disk`)).text);
  console.log(
    (
      await api.request(
        'POST',
        `/vms/${id}/diskattachments`,
        '<disk_attachment><active>true</active><interface>virtio</interface><disk><name>data</name><provisioned_size>1073741824</provisioned_size></disk></disk_attachment>',
      )
    ).text,
  );
  console.log(
    (await api.request('POST', `/vms/${id}/snapshots`, '<snapshot><description>first</description></snapshot>')).text,
  );
  console.log((await api.request('GET', `/vms/${id}/snapshots`)).text);
  console.log((await api.request('GET', `/events`)).text);
  console.log((await api.request('GET', `/disks`)).text);
});
