import { allNodes, type ListedNode } from '@nova-platform/contracts/config-manager/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { oneLine } from '../../outside.ts';
import { configOf } from '../../services.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { knownUniverse } from '../../universe.ts';
import { statusText } from './report-text.ts';

export async function list(this: Context): Promise<Result> {
  const { t, io, language } = this;
  const client = configOf(io);
  const names = (await allNodes(client)).map(({ name }) => name);
  const [nodes, outdated] = await Promise.all([
    Promise.all(names.map((name) => client.showNode({ params: { name } }))),
    outdatedMachines(io),
  ]);
  if (nodes.length === 0) return { data: nodes, text: emptyText(this) };
  const head = [
    t({ en: 'NODE', ru: 'УЗЕЛ' }),
    t({ en: 'CLUSTER', ru: 'КЛАСТЕР' }),
    t({ en: 'STATUS', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'LAST RUN', ru: 'ЗАПУСК' }),
    t({ en: 'CHANGES', ru: 'ИЗМЕНЕНИЙ' }),
    t({ en: 'DRIFT', ru: 'ОТКАЧЕНО' }),
    t({ en: 'PENDING', ru: 'НЕ УТВЕРЖДЕНО' }),
    t({ en: 'AGENT', ru: 'АГЕНТ' }),
    // An empty column is omitted.
    ...(outdated.size > 0 ? [t({ en: 'SECURITY UPDATES', ru: 'ОБНОВЛЕНИЯ БЕЗОПАСНОСТИ' })] : []),
  ];
  const rows = nodes.map((node) => [
    node.name,
    node.cluster ?? '—',
    stateText(this, node),
    node.lastRun ? ago(node.lastRun.at, language) : '—',
    String(node.lastRun?.changed ?? '—'),
    String(node.lastRun?.corrective ?? '—'),
    String(node.pending),
    oneLine(node.agentVersion ?? '—', 20),
    ...(outdated.size > 0 ? [missingText(this, outdated.get(node.name) ?? [])] : []),
  ]);
  const data = nodes.map((node) => {
    const missing = outdated.get(node.name);
    return { ...node, ...(missing && { missingSecurityUpdates: missing }) };
  });
  return { data, text: table([head, ...rows]).join('\n') };
}

/** The missing security updates by machine name. A standalone Configuration Manager has no machines. */
async function outdatedMachines(io: Context['io']): Promise<Map<string, string[]>> {
  const status = await knownUniverse(io)
    ?.client.status({})
    .catch(() => undefined);
  return new Map(status?.updates.machines.map(({ name, security }) => [name, security]));
}

function missingText({ style, t }: Context, missing: readonly string[]): string {
  if (missing.length === 0) return '—';
  return style.yellow(t({ en: `${missing.length} missing`, ru: `не хватает: ${missing.length}` }));
}

function stateText(context: Context, { identity, lastRun }: ListedNode): string {
  const { t, style } = context;
  if (identity === 'revoked') return style.yellow(t({ en: 'revoked', ru: 'отозван' }));
  if (identity === 'none') return style.dim(t({ en: 'not enrolled', ru: 'не зарегистрирован' }));
  return lastRun ? statusText(context, lastRun) : style.dim(t({ en: 'never ran', ru: 'не запускался' }));
}

function emptyText({ t }: Context): string {
  return [
    t({ en: 'No nodes are planned or enrolled yet.', ru: 'Узлов ещё нет: ни запланированных, ни зарегистрированных.' }),
    '',
    ...table([
      ['  nova-ctl config apply -f cluster.yaml', t({ en: 'approve a manifest', ru: 'утвердить манифест' })],
      [
        `  nova-ctl config token create --node ${t({ en: 'NAME', ru: 'ИМЯ' })}`,
        t({ en: 'enrol a node', ru: 'зарегистрировать узел' }),
      ],
    ]),
  ].join('\n');
}
