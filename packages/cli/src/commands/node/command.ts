import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CatalogFlags } from './catalog.ts';
import type { ReportsFlags } from './reports.ts';
import type { RunFlags } from './run.ts';

export const node = (t: Translate) =>
  group(
    t,
    {
      en: 'Nodes: what they are, what they did, what they would do',
      ru: 'Узлы: что они собой представляют, что сделали и что сделают',
    },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List nodes with their last run', ru: 'Перечислить узлы и их последние запуски' },
        [],
        async () => (await import('./list.ts')).list,
        {
          en: 'CHANGES and DRIFT are of the last run: what it changed, and how much of that undid what somebody else had done.\nPENDING is what nobody has approved yet: newer code, or facts that changed. `nova-ctl node catalog NAME --diff` shows it.',
          ru: 'ИЗМЕНЕНИЙ и ИСПРАВЛЕНО — о последнем запуске: что он изменил и сколько из этого вернуло сделанное кем-то другим.\nНЕ УТВЕРЖДЕНО — то, что ещё никто не утвердил: новый код или изменившиеся факты. Подробно: `nova-ctl node catalog ИМЯ --diff`.',
        },
      ),
      facts: simpleCommand<[name: string]>(
        t,
        { en: 'What a node says about itself', ru: 'Что узел сообщает о себе' },
        [nameText],
        async () => (await import('./facts.ts')).facts,
        {
          en: 'The facts that the agent found at its last run: hardware, system, networks. Catalogs may depend on them.',
          ru: 'Факты, которые агент собрал при последнем запуске: оборудование, система, сети. От них могут зависеть каталоги.',
        },
      ),
      reports: reports(t),
      catalog: catalog(t),
      run: run(t),
      revoke: simpleCommand<[name: string]>(
        t,
        { en: 'Revoke the certificates of a node', ru: 'Отозвать сертификаты узла' },
        [nameText],
        async () => (await import('./revoke.ts')).revoke,
        {
          en: 'From its next request on the node is refused: no catalogs, no keys, no certificates. What is on it stays as it is.\nA new token enrols it again: `nova-ctl config token create`.',
          ru: 'Со следующего обращения узлу отказано во всём: каталогах, ключах, сертификатах. То, что на нём есть, остаётся.\nСнова зарегистрировать его можно с новым токеном: `nova-ctl config token create`.',
        },
      ),
    },
  );

const named = (t: Translate) =>
  ({
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }],
  }) as const;

const reports = (t: Translate) =>
  buildCommand<ReportsFlags, [name: string], Context>({
    loader: async () => (await import('./reports.ts')).reports,
    parameters: {
      flags: {
        last: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'The last one in detail', ru: 'Последний подробно' }),
        },
        limit: {
          kind: 'parsed',
          parse: String,
          default: '20',
          placeholder: 'n',
          brief: t({ en: 'How many, the latest first', ru: 'Сколько, начиная с последнего' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'What the runs of a node did', ru: 'Что делали запуски на узле' }),
      fullDescription: t({
        en: 'Lists the reports that are kept, the latest first. DRIFT counts what a run put right because somebody else had changed it.',
        ru: 'Перечисляет сохранённые отчёты, начиная с последнего. ИСПРАВЛЕНО — сколько чужих изменений запуск вернул на место.',
      }),
      customUsage: [
        {
          input: 'demo-main-1 --last',
          brief: t({
            en: 'failures, changes and warnings of the last run',
            ru: 'сбои, изменения и предупреждения последнего запуска',
          }),
        },
        { input: 'demo-main-1 --limit 100 -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const catalog = (t: Translate) =>
  buildCommand<CatalogFlags, [name: string], Context>({
    loader: async () => (await import('./catalog.ts')).catalog,
    parameters: {
      flags: {
        diff: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Only what would change', ru: 'Только то, что изменится' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'What a node is approved to be', ru: 'Каким утверждено быть узлу' }),
      fullDescription: t({
        en: 'Shows the approved catalog piece by piece. With --diff: what the next run would change, and what would change\nif the plan were applied anew but nobody has approved yet. + added, ~ changed, ↻ restarted or run again, − no longer managed.',
        ru: 'Показывает утверждённый каталог по частям. С --diff: что изменит следующий запуск и что изменилось бы при новом\nприменении плана, но ещё не утверждено. + добавится, ~ изменится, ↻ перезапустится, − больше не управляется.',
      }),
      customUsage: [
        { input: 'demo-main-1', brief: t({ en: 'everything, by piece', ru: 'всё, по частям' }) },
        { input: 'demo-main-1 --diff', brief: t({ en: 'what would change', ru: 'что изменится' }) },
      ],
    },
  });

const run = (t: Translate) =>
  buildCommand<RunFlags, [name: string], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        noop: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Change nothing, only tell', ru: 'Ничего не менять, только показать' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'Run the agent of a node now', ru: 'Запустить агент узла сейчас' }),
      fullDescription: t({
        en: 'Shows the log of the run as it is written, and what came of it; the exit code is 1 when the run failed.\nNodes ask for work by themselves: one that is busy or away is waited for.',
        ru: 'Показывает журнал запуска по мере появления и итог; код завершения 1, если запуск не удался.\nУзлы сами спрашивают о работе: если узел занят или недоступен, команда ждёт.',
      }),
      customUsage: [
        { input: 'demo-main-1', brief: t({ en: 'apply what is approved', ru: 'применить утверждённое' }) },
        { input: 'demo-main-1 --noop', brief: t({ en: 'only see what would change', ru: 'только увидеть изменения' }) },
      ],
    },
  });
