import { formatted, ProblemError, problem } from '@nova-platform/api';
import type { Call } from '../call.ts';
import { vmWord } from './vm-status.ts';

/** Names are those of the engine, which are DNS labels. */
export const vmName = formatted('label', 40);

export async function assertFreeName(call: Call, name: string): Promise<void> {
  const isTaken = (await call.vms()).some((vm) => vm.name === name || vm.record.engineName === name);
  if (isTaken) throw new ProblemError(problem('NOVA7021', { kind: vmWord, name }));
}
