import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';

let cluster: ControlPlane;
beforeAll(async () => {
  cluster = await startControlPlane();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const ownNode = (name: string) => `/api/v1/nodes/${name}`;
const pods = (name: string) => `/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`;

test('a running API server refuses a revoked node under all its names within seconds, and no other node', async () => {
  const kubelet = await cluster.as('system:node:n1', ['system:nodes', 'nova:enrolment:aa']);
  const proxy = await cluster.as('system:kube-proxy', ['nova:enrolment:aa']);
  const older = await cluster.as('system:node:n1', ['system:nodes']);
  const neighbour = await cluster.as('system:node:n2', ['system:nodes', 'nova:enrolment:bb']);
  const otherProxy = await cluster.as('system:kube-proxy', ['nova:enrolment:bb']);
  const services = '/api/v1/services';
  const all = async () => [
    await kubelet(pods('n1')),
    await proxy(services),
    await older(pods('n1')),
    await neighbour(pods('n2')),
    await otherProxy(services),
  ];
  await expect.poll(all).toEqual([200, 200, 200, 200, 200]);

  const begin = Date.now();
  await cluster.deny({ users: ['system:node:n1'], groups: ['nova:enrolment:aa'] });
  await expect.poll(all, { timeout: 20_000 }).toEqual([500, 500, 500, 200, 200]);
  expect(Date.now() - begin).toBeLessThan(10_000);
  expect(await kubelet(ownNode('n1'))).toBe(500);

  // After a new enrolment the new certificates work, and those of the earlier enrolment stay refused.
  await cluster.deny({ users: [], groups: ['nova:enrolment:aa'] });
  const again = await cluster.as('system:node:n1', ['system:nodes', 'nova:enrolment:cc']);
  await expect.poll(() => again(pods('n1')), { timeout: 20_000 }).toBe(200);
  expect(await kubelet(pods('n1'))).toBe(500);
  expect(await cluster.log('kube-apiserver')).not.toMatch(/shutting down/i);
});
