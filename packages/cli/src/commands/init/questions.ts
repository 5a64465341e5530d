import {
  type Answers,
  expectation,
  infrastructure,
  kindSchema,
  type Language,
  type Path,
  schemaAt,
  type Template,
  usableProviders,
} from '@nova-platform/api';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';

const root = kindSchema(infrastructure);

export type GivenAnswers = Partial<Pick<Answers, 'provider' | 'template' | 'domain'>>;

/** Prompts for the missing answers; with `ask: false`, uses the defaults. */
export async function answersFor(context: Context, given: GivenAnswers, ask: boolean): Promise<Answers> {
  const asker = ask ? await terminalAsker(context) : defaultsAsker;
  const { t, language } = context;

  const template =
    given.template ??
    (await asker.choose<Template>(t({ en: 'How large?', ru: 'Какого размера?' }), [
      {
        value: 'single',
        label: t({ en: 'One node for everything', ru: 'Один узел для всего' }),
        hint: t({ en: 'for trying and testing', ru: 'для знакомства и проверки' }),
      },
      {
        value: 'ha',
        label: t({ en: 'Highly available', ru: 'Отказоустойчивый' }),
        hint: t({
          en: 'three control planes, two infra nodes, two workers',
          ru: 'три control-plane, два infra, два worker',
        }),
      },
    ]));
  const domain =
    given.domain ??
    (await asker.write({
      message: t({
        en: 'Base domain: platform services are named below it, and its first label names the cluster',
        ru: 'Базовый домен: в нём будут имена служб платформы, а первая метка станет именем кластера',
      }),
      initial: 'demo.nova.local',
      check: checkAgainst(['spec', 'clusterConfiguration', 'dnsBaseDomain'], language),
    }));

  const nodeNetwork = String(schemaAt(root, ['spec', 'clusterConfiguration', 'nodeNetwork'])?.default);
  return { provider: given.provider ?? usableProviders[0], template, domain, nodeNetwork };
}

function checkAgainst(path: Path, language: Language): (value: string) => string | undefined {
  const schema = schemaAt(root, path) ?? {};
  return (text) => (new RegExp(schema.pattern ?? '').test(text) ? undefined : expectation(schema)[language]);
}

interface Question {
  message: string;
  initial: string;
  check: (value: string) => string | undefined;
}

interface Asker {
  choose<T extends string>(message: string, options: { value: T; label: string; hint?: string }[]): Promise<T>;
  write(question: Question): Promise<string>;
}

const defaultsAsker: Asker = {
  choose: async (_, [first]) => {
    if (first === undefined) throw new Error('a choice without options');
    return first.value;
  },
  write: async ({ initial }) => initial,
};

async function terminalAsker({ io }: Context): Promise<Asker> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const streams = { input: io.stdin, output: io.stdout };
  const answered = (answer: string | symbol): string => {
    if (isCancel(answer)) throw new Interrupted();
    return answer as string;
  };
  return {
    choose: async <T extends string>(message: string, options: { value: T; label: string; hint?: string }[]) =>
      answered(await select<string>({ message, options, ...streams })) as T,
    write: async ({ message, initial, check }) =>
      answered(await text({ message, initialValue: initial, validate: (value) => check(value ?? ''), ...streams })),
  };
}
