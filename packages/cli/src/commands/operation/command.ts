import { buildCommand } from '../../build-command.ts';
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
    { en: 'List, follow, resume and cancel operations', ru: 'Показать, продолжить и отменить операции' },
    { list: list(t), show: show(t), resume: resume(t), cancel: cancel(t) },
  );

const idText = { en: 'id', ru: 'номер' };

const followFlag = (t: Translate) =>
  ({
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: t({ en: 'Follow the operation until it ends', ru: 'Следить за операцией, пока она не закончится' }),
  }) as const;

const list = (t: Translate) =>
  buildCommand<ListFlags, []>({
    loader: async () => (await import('./list.ts')).list,
    parameters: {
      flags: {
        cluster: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only operations of this cluster', ru: 'Только операции этого кластера' }),
        },
        state: {
          kind: 'enum',
          values: ['running', 'done', 'failed', 'cancelled'],
          optional: true,
          brief: t({ en: 'Only operations in this state', ru: 'Только операции в этом состоянии' }),
        },
        limit: limitFlag(t, '20'),
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'List operations', ru: 'Показать операции' }),
      fullDescription: t({
        en: `Universe runs long tasks as operations. They continue after a crash or a restart. A failed operation waits until
you resume or cancel it.`,
        ru: `Долгие задачи Universe выполняет как операции. Они продолжаются после сбоя или перезапуска. Операция,
завершившаяся сбоем, ждёт, пока вы её не продолжите или не отмените.`,
      }),
      customUsage: [
        { input: '--state failed', brief: t({ en: 'only failed operations', ru: 'только операции со сбоем' }) },
        { input: '--cluster demo -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const show = (t: Translate) =>
  buildCommand<ShowFlags, [id: string]>({
    loader: async () => (await import('./show.ts')).show,
    parameters: {
      flags: { follow: followFlag(t), output: outputFlag(t) },
      aliases: { f: 'follow', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'Show an operation and its steps', ru: 'Показать операцию и её шаги' }),
      fullDescription: t({
        en: `Shows the approved change, if the operation applies one, and the steps: ✓ done, ✗ failed, ● running, ○ waiting,
↶ rolled back. With --follow, shows the progress with log lines; Ctrl-C stops following, not the operation. The exit code
is 1 if the operation failed or was cancelled.`,
        ru: `Показывает утверждённое изменение, если операция его применяет, и шаги: ✓ выполнен, ✗ сбой, ● выполняется,
○ ожидает, ↶ откачен. С --follow показывает ход выполнения со строками журнала; Ctrl-C прекращает наблюдение, но не
операцию. Если операция завершилась сбоем или отменена, код завершения 1.`,
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'its state or its result', ru: 'состояние или результат' }) },
        { input: '17 --follow', brief: t({ en: 'until it ends', ru: 'пока не закончится' }) },
        { input: '17 --follow -o json', brief: t({ en: 'wait for the result', ru: 'дождаться результата' }) },
      ],
    },
  });

const resume = (t: Translate) =>
  buildCommand<ResumeFlags, [id: string]>({
    loader: async () => (await import('./resume.ts')).resume,
    parameters: {
      flags: { follow: followFlag(t), output: outputFlag(t) },
      aliases: { f: 'follow', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'Resume a failed operation', ru: 'Продолжить операцию после сбоя' }),
      fullDescription: t({
        en: 'Continues from the failed step. Completed steps do not run again.',
        ru: 'Продолжает с шага, на котором произошёл сбой. Выполненные шаги не повторяются.',
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'in the background', ru: 'в фоне' }) },
        { input: '17 --follow', brief: t({ en: 'and follow it', ru: 'и следить' }) },
      ],
    },
  });

const cancel = (t: Translate) =>
  buildCommand<CancelFlags, [id: string]>({
    loader: async () => (await import('./cancel.ts')).cancel,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, idText),
    },
    docs: {
      brief: t({ en: 'Cancel an operation and roll it back', ru: 'Отменить операцию и откатить её изменения' }),
      fullDescription: t({
        en: `Stops running steps, then rolls back the changes, last first. Changes that cannot be rolled back are kept and
listed. Without a terminal, --yes is required.`,
        ru: `Останавливает выполняющиеся шаги, затем откатывает изменения, начиная с последнего. Необратимые изменения
остаются и перечисляются. Без терминала нужен --yes.`,
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'ask first', ru: 'сначала спросить' }) },
        { input: '17 --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
