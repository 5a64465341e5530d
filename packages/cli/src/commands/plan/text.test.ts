import { allRoles, type Declaration, type Group, plan } from '@nova-platform/plan/testing';
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

test('the plan shows the kind of the machines of each group, and warns about emulation', () => {
  const text = (provider: Declaration['provider'], hostKind?: 'container' | 'vm', language: 'en' | 'ru' = 'en') => {
    const nodeGroups: Group[] = [
      { name: 'main', roles: allRoles, disk: '20Gi' },
      { name: 'other', roles: ['worker'], disk: '20Gi', machineKind: 'container' },
    ];
    return planAsText(plan({ nodeGroups, ...(provider && { provider }) }, { hostKind }), {
      ...options,
      language,
      hostKind,
    });
  };
  const emulated = text({ type: 'local', machineKind: 'vm' }, 'container');
  expect(emulated).toContain('main (1): control-plane, infra, ingress, worker; 2 CPU, 4 GiB, disk 20 GiB; VM\n');
  expect(emulated).toContain('other (1): worker; 2 CPU, 4 GiB, disk 20 GiB; container\n');
  expect(emulated).toContain('! VM: emulated: the host has no KVM, about twenty times slower\n');
  expect(text({ type: 'local', machineKind: 'vm' }, 'container', 'ru')).toContain(
    '! ВМ: эмуляция: на хосте нет KVM, примерно в двадцать раз медленнее\n',
  );
  expect(text({ type: 'local' }, 'vm')).toMatch(/main.*; VM\n/);
  expect(text({ type: 'local' }, 'container')).toMatch(/main.*; container\n/);
  expect(text({ type: 'local' })).toMatch(/main.*; VM on a host with KVM, else container\n/);
  for (const host of ['vm', undefined] as const)
    expect(text({ type: 'local', machineKind: 'vm' }, host)).not.toContain('emulated');
});
