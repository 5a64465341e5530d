import { nearestTo, ProblemError, problem, type Text } from '@nova-platform/api';

export function unknownName(kind: Text, name: string, known: readonly string[]): ProblemError {
  return new ProblemError(
    problem('NOVA7010', { kind, name, known: known.join(', ') || '—', nearest: nearestTo(name, known) }),
  );
}
