import { PassThrough } from 'node:stream';
import type { CatalogChange } from '@nova-platform/catalog';
import { describe, expect, test } from 'vitest';
import { plan as planOf } from '../../plan/src/testing.ts';
import { type AbsentMachine, differenceAsText, differenceOf } from './cluster-difference.ts';
import { translator } from './language.ts';
import { styleFor } from './style.ts';

const plan = planOf({
  nodeGroups: [
    { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'] },
    { name: 'work', roles: ['worker'] },
  ],
});
const change: CatalogChange = { kind: 'added', resource: 'File[/etc/hosts]', piece: 'hosts' };
const seen = plan.nodes.map(({ name }) => ({ name, seenAt: '2026-01-31T18:05:00Z' }));

/** What is shown when the machines are like this, of a cluster that is there as it is planned, or is new. */
function shown(machines: readonly AbsentMachine[], isNew = false, language: 'en' | 'ru' = 'en', unfinished?: number) {
  const plans = { plan, current: isNew ? undefined : (JSON.parse(JSON.stringify(plan)) as typeof plan) };
  const changes = plan.nodes.map(({ name }) => ({ node: name, changes: isNew ? [change] : [] }));
  const difference = differenceOf(plans, changes, isNew ? [] : seen, { machines, unfinished });
  const look = { language, t: translator(language), style: styleFor(new PassThrough(), {}) };
  return { isAny: difference.isAny, text: differenceAsText(look, plans, difference) };
}

describe('machines', () => {
  const missing: AbsentMachine = { name: 'demo-work-1', state: 'missing' };
  const stopped: AbsentMachine = { name: 'demo-main-1', state: 'stopped' };

  test('where all are there and run, nothing would change', () => {
    expect(shown([])).toEqual({ isAny: false, text: '✓ demo is approved as it is: nothing would change.' });
  });

  test('one that is missing or stopped is a change, though every node stays as it was approved', () => {
    const { isAny, text } = shown([stopped, missing]);
    expect(isAny).toBe(true);
    expect(text).toMatchInlineSnapshot(`
      "demo · 0 of 2 nodes would change

      ~ demo-main-1: its machine is stopped; it is started
      + demo-work-1: its machine is missing; it is made again"
    `);
    expect(shown([missing], false, 'ru').text).toContain('+ demo-work-1: машины нет; она будет создана снова');
  });

  test('a node that would offer fewer processors than its manifest asks for is named', () => {
    const smaller = { ...missing, offeredCpu: 2 };
    expect(shown([stopped, smaller], true).text).toContain(
      '! demo-work-1: CPU capacity 2: the host has no more processors',
    );
    expect(shown([smaller], true, 'ru').text).toContain(
      '! demo-work-1: ёмкость CPU 2: больше процессоров на хосте нет',
    );
  });

  test('of a new node it goes without saying', () => {
    const { text } = shown([stopped, missing], true);
    expect(text).toContain('+ demo-main-1, demo-work-1');
    expect(text).not.toContain('its machine');
  });
});

test('a change that was not brought to its end is one, though nothing else would change', () => {
  const { isAny, text } = shown([], false, 'en', 7);
  expect(isAny).toBe(true);
  expect(text).toMatchInlineSnapshot(`
    "demo · 0 of 2 nodes would change

    ~ operation 7 was not brought to its end: the rest of it is done"
  `);
  expect(shown([], false, 'ru', 7).text).toContain('операция 7 не доведена до конца');
});
