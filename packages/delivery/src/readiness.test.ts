import { expect, test } from 'vitest';
import { reconcilingSince, repairOf } from './readiness.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const module = { metadata: { name: 'ingress', generation: 1 }, status: { history: [{ firstReconciled: at(10) }] } };
const event = (second: number, message: string, name = 'ingress') => ({
  involvedObject: { name },
  message,
  lastTimestamp: at(second),
});

test('changes after the first reconciliation are repairs, and the last one is reported', () => {
  const made = event(5, 'Namespace/nova-ingress created\nDaemonSet/nova-ingress/traefik-infra created');
  const first = event(20, 'DaemonSet/nova-ingress/traefik-infra created');
  const second = event(
    30,
    'DaemonSet/nova-ingress/traefik-infra configured\nServiceAccount/nova-ingress/traefik created',
  );
  const others = [event(40, 'Health check passed in 5s'), event(50, 'Deployment/a/b created', 'local-path')];
  expect(repairOf(module, { items: [made, ...others] })).toEqual({});
  expect(repairOf(module, { items: [second, made, first, ...others] })).toEqual({
    repaired: {
      at: new Date(at(30)),
      objects: ['DaemonSet/nova-ingress/traefik-infra', 'ServiceAccount/nova-ingress/traefik'],
    },
  });
});

test('changes before the first complete reconciliation are no repairs', () => {
  const unfinished = { ...module, status: {} };
  expect(repairOf(unfinished, { items: [event(5, 'Deployment/a/b created')] })).toEqual({});
});

test('a reconciliation begins with the condition Unknown, and that of a new module with its creation', () => {
  const condition = (status: string, reason = '') => ({ status, reason, lastTransitionTime: at(20) });
  expect(reconcilingSince(condition('Unknown'), at(1))).toEqual({ reconcilingSince: new Date(at(20)) });
  expect(reconcilingSince(undefined, at(1))).toEqual({ reconcilingSince: new Date(at(1)) });
  expect(reconcilingSince(condition('False', 'ReconciliationFailed'), at(1))).toEqual({});
});

test('a module that waits for another one has the time since which it waits', () => {
  const condition = { status: 'False', reason: 'DependencyNotReady', lastTransitionTime: at(20) };
  expect(reconcilingSince(condition, at(1))).toEqual({ reconcilingSince: new Date(at(20)) });
});
