import type { Operation } from '@nova-platform/contracts/universe/client';
import { command } from '../../command.ts';
import { stateText } from '../../operation-tree.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { limitOf } from '../../values.ts';

export interface ListFlags {
  cluster?: string;
  state?: Operation['state'];
  limit: string;
  output: Output;
}

export const list = command<ListFlags, []>(async function ({ cluster, state, limit }) {
  const { io, t, language } = this;
  const query = { ...(cluster !== undefined && { cluster }), ...(state && { state }), limit: limitOf(limit) };
  const { operations, next } = await universeOf(io).client.listOperations({ query });
  if (operations.length === 0) {
    return { data: { operations }, text: t({ en: 'There are no matching operations.', ru: 'Таких операций нет.' }) };
  }
  const head = [
    t({ en: 'ID', ru: '№' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'OPERATION', ru: 'ОПЕРАЦИЯ' }),
    t({ en: 'CLUSTER', ru: 'КЛАСТЕР' }),
    t({ en: 'STEPS', ru: 'ШАГИ' }),
    t({ en: 'BY', ru: 'КТО' }),
    t({ en: 'WHEN', ru: 'КОГДА' }),
  ];
  const rows = operations.map((operation) => [
    String(operation.id),
    stateText(this, operation),
    oneLine(operation.title[language]),
    oneLine(operation.lock ?? '—'),
    `${operation.steps.filter((step) => step.state === 'done').length}/${operation.steps.length}`,
    oneLine(operation.requestedBy),
    ago(operation.createdAt, language),
  ]);
  const lines = table([head, ...rows], { width: io.stdout.columns, yielding: 2 });
  const more = t({
    en: 'There are older operations: --limit shows more.',
    ru: 'Есть более старые операции: --limit покажет больше.',
  });
  return {
    data: { operations },
    text: [...lines, ...(next === undefined ? [] : ['', this.style.dim(more)])].join('\n'),
  };
});
