import { problem } from '@nova-platform/api';
import type { CheckedImage, LastCheck, MachineStatus } from '@nova-platform/contracts/engine/client';
import type { Context } from '../../context.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { findingLines } from '../status/cluster.ts';

export function imageLines(context: Context, images: readonly CheckedImage[]): string[] {
  const { t, language } = context;
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'DIGEST', ru: 'ДАЙДЖЕСТ' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'PACKAGES FROM', ru: 'ПАКЕТЫ ОТ' }),
    t({ en: 'UPDATES', ru: 'ОБНОВЛЕНИЯ' }),
  ];
  const rows = images.map(({ name, digest, isBuilt, packagesFrom, updates }) => [
    name,
    digest,
    isBuilt ? t({ en: 'built', ru: 'собран' }) : '—',
    packagesFrom === undefined ? '—' : ago(packagesFrom, language),
    updates
      ? updatesText(context, updates.packages.length, updates.packages.filter(({ isSecurity }) => isSecurity).length)
      : '—',
  ]);
  return table([head, ...rows]);
}

/** `12, 10 security` */
export function updatesText({ t, style }: Context, all: number, security: number): string {
  if (all === 0) return t({ en: 'none', ru: 'нет' });
  if (security === 0) return String(all);
  return style.yellow(t({ en: `${all}, ${security} security`, ru: `${all}, из них безопасности: ${security}` }));
}

/** When the images were last checked, and the command to check or update them. */
export function checkLines(context: Context, images: readonly CheckedImage[], last: LastCheck): string[] {
  const { t, style, language } = context;
  const { checkedAt, missing, networks } = last;
  const when =
    checkedAt === undefined
      ? t({ en: 'Not checked for updates yet.', ru: 'Обновления ещё не проверялись.' })
      : t({ en: `Checked ${ago(checkedAt, language)}.`, ru: `Проверено ${ago(checkedAt, language)}.` });
  const isUnknown = images.some(({ isBuilt, updates }) => isBuilt && !updates);
  const isOutdated = images.some(({ updates }) => updates && updates.packages.length > 0);
  const current = images.find(({ name }) => name === 'network')?.updates?.packages ?? [];
  const older = networks?.security.filter((each) => !current.some(({ name }) => name === each)) ?? [];
  const problems = [
    ...(missing.length > 0 ? [problem('NOVA7082', { suites: missing.join(', ') })] : []),
    ...(older.length > 0 ? [problem('NOVA7083', { packages: older.join(', ') })] : []),
  ];
  return [
    when,
    ...(isUnknown ? [`  ${style.green('→')} nova-ctl image check`] : []),
    ...(isOutdated ? [`  ${style.green('→')} nova-ctl image update`] : []),
    ...(problems.length > 0 ? [''] : []),
    ...findingLines(context, { findings: problems.map((each) => ({ severity: 'warning', chain: [each] })) }),
  ];
}

/** Lists each outdated package once, because images share layers. */
export function packageLines({ t, style }: Context, images: readonly CheckedImage[]): string[] {
  const found = images.flatMap(({ updates }) => updates?.packages ?? []);
  if (found.length === 0) return [];
  const head = [
    t({ en: 'PACKAGE', ru: 'ПАКЕТ' }),
    t({ en: 'INSTALLED', ru: 'УСТАНОВЛЕН' }),
    t({ en: 'AVAILABLE', ru: 'ДОСТУПЕН' }),
    t({ en: 'SECURITY', ru: 'БЕЗОПАСНОСТЬ' }),
  ];
  const distinct = new Map(found.map((each) => [`${each.name} ${each.installed} ${each.available}`, each]));
  const rows = [...distinct.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, installed, available, isSecurity }) => [
      name,
      installed,
      available,
      isSecurity ? style.yellow(t({ en: 'yes', ru: 'да' })) : '',
    ]);
  return [...table([head, ...rows]), ''];
}

/** Machines that stay outdated after an image update. */
export function remainingLines({ t, style }: Context, machines: readonly MachineStatus[]): string[] {
  const outdated = machines.filter(({ updates }) => updates && updates.all.length > 0);
  if (outdated.length === 0) return [];
  const names = outdated.map(({ name }) => name).join(', ');
  const clusters = new Set(outdated.map(({ network }) => network).filter((network) => network !== 'integration'));
  const line = (command: string, why: string) => [`  ${style.green('→')} ${command}`, style.dim(why)];
  return [
    '',
    t({ en: `Still on older images: ${names}.`, ru: `Остаются на старых образах: ${names}.` }),
    ...table([
      ...(outdated.some(({ name }) => name === 'universe')
        ? [line('nova-ctl up', t({ en: 'moves Universe to its new image', ru: 'переведёт Universe на новый образ' }))]
        : []),
      ...[...clusters].map((cluster) =>
        line(
          `nova-ctl status ${cluster}`,
          t({ en: 'shows how to replace its nodes', ru: 'покажет, как заменить его узлы' }),
        ),
      ),
    ]),
  ];
}
