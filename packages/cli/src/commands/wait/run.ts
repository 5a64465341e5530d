import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient, ProblemError } from '@nova-platform/api';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { operationResult } from '../../operation-tree.ts';
import type { Output } from '../../output.ts';
import { duration } from '../../time.ts';
import { universeOf } from '../../universe.ts';
import { lifetime, numberOf } from '../../values.ts';
import { stateWords } from '../status/cluster.ts';

export interface WaitOperationFlags {
  timeout: string;
  output: Output;
}

export interface WaitClusterFlags extends WaitOperationFlags {
  for: 'ready' | 'deleted';
}

const pause = 1000;
const longestDays = 1;

export const waitCluster = command<WaitClusterFlags, [cluster: string]>(async function (flags, cluster) {
  const { io, t, style } = this;
  const { client } = universeOf(io);
  const isFor = flags.for;
  const reached = (state: string, text: string): Result => ({
    data: { cluster, state, isReached: true },
    text: `${style.green('✓')} ${text}`,
  });
  return until(this, flags.timeout, async () => {
    const health = await client.clusterHealth({ params: { cluster } }).catch((error: unknown) => {
      if (isFor === 'deleted' && isMissing(error)) return undefined;
      throw error;
    });
    if (!health) return reached('deleted', t({ en: `${cluster} is deleted.`, ru: `Кластер ${cluster} удалён.` }));
    if (isFor === 'ready' && health.state === 'ready')
      return reached('ready', t({ en: `${cluster} is ready.`, ru: `Кластер ${cluster} готов.` }));
    const state = t(stateWords[health.state]);
    return {
      data: { cluster, state: health.state, isReached: false },
      text: t({ en: `${cluster}: ${state}.`, ru: `${cluster}: ${state}.` }),
    };
  });
});

export const waitOperation = command<WaitOperationFlags, [id: string]>(async function ({ timeout }, text) {
  const id = numberOf(text);
  const { client } = universeOf(this.io);
  return until(this, timeout, async () => {
    const operation = await client.showOperation({ params: { id } });
    const result = operationResult(this, operation);
    return operation.state === 'running' ? { ...result, data: { ...operation, isReached: false } } : result;
  });
});

/** Checks until the condition is met or the time runs out; then the last state is the result. */
async function until(context: Context, timeout: string, check: () => Promise<Result>): Promise<Result> {
  const { t, style, language } = context;
  const seconds = lifetime('--timeout', timeout, longestDays);
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const isLast = Date.now() + pause > end;
    const result = await check().catch((error: unknown) => {
      if (isLast || !isTransient(error)) throw error;
      return undefined;
    });
    if (result && (result.data as { isReached?: boolean }).isReached !== false) return result;
    if (result && isLast) {
      const spent = duration(seconds, language);
      const late = t({ en: `Timed out after ${spent}.`, ru: `Время истекло: ${spent}.` });
      return { ...result, text: `${result.text}\n${style.red('✗')} ${late}`, exitCode: exitCodes.failed.code };
    }
    await sleep(pause);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.problems.some(({ code }) => code === 'NOVA8321');
}
