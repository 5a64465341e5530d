import { ProblemError, problem } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { givenAddresses, namingOptions } from './site.ts';

test('a rejected address is reported with its option', async () => {
  const refused = problem('NOVA7090', { field: 'externalNetwork', network: '172.30.0.0/16', shown: 'route x' }, [
    'externalNetwork',
  ]);
  const unrelated = problem('NOVA7031', {});
  const error = await namingOptions(async () => {
    throw new ProblemError(refused, unrelated);
  }).catch((reason: unknown) => reason);
  expect((error as ProblemError).problems).toEqual([
    { ...refused, path: ['--external-network'], params: { ...refused.params, field: '--external-network' } },
    unrelated,
  ]);
});

test('omitted options are left out', () => {
  const flags = { domain: 'cloud.example.com', output: 'text' };
  expect(givenAddresses(flags)).toEqual({ domain: 'cloud.example.com' });
});
