import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { styleFor } from '../../style.ts';
import { planAsText } from './text.ts';

const options = { language: 'en' as const, style: styleFor(process.stdout, { NO_COLOR: '1' }) };

test('memory and disk sizes add up across different suffixes', () => {
  const roles = ['control-plane', 'infra', 'ingress', 'worker'] as const;
  const planned = plan({
    nodeGroups: [
      { name: 'main', roles: [...roles], memory: '1Ti', disk: '1.5Ti' },
      { name: 'more', roles: ['worker'], memory: '4194304Ki', disk: '1e12' },
    ],
  });
  expect(planAsText(planned, options)).toContain('1028 GiB memory and 2467 GiB disk');
});
