import type { NodeInput } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { containerd } from '../containerd.ts';
import { controlPlane } from './control-plane.ts';
import { kubernetesNode } from './node.ts';
import { folder } from './paths.ts';
import { podNetwork } from './pod-network.ts';

/** Kubernetes on a node, by its roles. */
export const kubernetes = (input: NodeInput): Resource[] => [
  ...piece('kubernetes', file(folder, { ensure: 'directory', mode: '0700' })),
  // etcd and the API server first: everything else waits for them.
  ...(input.node.roles.includes('control-plane') ? controlPlane(input) : []),
  ...containerd(input),
  ...podNetwork(input),
  ...kubernetesNode(input),
];
