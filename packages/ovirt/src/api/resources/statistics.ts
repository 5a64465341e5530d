import type { Call } from '../call.ts';
import { idOf } from '../ids.ts';
import type { Resource } from '../resource.ts';

interface Statistic {
  name: string;
  unit: 'bytes' | 'percent' | 'none';
  value: number;
}

export function statistics<Owner>(
  kind: string,
  read: (call: Call, owner: Owner) => Promise<readonly Statistic[]>,
): Resource<Statistic, Owner> {
  return {
    path: 'statistics',
    element: 'statistic',
    elements: 'statistics',
    kind: { en: 'statistic', ru: 'показатель' },
    id: ({ name }) => idOf('statistic', kind, name),
    list: read,
    show: ({ name, unit, value }) => ({
      name,
      description: name,
      kind: 'gauge',
      type: Number.isInteger(value) ? 'integer' : 'decimal',
      unit,
      values: { value: [{ datum: value }] },
    }),
  };
}
