/** systemd's overview of user IDs lists no use of this range. */
const first = 1_900_000_000;

/** The user of tools that work on disks of no machine. */
export const storageUid: number = first - 1;

/** A user for a new VM. The user of a deleted one is free again, because all its files are removed. */
export function freeUid(taken: Iterable<number>): number {
  const used = new Set(taken);
  let uid = first;
  while (used.has(uid)) uid += 1;
  return uid;
}
