import { expect, test } from 'vitest';
import { followedReplaces, kubernetesParts, siblings } from './update.ts';

const replace = (path: string, version: string, by = path) => ({
  Old: { Path: path },
  New: { Path: by, Version: version },
});
const folder = (path: string) => ({ Old: { Path: path }, New: { Path: './staging' } });

test('the modules of Kubernetes follow its version: new ones are added, old ones are removed, unrelated ones stay', () => {
  const ours = {
    Require: [
      { Path: 'k8s.io/kubernetes', Version: 'v1.36.3' },
      { Path: 'k8s.io/client-go', Version: 'v0.36.3' },
      { Path: 'k8s.io/cri-streaming', Version: 'v0.0.0' },
      { Path: 'k8s.io/klog/v2', Version: 'v2.140.0' },
    ],
    Replace: [replace('k8s.io/client-go', 'v0.36.3'), replace('k8s.io/cri-streaming', 'v0.36.3')],
  };
  const theirs = {
    Require: [
      { Path: 'k8s.io/client-go', Version: 'v0.0.0' },
      { Path: 'k8s.io/kms', Version: 'v0.0.0' },
      { Path: 'k8s.io/klog/v2', Version: 'v2.140.0' },
    ],
    Replace: [folder('k8s.io/client-go'), folder('k8s.io/kms')],
  };
  expect(kubernetesParts(ours, theirs, '1.36.3', '1.37.1')).toEqual([
    '-dropreplace=k8s.io/cri-streaming',
    '-droprequire=k8s.io/cri-streaming',
    '-replace=k8s.io/client-go=k8s.io/client-go@v0.37.1',
    '-replace=k8s.io/kms=k8s.io/kms@v0.37.1',
    '-require=k8s.io/client-go@v0.37.1',
  ]);
});

test('replacements copied from the module follow it, and our own stay', () => {
  const ours = {
    Replace: [replace('a', 'v1.0.0'), replace('b', 'v1.0.0', 'fork/b'), replace('c', 'v1.0.0'), folder('d')],
  };
  const before = {
    Replace: [replace('a', 'v1.0.0'), replace('b', 'v1.0.0', 'fork/b'), replace('e', 'v1.0.0'), folder('d')],
  };
  const after = { Replace: [replace('a', 'v1.1.0'), replace('e', 'v1.0.0'), folder('d')] };
  expect(followedReplaces(ours, before, after)).toEqual(['-dropreplace=a', '-dropreplace=b', '-replace=a=a@v1.1.0']);
  expect(followedReplaces({}, {}, { Replace: null })).toEqual([]);
});

test('modules of the same project at the same version are updated together', () => {
  const Require = [
    { Path: 'go.etcd.io/etcd/server/v3', Version: 'v3.6.16' },
    { Path: 'go.etcd.io/etcd/etcdctl/v3', Version: 'v3.6.16' },
    { Path: 'go.etcd.io/etcd/api/v3', Version: 'v3.6.16', Indirect: true },
    { Path: 'go.etcd.io/bbolt', Version: 'v3.6.16' },
    { Path: 'go.etcd.io/etcd/raft/v3', Version: 'v3.6.0' },
  ];
  expect(siblings({ Require }, 'go.etcd.io/etcd/server/v3', '3.6.16')).toEqual(['go.etcd.io/etcd/etcdctl/v3']);
});
