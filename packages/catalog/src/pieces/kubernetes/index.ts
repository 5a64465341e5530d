import type { NodeInput } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { controlPlane } from './control-plane.ts';
import { kubernetesNode } from './node.ts';
import { folder } from './paths.ts';
import { podNetwork } from './pod-network.ts';

/** Kubernetes on a node, by its roles. */
export const kubernetes = (input: NodeInput, containerd: Resource): Resource[] => [
  ...piece('kubernetes', file(folder, { ensure: 'directory', mode: '0700' })),
  ...podNetwork(input),
  ...(input.node.roles.includes('control-plane') ? controlPlane(input) : []),
  ...kubernetesNode(input, containerd),
];
