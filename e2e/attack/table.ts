export type Role =
  | 'stranger'
  | 'viewer token'
  | 'operator'
  | 'oVirt reader'
  | 'team'
  | 'other team'
  | 'node'
  | 'other cluster'
  | 'revoked node'
  | 'root in a machine'
  | 'root in a VM'
  | 'taken-over QEMU'
  | 'service user';

export type Outcome = 'allowed' | 'denied';

/** One attack attempt on a live site. */
export interface Attempt {
  role: Role;
  what: string;
  /** `possible`: deliberately not prevented; the ADR explains why. */
  expected: Outcome | { possible: string };
  run: () => Promise<Outcome>;
}

export interface Row {
  role: Role;
  what: string;
  expected: string;
  found: string;
  isAsSpecified: boolean;
}

/** Runs attempts in order: an attempt sees the changes of the previous ones. */
export async function rowsOf(attempts: readonly Attempt[], tell: (row: Row) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { role, what, expected, run } of attempts) {
    const found = await run().catch((error: unknown) => `failed: ${String(error).split('\n')[0]}`);
    const isPossible = typeof expected === 'object';
    const row = {
      role,
      what,
      expected: isPossible ? `possible (${expected.possible})` : expected,
      found,
      isAsSpecified: isPossible ? found === 'allowed' || found === 'denied' : found === expected,
    };
    rows.push(row);
    tell(row);
  }
  return rows;
}

/** `✓ stranger  reads the list of clusters  denied` */
export function textOf({ role, what, expected, found, isAsSpecified }: Row): string {
  const verdict = isAsSpecified ? expected : `${found}, expected ${expected}`;
  return `${isAsSpecified ? '✓' : '✗'} ${role.padEnd(17)}  ${what.padEnd(78)}  ${verdict}`;
}
