import { command } from '../../command.ts';
import { followOperation } from '../../operation-follow.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';

export const stop = command<{ output: Output }, [cluster: string]>(async function ({ output }, cluster) {
  const universe = universeOf(this.io);
  const operation = await universe.client.stopCluster({ params: { cluster } });
  return followOperation(this, universe, operation, { output });
});
