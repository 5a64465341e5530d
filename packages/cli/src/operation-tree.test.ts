import { PassThrough } from 'node:stream';
import type { Operation, OperationStep } from '@nova-platform/contracts/universe/client';
import { expect, test } from 'vitest';
import { translator } from './language.ts';
import { type Look, operationResult, operationTree } from './operation-tree.ts';
import { styleFor } from './style.ts';

process.env.TZ = 'UTC';

const look = (language: 'en' | 'ru' = 'en'): Look => ({
  language,
  t: translator(language),
  style: styleFor(new PassThrough(), {}),
});

const at = (seconds: number) => new Date(Date.parse('2026-01-31T18:05:00Z') + seconds * 1000).toISOString();
const approve = { en: 'Approve the catalogs of the nodes', ru: 'Утвердить каталоги узлов' };
const run = { en: 'Run the agent', ru: 'Запустить агент' };

function step(name: string, state: OperationStep['state'], more: Partial<OperationStep> = {}): OperationStep {
  const title = { approve, run, check: { en: 'check', ru: 'проверить' } }[name.split('/')[0] ?? ''] ?? approve;
  return { name, title, state, attempts: state === 'waiting' ? 0 : 1, ...more };
}

const failed: Operation = {
  id: 17,
  kind: 'cluster.configure',
  title: { en: 'Configure the nodes as declared', ru: 'Настроить узлы, как описано' },
  lock: 'demo',
  state: 'failed',
  isCancelling: false,
  requestedBy: 'anna',
  createdAt: at(0),
  endedAt: at(75),
  failure: {
    step: 'run/demo-main-3',
    problems: [{ code: 'NOVA8341', params: { nodes: 'demo-main-3' }, path: [] }],
  },
  steps: [
    step('approve', 'done', { startedAt: at(0), endedAt: at(2) }),
    step('run/demo-main-1', 'done', { startedAt: at(2), endedAt: at(33) }),
    step('run/demo-main-2', 'done', { startedAt: at(2), endedAt: at(63) }),
    step('run/demo-main-3', 'failed', { startedAt: at(2), endedAt: at(75), attempts: 3 }),
    step('check', 'waiting'),
  ],
};

test('a failed operation shows the step, the reason, the remedy and how to resume', () => {
  const { text, exitCode } = operationResult(look(), failed);
  expect(exitCode).toBe(1);
  expect(text).toMatchInlineSnapshot(`
    "17 · Configure the nodes as declared · demo
    failed · 1 min 15 s · 2026-01-31 18:05:00, by anna

    ├─ ✓ Approve the catalogs of the nodes  2 s
    ├─ ✗ Run the agent  2 of 3 · 1 min 13 s
    │  ├─ ✓ demo-main-1  31 s
    │  ├─ ✓ demo-main-2  1 min 1 s
    │  └─ ✗ demo-main-3  1 min 13 s · 3 attempts
    └─ ○ check

    ✗ Operation 17 failed at run/demo-main-3 (Run the agent)

    NOVA8341
      Agent runs failed on demo-main-3.
      → See the reports: \`nova-ctl node reports NAME\`. Then resume the operation.

      nova-ctl operation resume 17 --follow  continue from this step
      nova-ctl operation cancel 17           cancel it and roll back its changes"
  `);
});

test('a failed operation shows the same in Russian', () => {
  expect(operationResult(look('ru'), failed).text).toMatchInlineSnapshot(`
    "17 · Настроить узлы, как описано · demo
    сбой · 1 мин 15 с · 2026-01-31 18:05:00, запросил anna

    ├─ ✓ Утвердить каталоги узлов  2 с
    ├─ ✗ Запустить агент  2 из 3 · 1 мин 13 с
    │  ├─ ✓ demo-main-1  31 с
    │  ├─ ✓ demo-main-2  1 мин 1 с
    │  └─ ✗ demo-main-3  1 мин 13 с · попыток: 3
    └─ ○ проверить

    ✗ Сбой операции 17, шаг run/demo-main-3 (Запустить агент)

    NOVA8341
      Запуски агентов завершились сбоем на узлах: demo-main-3.
      → Посмотрите отчёты: \`nova-ctl node reports ИМЯ\`. Затем продолжите операцию.

      nova-ctl operation resume 17 --follow  продолжить с этого шага
      nova-ctl operation cancel 17           отменить и откатить изменения"
  `);
});

test('a cancelled operation shows what was rolled back and what stays', () => {
  const { text, exitCode } = operationResult(look(), {
    ...failed,
    state: 'cancelled',
    isCancelling: true,
    kept: ['approve', 'run/demo-main-2'],
    steps: [
      step('approve', 'done', { startedAt: at(0), endedAt: at(2) }),
      step('run/demo-main-1', 'undone', { startedAt: at(2), endedAt: at(33) }),
      step('run/demo-main-2', 'running', { startedAt: at(2) }),
      step('check', 'waiting'),
    ],
  });
  expect(exitCode).toBe(1);
  expect(text).toMatchInlineSnapshot(`
    "17 · Configure the nodes as declared · demo
    cancelled · 1 min 15 s · 2026-01-31 18:05:00, by anna

    ├─ ✓ Approve the catalogs of the nodes  2 s
    ├─ ↶ Run the agent  0 of 2
    │  ├─ ↶ demo-main-1  31 s · rolled back
    │  └─ ● demo-main-2  interrupted
    └─ ○ check

    ↶ Operation 17 is cancelled.
      The changes of these steps cannot be rolled back: approve, run/demo-main-2."
  `);
});

test('an operation with a failed rollback shows this, and does not offer to cancel again', () => {
  const { text } = operationResult(look(), { ...failed, isCancelling: true });
  expect(text.slice(text.indexOf('✗ The rollback'))).toMatchInlineSnapshot(`
    "✗ The rollback of operation 17 failed at run/demo-main-3 (Run the agent)

    NOVA8341
      Agent runs failed on demo-main-3.
      → See the reports: \`nova-ctl node reports NAME\`. Then resume the operation.

      nova-ctl operation resume 17 --follow  continue from this step"
  `);
});

test('an operation of a newer release with unknown problem codes is still shown', () => {
  const problems = [{ code: 'NOVA8999', params: { what: 'moon' }, path: [] }];
  const { text } = operationResult(look(), { ...failed, failure: { step: '', problems } });
  expect(text).toContain('Operation 17 failed.');
  expect(text).toContain('NOVA8999 {"what":"moon"}');
});

const names = Array.from({ length: 40 }, (_, index) => `run/demo-main-${index + 1}`);
const large: Operation = {
  ...failed,
  state: 'running',
  steps: [
    step('approve', 'done', { startedAt: at(0), endedAt: at(2) }),
    ...names.map((name, index) =>
      step(name, index < 20 ? 'done' : index < 22 ? 'running' : index === 22 ? 'failed' : 'waiting', {
        ...(index === 22 && { problems: [{ code: 'NOVA8341', params: { nodes: name }, path: [] }] }),
      }),
    ),
  ],
};
const logs = new Map([['run/demo-main-21', ['one', 'two', '\u001b[31mthree\u001b[0m\u0007']]]);

test('running steps show the end of their log without control sequences', () => {
  const lines = operationTree(look(), large, { logs });
  const index = lines.findIndex((line) => line.includes('demo-main-21'));
  expect(lines.slice(index, index + 5).join('\n')).toMatchInlineSnapshot(`
    "   ├─ ● demo-main-21
       │    one
       │    two
       │    three�
       ├─ ● demo-main-22"
  `);
});

test('with little room, only steps that need attention are shown', () => {
  expect(operationTree(look(), large, { logs, room: 10 }).join('\n')).toMatchInlineSnapshot(`
    "├─ ✓ Approve the catalogs of the nodes  2 s
    └─ ✗ Run the agent  20 of 40
       ├─ ● demo-main-21
       │    three�
       ├─ ● demo-main-22
       ├─ ✗ demo-main-23
       │    NOVA8341 Agent runs failed on run/demo-main-23.
       └─ … 37 more"
  `);
});

test.for([1, 2, 3, 5, 8, 13, 21, 34, 55])('the tree never exceeds the available lines: %i', (room) => {
  expect(operationTree(look(), large, { logs, room }).length).toBeLessThanOrEqual(room);
});
