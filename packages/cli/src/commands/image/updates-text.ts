import { describe, problem } from '@nova-platform/api';
import type { CheckedImage, LastCheck } from '@nova-platform/engine';
import type { Context } from '../../context.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';

export function imageLines(context: Context, images: readonly CheckedImage[]): string[] {
  const { t, language } = context;
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'DIGEST', ru: 'ДАЙДЖЕСТ' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'PACKAGES FROM', ru: 'ПАКЕТЫ' }),
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
  return style.yellow(t({ en: `${all}, ${security} security`, ru: `${all}, безопасности: ${security}` }));
}

/** When the images were last compared, and what helps. */
export function checkLines(
  { t, style, language }: Context,
  images: readonly CheckedImage[],
  { checkedAt, missing }: LastCheck,
): string[] {
  const when =
    checkedAt === undefined
      ? t({ en: 'Not checked for updates yet.', ru: 'Обновления ещё не проверялись.' })
      : t({ en: `Checked ${ago(checkedAt, language)}.`, ru: `Проверено ${ago(checkedAt, language)}.` });
  const isUnknown = images.some(({ isBuilt, updates }) => isBuilt && !updates);
  const isOutdated = images.some(({ updates }) => updates && updates.packages.length > 0);
  const lacking = problem('NOVA7082', { suites: missing.join(', ') });
  const { message, remedy } = describe(lacking, language);
  return [
    when,
    ...(missing.length > 0 ? [`${style.yellow('!')} ${style.dim(lacking.code)} ${message}`, `  ${remedy}`] : []),
    ...(isUnknown ? [`  ${style.green('→')} nova-ctl image check`] : []),
    ...(isOutdated ? [`  ${style.green('→')} nova-ctl image update`] : []),
  ];
}

/** Every outdated package once, with the images that hold it. */
export function packageLines({ t, style }: Context, images: readonly CheckedImage[]): string[] {
  const found = images.flatMap(({ name: image, updates }) =>
    (updates?.packages ?? []).map((each) => ({ ...each, image })),
  );
  if (found.length === 0) return [];
  const head = [
    t({ en: 'PACKAGE', ru: 'ПАКЕТ' }),
    t({ en: 'INSTALLED', ru: 'УСТАНОВЛЕН' }),
    t({ en: 'AVAILABLE', ru: 'ДОСТУПЕН' }),
    t({ en: 'SECURITY', ru: 'БЕЗОПАСНОСТЬ' }),
    t({ en: 'IMAGES', ru: 'ОБРАЗЫ' }),
  ];
  const groups = Map.groupBy(found, ({ name, installed, available }) => `${name} ${installed} ${available}`);
  const rows = [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { name, installed, available, isSecurity } = first;
    const mark = isSecurity ? style.yellow(t({ en: 'yes', ru: 'да' })) : '';
    return [[name, installed, available, mark, same.map(({ image }) => image).join(', ')]];
  });
  return [...table([head, ...rows.sort(([one = ''], [other = '']) => one.localeCompare(other))]), ''];
}
