import {
  cacheFolder,
  chooseComponents,
  findToolchain,
  type ModuleChange,
  readComponents,
  type Update,
  updateComponent,
} from '@nova-platform/distro';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { table } from '../../tree.ts';
import { count } from '../../words.ts';

export async function update(this: Context, _flags: OutputFlags, name: string, wanted: string): Promise<Result> {
  const { t, style, io } = this;
  const [component] = chooseComponents(await readComponents(), [name]);
  if (!component) throw new Error(`no component ${name}`);
  const version = versionIn(wanted);
  const unchanged = { component: name, module: component.module, from: version, to: version, modules: [] };
  if (component.module !== undefined && component.version === version) {
    return {
      data: unchanged,
      text: `${style.green('✓')} ${t({ en: `${name} is already at ${version}.`, ru: `У ${name} уже версия ${version}.` })}`,
    };
  }
  const progress = progressOf(this);
  try {
    if (component.module !== undefined) {
      progress.say(
        t({
          en: `downloading ${name} ${version} and its dependencies`,
          ru: `загрузка ${name} ${version} и зависимостей`,
        }),
      );
    }
    const toolchain = await findToolchain(cacheFolder(), progress.say);
    const done = await updateComponent(component, version, {
      toolchain,
      // Without a terminal, hundreds of download lines would only fill the log.
      onDownload: (module) => {
        if (io.stderr.isTTY === true) progress.say(t({ en: `downloading ${module}`, ru: `загрузка ${module}` }));
      },
    });
    return { data: done, text: text(this, done) };
  } finally {
    progress.end();
  }
}

function text({ t, style }: Context, { component, from, to, modules }: Update): string {
  return [
    `${style.green('✓')} ${style.bold(component)} ${from} → ${to}`,
    '',
    ...(modules.length === 0
      ? [t({ en: 'No other modules change.', ru: 'Другие модули не меняются.' })]
      : [
          t({
            en: `${count(modules.length, 'module changes', 'modules change')}:`,
            ru: `Меняется модулей: ${modules.length}`,
          }),
          ...table(modules.map((change) => moduleCells(change, style))),
        ]),
    '',
    `  nova-ctl component build ${component}`,
  ].join('\n');
}

function moduleCells({ module, from, to }: ModuleChange, style: Context['style']): string[] {
  if (from === undefined) return [`  ${style.green('+')} ${module}`, to ?? ''];
  if (to === undefined) return [`  ${style.red('−')} ${module}`, from];
  return [`  ${style.yellow('~')} ${module}`, `${from} → ${to}`];
}

function versionIn(text: string): string {
  const [, version] = /^v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)$/.exec(text) ?? [];
  if (version !== undefined) return version;
  throw badValue('VERSION', { en: 'a full version, such as 1.36.3', ru: 'полный номер версии, например 1.36.3' });
}
