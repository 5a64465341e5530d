import type { NodeInput } from '../node.ts';
import type { Resource } from '../resource.ts';
import { hosts } from './hosts.ts';
import { kernelModules } from './kernel-modules.ts';
import { limits } from './limits.ts';
import { proxySettings } from './proxy-settings.ts';
import { resolver } from './resolver.ts';
import { sysctls } from './sysctls.ts';

/** The pieces that every node has. */
export const base = (input: NodeInput): Resource[] => [
  ...kernelModules(input),
  ...sysctls(input),
  ...limits(),
  ...hosts(input),
  ...resolver(input),
  ...proxySettings(input),
];
