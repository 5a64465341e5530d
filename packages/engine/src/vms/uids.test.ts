import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeUid } from './uids.ts';

test('no two VMs have the same user, in any order of creation and deletion', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant('create' as const), fc.nat(20))), (steps) => {
      const uids: number[] = [];
      for (const step of steps) {
        if (step !== 'create') uids.splice(step, 1);
        else {
          const uid = freeUid(uids);
          expect(uids).not.toContain(uid);
          // Neither users of this host nor of its containers.
          expect(uid).toBeGreaterThanOrEqual(1_900_000_000);
          expect(uid).toBeLessThan(1_900_000_000 + steps.length);
          uids.push(uid);
        }
      }
    }),
  );
});
