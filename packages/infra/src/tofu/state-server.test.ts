import { createHash } from 'node:crypto';
import { eachStore } from '@nova-platform/store/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StateAccess } from './state-server.ts';
import { serveStates, type TestStates } from './testing.ts';

eachStore('the http backend', (locate) => {
  let opened: TestStates;

  beforeEach(async () => {
    opened = await serveStates(await locate());
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const lock = (id: string) => JSON.stringify({ ID: id, Operation: 'OperationTypeApply', Who: 'me@here' });
  const ask = async (
    { environment }: StateAccess,
    method: string,
    { id, body, headers = {} }: { id?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const { TF_HTTP_ADDRESS: url, TF_HTTP_USERNAME: user, TF_HTTP_PASSWORD: password } = environment;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const response = await fetch(`${url}${id === undefined ? '' : `?ID=${id}`}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };

  test('a state is read as it was written, and no state is 204', async () => {
    using access = opened.server.access('demo');
    expect(await ask(access, 'GET')).toEqual({ status: 204, text: '' });
    expect((await ask(access, 'LOCK', { body: lock('1') })).status).toBe(200);
    expect((await ask(access, 'POST', { id: '1', body: '{"serial":1}' })).status).toBe(200);
    expect(await ask(access, 'GET')).toEqual({ status: 200, text: '{"serial":1}' });
  });

  test('a second lock is refused with its holder, until the holder unlocks', async () => {
    using access = opened.server.access('demo');
    await ask(access, 'LOCK', { body: lock('1') });
    const refused = await ask(access, 'LOCK', { body: lock('2') });
    expect(refused.status).toBe(423);
    expect(JSON.parse(refused.text)).toMatchObject({ ID: '1', Operation: 'OperationTypeApply', Who: 'me@here' });
    // The response to the first request can be lost.
    expect((await ask(access, 'LOCK', { body: lock('1') })).status).toBe(200);
    expect((await ask(access, 'UNLOCK', { body: lock('2') })).status).toBe(423);
    // A forced unlock sends nothing else.
    expect((await ask(access, 'UNLOCK', { body: '{"ID":"1"}' })).status).toBe(200);
    expect((await ask(access, 'LOCK', { body: lock('2') })).status).toBe(200);
  });

  test('only the holder of the lock writes', async () => {
    using access = opened.server.access('demo');
    expect((await ask(access, 'POST', { id: '1', body: '{}' })).status).toBe(409);
    await ask(access, 'LOCK', { body: lock('1') });
    expect((await ask(access, 'POST', { id: '2', body: '{}' })).status).toBe(409);
    expect((await ask(access, 'POST', { body: '{}' })).status).toBe(409);
    await opened.states.breakLock('demo');
    expect((await ask(access, 'POST', { id: '1', body: '{}' })).status).toBe(409);
    expect(await opened.states.read('demo')).toBeUndefined();
  });

  test('a state that was damaged on its way is refused', async () => {
    using access = opened.server.access('demo');
    await ask(access, 'LOCK', { body: lock('1') });
    const sent = (text: string) => ({ 'content-md5': createHash('md5').update(text).digest('base64') });
    expect((await ask(access, 'POST', { id: '1', body: '{"a":1}', headers: sent('{"a":2}') })).status).toBe(400);
    expect((await ask(access, 'POST', { id: '1', body: '{"a":1}', headers: sent('{"a":1}') })).status).toBe(200);
  });

  test('a token opens the state of its cluster only, and only while its run lasts', async () => {
    const access = opened.server.access('demo');
    using other = opened.server.access('other');
    await ask(access, 'LOCK', { body: lock('1') });
    await ask(access, 'POST', { id: '1', body: '{"of":"demo"}' });
    expect((await ask(other, 'GET')).status).toBe(204);
    access[Symbol.dispose]();
    for (const method of ['GET', 'POST', 'LOCK', 'UNLOCK'])
      expect((await ask(access, method, method === 'GET' ? {} : { id: '1', body: lock('1') })).status).toBe(401);
    expect(await opened.states.read('demo')).toBe('{"of":"demo"}');
  });

  test('OpenTofu cannot delete a state', async () => {
    using access = opened.server.access('demo');
    await ask(access, 'LOCK', { body: lock('1') });
    await ask(access, 'POST', { id: '1', body: '{}' });
    expect((await ask(access, 'DELETE')).status).toBe(405);
    expect(await opened.states.read('demo')).toBe('{}');
  });

  test('the store holds no state in clear, and keeps a bounded history of each cluster', async () => {
    using access = opened.server.access('demo');
    using other = opened.server.access('other');
    for (const [each, id] of [[other, 'o'] as const, [access, 'd'] as const]) {
      await ask(each, 'LOCK', { body: lock(id) });
      await ask(each, 'POST', { id, body: '{"token":"hunter2"}' });
    }
    for (let serial = 1; serial <= 30; serial += 1)
      await ask(access, 'POST', { id: 'd', body: JSON.stringify({ serial, token: 'hunter2' }) });
    const rows = await opened.journal.db.selectFrom('tofu_states').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    expect(rows.filter(({ cluster }) => cluster === 'demo')).toHaveLength(20);
    expect(JSON.parse((await ask(access, 'GET')).text)).toMatchObject({ serial: 30 });
    expect((await ask(other, 'GET')).status).toBe(200);
    await opened.states.remove('demo');
    expect(
      (await opened.journal.db.selectFrom('tofu_states').select('cluster').execute()).map((row) => row.cluster),
    ).toEqual(['other']);
  });
});
