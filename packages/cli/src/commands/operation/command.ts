import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { limitFlag, namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { CancelFlags } from './cancel.ts';
import type { ListFlags } from './list.ts';
import type { ResumeFlags } from './resume.ts';
import type { ShowFlags } from './show.ts';

export const operation = (t: Translate) =>
  group(
    t,
    { en: 'What Universe does: look, go on, end', ru: 'Операции Universe: посмотреть, продолжить, завершить' },
    { list: list(t), show: show(t), resume: resume(t), cancel: cancel(t) },
  );

const idText = { en: 'id', ru: 'номер' };

const followFlag = (t: Translate) =>
  ({
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: t({ en: 'Look on until it ends', ru: 'Смотреть, пока не закончится' }),
  }) as const;

const list = (t: Translate) =>
  buildCommand<ListFlags, [], Context>({
    loader: async () => (await import('./list.ts')).list,
    parameters: {
      flags: {
        cluster: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only those of a cluster', ru: 'Только для одного кластера' }),
        },
        state: {
          kind: 'enum',
          values: ['running', 'done', 'failed', 'cancelled'],
          optional: true,
          brief: t({ en: 'Only those in this state', ru: 'Только в этом состоянии' }),
        },
        limit: limitFlag(t, '20'),
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'List operations', ru: 'Перечислить операции' }),
      fullDescription: t({
        en: 'Operations are what Universe does on its own until it is done: it goes on after a crash or a restart.\nOne that failed waits for a person: `nova-ctl operation resume` or `cancel`.',
        ru: 'Операции Universe доводит до конца сам: они продолжаются после сбоя и перезапуска.\nНеудавшаяся ждёт человека: `nova-ctl operation resume` или `cancel`.',
      }),
      customUsage: [
        { input: '--state failed', brief: t({ en: 'those that wait for you', ru: 'те, что ждут вас' }) },
        { input: '--cluster demo -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const show = (t: Translate) =>
  buildCommand<ShowFlags, [id: string], Context>({
    loader: async () => (await import('./show.ts')).show,
    parameters: {
      flags: { follow: followFlag(t), output: outputFlag(t) },
      aliases: { f: 'follow', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'Show an operation with its steps', ru: 'Показать операцию и её шаги' }),
      fullDescription: t({
        en: '✓ done, ✗ failed, ● running, ○ waiting, ↶ taken back. The exit code is 1 when it failed or was cancelled.\nWith --follow it is shown as it goes, with the lines of its log; Ctrl-C stops looking, not the operation.',
        ru: '✓ готово, ✗ сбой, ● выполняется, ○ ждёт, ↶ возвращено. Код завершения 1, если был сбой или отмена.\nС --follow показывается ход вместе со строками журнала; Ctrl-C прекращает просмотр, но не операцию.',
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'how it is, or what came of it', ru: 'состояние или итог' }) },
        { input: '17 --follow', brief: t({ en: 'until it ends', ru: 'до конца' }) },
        { input: '17 --follow -o json', brief: t({ en: 'wait, then the result', ru: 'дождаться итога' }) },
      ],
    },
  });

const resume = (t: Translate) =>
  buildCommand<ResumeFlags, [id: string], Context>({
    loader: async () => (await import('./resume.ts')).resume,
    parameters: {
      flags: { follow: followFlag(t), output: outputFlag(t) },
      aliases: { f: 'follow', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'Go on with an operation that failed', ru: 'Продолжить неудавшуюся операцию' }),
      fullDescription: t({
        en: 'Steps that are done stay done; those that failed are tried again, then the rest follows.',
        ru: 'Выполненные шаги не повторяются; неудавшиеся выполняются снова, за ними остальные.',
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'in the background', ru: 'в фоне' }) },
        { input: '17 --follow', brief: t({ en: 'and look on', ru: 'и смотреть' }) },
      ],
    },
  });

const cancel = (t: Translate) =>
  buildCommand<CancelFlags, [id: string], Context>({
    loader: async () => (await import('./cancel.ts')).cancel,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'End an operation and take back what it began', ru: 'Завершить операцию и вернуть, как было' }),
      fullDescription: t({
        en: 'Steps that run are told to end, then what was begun is taken back, the last first. What has no way back stays,\nand the operation says so. Without a terminal it needs --yes.',
        ru: 'Выполняющимся шагам велят закончить, затем сделанное возвращается, начиная с последнего. Необратимое остаётся,\nи операция об этом сообщит. Без терминала нужен --yes.',
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'asks first', ru: 'сначала спросит' }) },
        { input: '17 --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
