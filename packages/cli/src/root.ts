import { ProblemError, problem } from '@nova-platform/api';

export function assertRoot(): void {
  if (process.getuid?.() !== 0) throw new ProblemError(problem('NOVA7031', {}));
}
