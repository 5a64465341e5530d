import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileCatalog } from '../../compile.ts';
import { contentOf, highlyAvailable, nodeInput } from '../../testing.ts';

const kubeletSettings = (facts = {}) =>
  parse(contentOf(compileCatalog(nodeInput({}, { facts })), '/etc/nova/kubernetes/kubelet.yaml')) as object;

test('the kubelet limits pods by seccomp and number of processes, even on a shared kernel', () => {
  for (const facts of [{}, { virtual: 'container_other' }])
    expect(kubeletSettings(facts)).toMatchObject({ seccompDefault: true, podPidsLimit: 4096 });
});

test('the kubelet serves no logs, profiles and flags, and rejects anonymous requests', () => {
  expect(kubeletSettings()).toMatchObject({
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true } },
    authorization: { mode: 'Webhook' },
    readOnlyPort: 0,
    enableSystemLogHandler: false,
    enableProfilingHandler: false,
    enableDebugFlagsHandler: false,
  });
});

test('kube-proxy gets one configuration document with the hostname of its node', () => {
  const input = nodeInput(highlyAvailable);
  for (const node of input.plan.nodes) {
    const settings = contentOf(compileCatalog({ ...input, node }), '/etc/nova/kubernetes/kube-proxy.yaml');
    expect(parse(settings)).toMatchObject({
      kind: 'KubeProxyConfiguration',
      hostnameOverride: node.name,
      nodePortAddresses: ['primary'],
    });
  }
});

test('containerd pulls the sandbox image by tag and approved digest', () => {
  const sandboxImage = (images?: Record<string, string>) => {
    const input = nodeInput();
    const catalog = compileCatalog({ ...input, plan: { ...input.plan, images } });
    return /sandbox_image = "(.*)"/.exec(contentOf(catalog, '/etc/containerd/config.toml'))?.[1];
  };
  const tagged = 'hub.universe.nova.internal:5000/nova/pause:1.0.0';
  const digest = `sha256:${'a'.repeat(64)}`;
  expect(sandboxImage({ pause: digest })).toBe(`${tagged}@${digest}`);
  expect(sandboxImage()).toBe(tagged);
});
