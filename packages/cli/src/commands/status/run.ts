import { command } from '../../command.ts';
import type { OutputFlags } from '../../group.ts';
import { clusterStatus } from './cluster.ts';
import { universeStatus } from './universe.ts';

export const run = command<OutputFlags, [cluster?: string]>(async function (_flags, cluster) {
  return cluster === undefined ? universeStatus.call(this) : clusterStatus.call(this, cluster);
});
