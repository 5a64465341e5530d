import { ProblemError, problem } from '@nova-platform/api';
import { memoryProvider } from '@nova-platform/infra/testing';
import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { assertStartable } from './preflight.ts';

const lacksMemory = problem('NOVA7025', { what: 'memory', free: '1 GiB', needed: '4 GiB' });
const lacksKernel = problem('NOVA7032', { what: 'nftables', remedy: '' });

/** The codes that the start of a cluster is refused with. */
async function refusals(provider: ReturnType<typeof memoryProvider>): Promise<string[]> {
  const error = await assertStartable(plan(), provider).catch((each: unknown) => each);
  return error instanceof ProblemError ? error.problems.map(({ code }) => code) : [];
}

test('a cluster cannot start without memory for its machines', async () => {
  const provider = memoryProvider();
  expect(await refusals(provider)).toEqual([]);
  provider.problems.push(lacksKernel, lacksMemory);
  expect(await refusals(provider)).toEqual(['NOVA7025']);
});

test('a start is accepted while the provider is unreachable', async () => {
  const unreachable = async () => Promise.reject(new ProblemError(problem('NOVA7030', {})));
  expect(await refusals({ ...memoryProvider(), preflight: unreachable })).toEqual([]);
  expect(await refusals({ ...memoryProvider(), preflight: async () => undefined })).toEqual([]);
});
