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
import type { Proposal } from './proposal.ts';

const root = kindSchema(infrastructure);

export type GivenAnswers = Partial<Pick<Answers, 'provider' | 'machineKind' | 'template' | 'domain'>>;

interface Options {
  /** Whether to ask; otherwise the proposal is used. */
  isAsking: boolean;
  proposal: Proposal;
}

/** Prompts for the missing answers. */
export async function answersFor(
  context: Context,
  given: GivenAnswers,
  { isAsking, proposal }: Options,
): Promise<Answers> {
  const asker = isAsking ? await terminalAsker(context) : defaultsAsker;
  const { t, language } = context;

  const template =
    given.template ??
    (await asker.choose<Template>(t({ en: 'Size of the cluster', ru: 'Размер кластера' }), [
      {
        value: 'single',
        label: t({ en: 'One node for everything', ru: 'Один узел для всего' }),
        hint: t({ en: 'for evaluation and tests', ru: 'для знакомства и тестов' }),
      },
      {
        value: 'ha',
        label: t({ en: 'Highly available', ru: 'Отказоустойчивый' }),
        hint: t({
          en: 'three control plane nodes, two infra nodes, two workers',
          ru: 'три узла управления, два infra, два рабочих',
        }),
      },
    ]));
  const domain =
    given.domain ??
    (await asker.write({
      message: t({
        en: 'Base domain of platform services; its first part is the name of the cluster',
        ru: 'Базовый домен служб платформы; его первая часть — имя кластера',
      }),
      initial: proposal.domain,
      check: checkAgainst(['spec', 'clusterConfiguration', 'dnsBaseDomain'], language),
    }));

  return {
    provider: given.provider ?? usableProviders[0],
    ...(given.machineKind && { machineKind: given.machineKind }),
    template,
    domain,
    nodeNetwork: proposal.nodeNetwork,
  };
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
