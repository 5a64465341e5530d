import { expect, test } from 'vitest';
import { changesIn, messageOf } from './messages.ts';

const change = (address: string, actions: string[], more: object = {}) => ({
  address,
  change: {
    actions,
    before: null,
    after: null,
    after_unknown: {},
    before_sensitive: false,
    after_sensitive: false,
    ...more,
  },
});

test('a plan is what changes, without what stays and without what is only read', () => {
  const plan = {
    resource_changes: [
      change('ovirt_vm.machine["a"]', ['create'], { after: { name: 'a', cpu: 2 }, after_unknown: { id: true } }),
      change('ovirt_vm.machine["b"]', ['no-op']),
      change('data.ovirt_templates.all', ['read']),
      change('ovirt_vm.machine["c"]', ['update'], {
        before: { name: 'c', cpu: 2, tags: ['x'] },
        after: { name: 'c', cpu: 4, tags: ['x'] },
      }),
      change('ovirt_vm.machine["d"]', ['delete', 'create'], { before: { name: 'd' }, after: { name: 'e' } }),
      change('ovirt_vm.machine["f"]', ['delete'], { before: { name: 'f' } }),
    ],
  };
  expect(changesIn(JSON.stringify(plan))).toEqual([
    {
      address: 'ovirt_vm.machine["a"]',
      action: 'create',
      fields: [
        { name: 'cpu', after: 2 },
        { name: 'name', after: 'a' },
      ],
    },
    { address: 'ovirt_vm.machine["c"]', action: 'change', fields: [{ name: 'cpu', before: 2, after: 4 }] },
    { address: 'ovirt_vm.machine["d"]', action: 'replace', fields: [{ name: 'name', before: 'd', after: 'e' }] },
    { address: 'ovirt_vm.machine["f"]', action: 'remove', fields: [] },
  ]);
  expect(changesIn('{}')).toEqual([]);
});

test.each([
  ['the value itself', { script: 'secret-2' }, { script: true }],
  ['a part of the value', { script: [{ text: 'secret-2' }] }, { script: [{ text: true }] }],
])('a secret attribute is named, its value is not shown: %s', (_what, after, marks) => {
  const given = { before: { script: 'secret-1' }, after, before_sensitive: {}, after_sensitive: marks };
  const found = changesIn(JSON.stringify({ resource_changes: [change('a.b', ['update'], given)] }));
  expect(found).toEqual([{ address: 'a.b', action: 'change', fields: [{ name: 'script' }] }]);
});

test('the log gets progress and warnings, the failure gets errors, and everything else is left out', () => {
  const line = (content: object) => messageOf(JSON.stringify(content));
  expect(line({ '@message': 'vm: Creating...', type: 'apply_start' })).toEqual({ progress: 'vm: Creating...' });
  expect(line({ '@message': 'OpenTofu 1.12', type: 'version' })).toEqual({});
  const said = (severity: string) => ({ type: 'diagnostic', diagnostic: { severity, summary: 'No', detail: 'why' } });
  expect(line(said('error'))).toEqual({ error: 'No: why' });
  expect(line(said('warning'))).toEqual({ progress: 'No: why' });
  for (const text of ['', 'text', '[]', '{"type":7}']) expect(messageOf(text)).toEqual({});
});
