import { describe, problem } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { actionsOf, isCommand } from './remedies.ts';

test.for(['en', 'ru'] as const)('the remedy of a stopped service offers to run the agent, %s', (language) => {
  const stopped = problem('NOVA8356', {
    service: 'containerd',
    state: { en: 'is not running', ru: 'не работает' },
    node: 'demo-main-1',
  });
  expect(actionsOf(describe(stopped, language).remedy)).toEqual([{ kind: 'run-agent', node: 'demo-main-1' }]);
});

test('a failed operation gives one link, although two commands name it', () => {
  const failed = problem('NOVA8364', { id: 7, title: { en: 'Create', ru: 'Создать' }, step: 'network' });
  expect(actionsOf(describe(failed, 'en').remedy)).toEqual([{ kind: 'operation', id: '7', to: '/operations/7' }]);
});

test.for(['en', 'ru'] as const)(
  'a node that has not converged gives links to its reports and its console, %s',
  (language) => {
    const unconverged = problem('NOVA8342', { node: 'demo-main-1' });
    expect(actionsOf(describe(unconverged, language).remedy)).toEqual([
      { kind: 'reports', node: 'demo-main-1', to: '/nodes/demo-main-1/reports' },
      { kind: 'console', node: 'demo-main-1', to: '/nodes/demo-main-1/console' },
    ]);
  },
);

test('placeholders and other commands give no action', () => {
  expect(actionsOf('See: `nova-ctl node reports NAME`. On the host: `nova-ctl up`.')).toEqual([]);
});

test.for([
  ['nova-ctl node run demo-main-1', true],
  ['journalctl -u kube-apiserver -u etcd', true],
  ['kubectl get events -A', true],
  ['delivery: flux', false],
  ['limits.nodes', false],
  ['users', false],
] as const)('%s is a command: %s', ([code, expected]) => {
  expect(isCommand(code)).toBe(expected);
});
