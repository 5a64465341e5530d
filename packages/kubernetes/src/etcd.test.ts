import { describe, expect, test } from 'vitest';
import { type Member, missedBy, nextChange } from './etcd.ts';

const node = (number: number) => ({ name: `cp-${number}`, address: `10.0.0.${number}` });
const member = (number: number, change: Partial<Member> = {}): Member => ({
  id: `id-${number}`,
  address: `10.0.0.${number}`,
  isLearner: false,
  isHealthy: true,
  isLeader: false,
  ...change,
});
const down = { isHealthy: false };
const learner = { isLearner: true };

describe('the next change until nodes 1, 2 and 3 are the members', () => {
  const nodes = [1, 2, 3].map(node);

  test.each<[string, Member[], ReturnType<typeof nextChange>]>([
    ['nothing changes if all nodes are healthy members', [member(1), member(2), member(3)], undefined],
    ['the first missing node is added', [member(1)], { add: node(2) }],
    ['no member is added while there is a learner', [member(1), member(3, learner)], { promote: node(3), id: 'id-3' }],
    [
      'a learner that has not started is waited for',
      [member(1), member(2, { ...learner, ...down })],
      { wait: node(2) },
    ],
    ['no member is added while another is unhealthy', [member(1), member(2, down)], { wait: node(2) }],
    ['a learner that is no longer declared is removed', [member(1), member(9, learner)], { remove: 'id-9' }],
    [
      'a member that is no longer declared is left alone',
      [member(1), member(2), member(3), member(9, down)],
      undefined,
    ],
  ])('%s', (_what, members, change) => {
    expect(nextChange(members, nodes)).toEqual(change);
  });
});

describe('members that are missing for a quorum when others leave', () => {
  test.each<[string, Member[], number[], number[] | undefined]>([
    ['two of three leave, and the remaining one is healthy', [member(1), member(2), member(3)], [2, 3], undefined],
    ['one of three leaves', [member(1), member(2), member(3)], [3], undefined],
    ['the remaining one is unhealthy', [member(1, down), member(2), member(3)], [2, 3], [1]],
    ['one of the remaining two is unhealthy', [member(1, down), member(2), member(3)], [3], [1]],
    ['the unhealthy one leaves', [member(1), member(2), member(3, down)], [3], undefined],
    ['the unhealthy one is removed before the healthy one', [member(1), member(2), member(3, down)], [2, 3], undefined],
    [
      'two of five are unhealthy, one of them leaves',
      [1, 2, 3].map((n) => member(n)).concat(member(4, down), member(5, down)),
      [5],
      undefined,
    ],
    [
      'two of five are unhealthy, a healthy one leaves',
      [1, 2, 3].map((n) => member(n)).concat(member(4, down), member(5, down)),
      [3],
      [4, 5],
    ],
    ['a leaving learner has no vote', [member(1), member(2, { ...learner, ...down })], [2], undefined],
    ['the last one cannot leave', [member(1)], [1], []],
  ])('%s', (_what, members, leaving, missed) => {
    const addresses = (numbers: number[]) => numbers.map((number) => node(number).address);
    expect(missedBy(members, addresses(leaving))).toEqual(missed && addresses(missed));
  });

  test('the remaining healthy voters are always a majority', () => {
    for (let state = 0; state < 2 ** 5; state += 1) {
      for (let leaving = 0; leaving < 2 ** 5; leaving += 1) {
        const members = [0, 1, 2, 3, 4].map((n) => member(n, { isHealthy: (state & (1 << n)) > 0 }));
        const goes = members.filter((_, n) => (leaving & (1 << n)) > 0).map(({ address }) => address);
        if (goes.length === 0 || missedBy(members, goes)) continue;
        const rest = members.filter(({ address }) => !goes.includes(address));
        expect(rest.filter(({ isHealthy }) => isHealthy).length * 2).toBeGreaterThan(rest.length);
      }
    }
  });
});
