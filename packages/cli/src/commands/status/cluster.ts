import { describe, type Problem, reportedProblems, type Text, visible } from '@nova-platform/api';
import type { Health } from '@nova-platform/contracts/universe/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { problemAsData } from '../../failure.ts';
import { inLanguage } from '../../language.ts';
import { oneLine } from '../../outside.ts';
import { ago, clock } from '../../time.ts';
import { type Branch, drawTree, table, wrapped } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

type Node = Health['nodes'][number];

const usualWidth = 80;
const branchWidth = 3;

export async function clusterStatus(this: Context, cluster: string): Promise<Result> {
  const health = await universeOf(this.io).client.clusterHealth({ params: { cluster } });
  const isWrong = health.findings.some(({ severity }) => severity === 'error');
  return {
    data: {
      ...health,
      findings: health.findings.map(({ severity, chain }) => ({
        severity,
        chain: reportedProblems(chain).map((each) => problemAsData(each, this.language)),
      })),
    },
    text: healthText(this, health),
    exitCode: isWrong ? exitCodes.failed.code : exitCodes.done.code,
  };
}

function healthText(context: Context, health: Health): string {
  const findings = findingLines(context, health);
  return [
    ...headLines(context, health),
    '',
    ...nodeLines(context, health),
    ...moduleLines(context, health),
    ...operationLines(context, health),
    '',
    ...(findings.length > 0 ? findings : [endText(context, health)]),
    ...hostLines(context, health),
  ].join('\n');
}

function headLines({ t, style }: Context, health: Health): string[] {
  const colour = {
    ready: style.green,
    changing: style.cyan,
    stopped: style.dim,
    degraded: style.yellow,
    failed: style.red,
  };
  const { cluster, state, kubernetesVersion, server, cni, enforcesNetworkPolicies } = health;
  const unenforced = t({
    en: `Network policies are not enforced: pod networking is ${oneLine(cni)}.`,
    ru: `Сетевые политики не применяются: сеть подов — ${oneLine(cni)}.`,
  });
  return [
    [
      style.bold(oneLine(cluster)),
      colour[state](t(stateWords[state])),
      `Kubernetes ${oneLine(kubernetesVersion)}`,
      oneLine(server),
    ].join(' · '),
    ...(enforcesNetworkPolicies ? [] : [style.dim(unenforced)]),
  ];
}

export const stateWords: Record<Health['state'], Text> = {
  ready: { en: 'ready', ru: 'готов' },
  changing: { en: 'changing', ru: 'изменяется' },
  stopped: { en: 'stopped', ru: 'остановлен' },
  degraded: { en: 'degraded', ru: 'есть проблемы' },
  failed: { en: 'down', ru: 'не работает' },
};

function nodeLines(context: Context, { nodes }: Health): string[] {
  const { t, style, io } = context;
  // Empty columns are omitted.
  const hasPending = nodes.some(({ pending = 1 }) => pending > 0);
  const hasEnding = nodes.some(({ endingCertificates }) => endingCertificates.length > 0);
  const hasOutdated = nodes.some(({ missingSecurityUpdates = [] }) => missingSecurityUpdates.length > 0);
  const head = [
    `  ${t({ en: 'NODE', ru: 'УЗЕЛ' })}`,
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'VERSION', ru: 'ВЕРСИЯ' }),
    t({ en: 'LAST RUN', ru: 'ЗАПУСК' }),
    ...(hasPending ? [t({ en: 'PENDING', ru: 'ОЖИДАЕТ' })] : []),
    ...(hasEnding ? [t({ en: 'CERTIFICATES', ru: 'СЕРТИФИКАТЫ' })] : []),
    ...(hasOutdated ? [t({ en: 'UPDATES', ru: 'ОБНОВЛЕНИЯ' })] : []),
    t({ en: 'ROLES', ru: 'РОЛИ' }),
  ];
  const rows = nodes.map((node) => [
    `${node.isReady && node.machine !== 'stopped' ? style.green('✓') : style.red('✗')} ${oneLine(node.name)}`,
    nodeState(context, node),
    oneLine(node.version ?? '—'),
    lastRunText(context, node),
    ...(hasPending ? [String(node.pending ?? '—')] : []),
    ...(hasEnding ? [style.yellow(firstEnd(node))] : []),
    ...(hasOutdated ? [missingUpdates(context, node)] : []),
    node.roles.map((role) => oneLine(role)).join(','),
  ]);
  return table([head, ...rows], { width: widthOf(io), yielding: head.length - 1 });
}

function nodeState({ t, style }: Context, { machine, isReady }: Node): string {
  if (machine === 'stopped') return style.dim(t({ en: 'stopped', ru: 'остановлен' }));
  if (isReady === undefined) return '—';
  return isReady ? t({ en: 'ready', ru: 'готов' }) : style.red(t({ en: 'not ready', ru: 'не готов' }));
}

function lastRunText({ t, style, language }: Context, { lastRun }: Node): string {
  if (!lastRun) return '—';
  const failed = lastRun.status === 'failed' ? style.red(t({ en: 'failed ', ru: 'сбой, ' })) : '';
  return `${failed}${ago(lastRun.at, language)}`;
}

/** The earliest expiry among certificates with overdue renewal. */
function firstEnd({ endingCertificates }: Node): string {
  const [first] = endingCertificates.map(({ notAfter }) => notAfter).toSorted();
  return first === undefined ? '' : clock(first).slice(0, 10);
}

function missingUpdates({ t, style }: Context, { missingSecurityUpdates: missing }: Node): string {
  if (!missing) return '—';
  if (missing.length === 0) return t({ en: 'current', ru: 'актуальны' });
  return style.yellow(t({ en: `${missing.length} missing`, ru: `не хватает: ${missing.length}` }));
}

function moduleLines({ t, style }: Context, { modules = [], cluster, findings }: Health): string[] {
  if (modules.length === 0) return [];
  const others = modules.filter(({ state }) => state !== 'ready');
  // A finding has the reason already.
  const reported = new Set(findings.flatMap(({ chain }) => reportedProblems(chain).map(({ params }) => params.module)));
  const unreported = others.filter(({ name, isReconciling }) => !isReconciling && !reported.has(name));
  const ready = modules.length - others.length;
  const title = t({
    en: `Modules: ${ready} of ${modules.length} ready`,
    ru: `Модулей готово: ${ready} из ${modules.length}`,
  });
  const reconciling = others.filter(({ isReconciling }) => isReconciling).length;
  const routine = t({ en: `, ${reconciling} being reconciled`, ru: `, сверяется: ${reconciling}` });
  return [
    '',
    `${title}${reconciling > 0 ? routine : ''}`,
    ...unreported.map(
      ({ name, reason = '' }) => `${style.yellow('!')} ${oneLine(name)}: ${oneLine(inLanguage(reason, t))}`,
    ),
    ...(unreported.length > 0 ? [`  ${style.green('→')} nova-ctl module list ${oneLine(cluster)}`] : []),
  ];
}

/** In internal mode, only the cluster itself resolves its names. */
function hostLines({ t, style }: Context, { hosts }: Health): string[] {
  if (hosts.length === 0) return [];
  const why = t({
    en: 'Where your DNS server does not resolve these names, add these lines to your hosts file:',
    ru: 'Если ваш сервер DNS не разрешает эти имена, добавьте строки в файл hosts:',
  });
  return ['', style.dim(why), ...hosts.map((line) => `  ${oneLine(line)}`)];
}

function operationLines({ t, style, language }: Context, { operation }: Health): string[] {
  if (operation?.state !== 'running') return [];
  const { id, title } = operation;
  const isOn = t({ en: `Operation ${id} is running`, ru: `Выполняется операция ${id}` });
  return [
    '',
    `${style.cyan('●')} ${isOn}: ${oneLine(title[language])}`,
    `  ${style.green('→')} nova-ctl operation show ${id} --follow`,
  ];
}

/** The last line if there are no findings. */
function endText({ t, style }: Context, { state, cluster }: Health): string {
  if (state === 'stopped') return `${style.green('→')} nova-ctl start ${oneLine(cluster)}`;
  return `${style.green('✓')} ${t({ en: 'No problems found.', ru: 'Проблем нет.' })}`;
}

/** A problem and its causes. */
interface Cause {
  problem: Problem;
  severity: Health['findings'][number]['severity'];
  causes: Cause[];
}

export function findingLines(context: Context, { findings }: Pick<Health, 'findings'>): string[] {
  const { style, language } = context;
  const shown = new Set<string>();
  return treeOf(findings, language).flatMap(({ severity, ...cause }, index) => {
    const mark = severity === 'error' ? style.red('✗') : style.yellow('!');
    const { line, notes = [], children = [] } = branchOf(context, cause, shown, 1);
    const isBrief = notes.length + children.length === 0;
    return [
      ...(index > 0 && !isBrief ? [''] : []),
      `${mark} ${line}`,
      ...notes.map((note) => `  ${note}`),
      ...drawTree(children, style, '  '),
    ];
  });
}

/** Merges chains with the same beginning. */
function treeOf(findings: Health['findings'], language: Context['language']): Cause[] {
  const roots: Cause[] = [];
  for (const { severity, chain } of findings) {
    let level = roots;
    for (const problem of reportedProblems(chain)) {
      const words = describe(problem, language).message;
      const same = level.find((each) => describe(each.problem, language).message === words);
      const cause: Cause = same ?? { problem, severity, causes: [] };
      if (!same) level.push(cause);
      level = cause.causes;
    }
  }
  return roots;
}

/** Only root causes have a remedy; a repeated remedy is printed once. */
function branchOf(
  context: Context,
  { problem, causes }: Omit<Cause, 'severity'>,
  shown: Set<string>,
  depth: number,
): Branch {
  const { language, style, io } = context;
  const { message, remedy } = describe(problem, language);
  const width = widthOf(io) - depth * branchWidth - 2;
  const [line = '', ...more] = wrapped(`${problem.code} ${visible(message)}`, width);
  const isNew = causes.length === 0 && !shown.has(remedy);
  if (isNew) shown.add(remedy);
  return {
    line: line.replace(problem.code, style.dim(problem.code)),
    notes: [...more, ...(isNew ? remedyLines(context, visible(remedy), width) : [])],
    children: causes.map((cause) => branchOf(context, cause, shown, depth + 1)),
  };
}

/**
 * Turns `Start it: \`command\`.` into a line with the command, ready to copy, and the reason next to it or above it.
 */
function remedyLines({ style }: Context, remedy: string, width: number): string[] {
  return [...remedy.matchAll(/([^`]*)(?:`([^`]+)`[.;,]?\s*)?/g)].flatMap(([, words = '', command]) => {
    const why = words.trim();
    if (command === undefined) return why === '' ? [] : wrapped(why, width);
    const line = `${style.green('→')} ${command}`;
    const fits = command.length + why.length + 4 <= width;
    return fits ? [`${line}  ${style.dim(why.replace(/:$/, ''))}`] : [...wrapped(why, width).map(style.dim), line];
  });
}

function widthOf({ stdout }: Context['io']): number {
  return stdout.columns || usualWidth;
}
