import { expect, test } from 'vitest';
import { createControllerAccounts } from './controller-accounts.ts';
import { type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

/** An API that refuses some accounts with a status. */
function apiWith(refused: Record<string, number>) {
  const created: string[] = [];
  const api = {
    create: async (path: string, { metadata: { name } }: { metadata: { name: string } }) => {
      await new Promise((resolve) => setTimeout(resolve, refused[name] ? 0 : 5));
      if (refused[name]) throw new KubernetesError(refused[name], name);
      created.push(`${path}/${name}`);
    },
  } as unknown as KubernetesApi;
  return { api, created };
}

test('accounts of controllers are created in kube-system; existing ones stay as they are', async () => {
  const { api, created } = apiWith({ 'daemon-set-controller': 409 });
  await createControllerAccounts(api);
  expect(created).toContain('/api/v1/namespaces/kube-system/serviceaccounts/deployment-controller');
  expect(new Set(created).size).toBe(created.length);
});

test('a refused account fails the creation after all others are created', async () => {
  const { api, created } = apiWith({ 'daemon-set-controller': 500 });
  await expect(createControllerAccounts(api)).rejects.toThrow('daemon-set-controller');
  expect(created.length).toBeGreaterThan(30);
});
