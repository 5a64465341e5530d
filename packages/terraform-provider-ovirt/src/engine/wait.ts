import { setTimeout as sleep } from 'node:timers/promises';
import { DiagnosticError } from '../protocol/diagnostics.ts';

export interface Waiting {
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal;
  every?: number;
}

/** Polls until there is a result. After the time limit, or when OpenTofu is interrupted, throws what `late` says. */
export async function until<T>(
  check: () => Promise<T | undefined>,
  late: () => DiagnosticError,
  { timeout, signal, every = 1000 }: Waiting,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (Date.now() + every > end) throw late();
    await pause(every, signal);
  }
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    throw new DiagnosticError(
      'The operation was interrupted',
      'OpenTofu asked the provider to stop. Run the command again to continue.',
    );
  });
}
