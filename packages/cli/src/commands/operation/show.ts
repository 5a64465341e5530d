import { approvedChangeAsLines } from '../../change-text.ts';
import { command } from '../../command.ts';
import { followOperation } from '../../operation-follow.ts';
import { operationResult } from '../../operation-tree.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';
import { numberOf } from '../../values.ts';

export interface ShowFlags {
  follow?: boolean;
  output: Output;
}

export const show = command<ShowFlags, [id: string]>(async function ({ follow = false, output }, text) {
  const id = numberOf(text);
  const universe = universeOf(this.io);
  const operation = await universe.client.showOperation({ params: { id } });
  if (follow) return followOperation(this, universe, operation, { output });
  const { change } = await universe.client.showOperationChange({ params: { id } });
  if (!change) return operationResult(this, operation);
  return { ...operationResult(this, operation, approvedChangeAsLines(this, change)), data: { ...operation, change } };
});
