import { expect, test } from 'vitest';
import { unreadyPods } from './pods.ts';

const condition = (type: string, status: string, message = '') => ({ type, status, message });

test('pods that are not ready have a reason, and finished and terminating pods are left out', () => {
  const pod = (name: string, status: object, metadata: object = {}) => ({
    metadata: { name, namespace: 'kube-system', ...metadata },
    spec: { nodeName: 'one' },
    status: { phase: 'Running', ...status },
  });
  const waiting = { state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } };
  const pods = [
    pod('well', { conditions: [condition('Ready', 'True')] }),
    pod('done', { phase: 'Succeeded', conditions: [condition('Ready', 'False')] }),
    pod('going', { conditions: [condition('Ready', 'False')] }, { deletionTimestamp: '2026-11-15T12:00:00Z' }),
    pod('pulling', { conditions: [condition('Ready', 'False', 'containers')], containerStatuses: [waiting] }),
    { ...pod('waiting', { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'no room')] }), spec: {} },
    pod('new', { phase: 'Pending' }),
  ];
  expect(unreadyPods(pods)).toEqual([
    { namespace: 'kube-system', name: 'pulling', node: 'one', reason: 'ImagePullBackOff: no such image' },
    { namespace: 'kube-system', name: 'waiting', reason: 'no room' },
    { namespace: 'kube-system', name: 'new', node: 'one', reason: 'Pending' },
  ]);
});
