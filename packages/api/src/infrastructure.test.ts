import { expect, test } from 'vitest';
import { loadDocuments } from './documents.ts';
import { clusterName, dnsMode, groupSize, type Infrastructure, infrastructure } from './infrastructure.ts';
import { hasSdn, providers, usableProviders } from './infrastructure-provider.ts';
import { allowedValues, kindSchema, offeredValues, schemaAt } from './schema.ts';
import { manifest, type Parts } from './testing.ts';

const load = (parts: Parts = {}) =>
  loadDocuments([{ name: 'cluster.yaml', text: manifest(parts) }]).documents[0]?.value as Infrastructure;
const customerDns = (dns: string) => ({ config: `extraOptions: { dns: { customerDns: { ${dns} } } }` });

test('missing fields get their defaults', () => {
  expect(load().spec).toMatchInlineSnapshot(`
    {
      "clusterConfiguration": {
        "cni": "basic",
        "delivery": "flux",
        "dnsBaseDomain": "demo.nova.local",
        "extraOptions": {
          "dns": {
            "customerDns": {
              "enable": false,
              "forwardZones": [],
              "servers": [],
            },
          },
        },
        "k8sAPIAdditionalSANs": [],
        "k8sDefaultDnsZone": "cluster.local",
        "kubeProxyMode": "nftables",
        "kubernetesVersion": "1.36.3",
        "modules": [],
        "nodeNetwork": "10.20.0.0/24",
        "podNetwork": "10.233.64.0/18",
        "podNetworkNodePrefix": 24,
        "publishNodePorts": false,
        "serviceNetwork": "10.233.0.0/18",
      },
      "nodeGroups": [
        {
          "cpu": 2,
          "disk": "40Gi",
          "labels": {},
          "memory": "4Gi",
          "name": "main",
          "roles": [
            "control-plane",
            "infra",
            "ingress",
            "worker",
          ],
          "taints": [],
        },
      ],
      "provider": {
        "type": "local",
      },
    }
  `);
});

test('the name of a cluster defaults to the first label of its base domain', () => {
  expect(clusterName(load({ config: 'clusterName: prod' }))).toBe('prod');
  expect(clusterName(load())).toBe('demo');
});

test('the size of a group is the number of its hosts, else its count, else one', () => {
  const [group] = load().spec.nodeGroups;
  if (!group) throw new Error('no group');
  const hosts = [{ name: 'n1', address: '10.20.0.21' }];
  expect([groupSize({ ...group, hosts, count: 5 }), groupSize({ ...group, count: 5 }), groupSize(group)]).toEqual([
    1, 5, 1,
  ]);
});

test('DNS is external if and only if the base domain itself is forwarded', () => {
  const zone = (name: string) => `forwardZones: [{ name: ${name}, server: 10.0.0.1 }]`;
  expect(dnsMode(load())).toBe('internal');
  expect(dnsMode(load(customerDns(`enable: true, ${zone('nova.local')}`)))).toBe('internal');
  expect(dnsMode(load(customerDns(`enable: false, ${zone('demo.nova.local')}`)))).toBe('internal');
  expect(dnsMode(load(customerDns(`enable: true, ${zone('demo.nova.local')}`)))).toBe('external');
});

test('the providers local, zvirt and ovirt have SDN', () => {
  expect(providers.filter(hasSdn)).toEqual(['local', 'zvirt', 'ovirt']);
});

test('planned providers are allowed values, but are not offered', () => {
  const type = schemaAt(kindSchema(infrastructure), ['spec', 'provider', 'type']) ?? {};
  expect(allowedValues(type)).toEqual(providers);
  expect(offeredValues(type)).toEqual(usableProviders);
});
