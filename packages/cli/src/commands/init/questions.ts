import {
  type Answers,
  expectation,
  groupsOf,
  infrastructure,
  ipv4,
  kindSchema,
  type Language,
  type Path,
  type Provider,
  type Schema,
  schemaAt,
  splitList,
  type Template,
} from '@nova-platform/api';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';

export type GivenAnswers = Partial<Pick<Answers, 'provider' | 'template' | 'domain'>>;

/** Asks what was not given; with `ask: false`, takes what would have been proposed. */
export async function answersFor(context: Context, given: GivenAnswers, ask: boolean): Promise<Answers> {
  const asker = ask ? await terminalAsker(context) : defaultsAsker;
  const { t, language } = context;

  const provider =
    given.provider ??
    (await asker.choose<Provider>(t({ en: 'Where do the machines come from?', ru: 'Откуда берутся машины?' }), [
      {
        value: 'local',
        label: t({ en: 'This Linux box', ru: 'Эта машина с Linux' }),
        hint: t({ en: 'to try it out', ru: 'чтобы попробовать' }),
      },
      { value: 'existing', label: t({ en: 'Hosts I already have', ru: 'Уже имеющиеся узлы' }) },
      { value: 'zvirt', label: 'zVirt' },
      { value: 'ovirt', label: 'oVirt' },
      { value: 'vsphere', label: 'VMware vSphere' },
    ]));
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

  const isSite = provider === 'existing' || provider === 'vsphere';
  const nodeNetwork = isSite
    ? await asker.write({
        message: t({ en: 'Network of the nodes', ru: 'Сеть узлов' }),
        initial: '10.120.0.0/24',
        check: checkAgainst(['spec', 'clusterConfiguration', 'nodeNetwork'], language),
      })
    : String(schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', 'nodeNetwork'])?.default);

  return {
    provider,
    template,
    domain,
    nodeNetwork,
    hostAddresses: provider === 'existing' ? await askHosts(context, asker, template, nodeNetwork) : [],
    settings: await askSettings(asker, provider, nodeNetwork, language),
  };
}

async function askHosts({ t }: Context, asker: Asker, template: Template, nodeNetwork: string): Promise<string[]> {
  const count = groupsOf[template].reduce((sum, group) => sum + group.count, 0);
  const { first } = ipv4.parseNetwork(nodeNetwork);
  const proposed = Array.from({ length: count }, (_, index) => ipv4.formatAddress(first + 21 + index));
  const text = await asker.write({
    message: t({
      en: `Addresses of the ${count} hosts, separated by commas`,
      ru: `Адреса узлов (${count}) через запятую`,
    }),
    initial: proposed.join(', '),
    check: (value) =>
      splitList(value).length === count
        ? undefined
        : t({ en: `${count} addresses are needed`, ru: `нужно адресов: ${count}` }),
  });
  return splitList(text);
}

/** Every required setting of the provider, with the words of its declaration. */
async function askSettings(
  asker: Asker,
  provider: Provider,
  nodeNetwork: string,
  language: Language,
): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  const bases: Path[] =
    provider === 'zvirt' || provider === 'ovirt'
      ? [
          ['spec', 'provider', provider],
          ['spec', 'externalNetwork'],
        ]
      : provider === 'vsphere'
        ? [['spec', 'provider', provider]]
        : [];
  for (const base of bases) {
    const schema = schemaAt(kindSchema(infrastructure), base);
    for (const name of schema?.required ?? []) {
      const field = schema?.properties?.[name] ?? {};
      settings[name] = await asker.write({
        message: field.notes?.description[language].replace(/\.$/, '') ?? name,
        initial: proposal(field, nodeNetwork),
        check: checkAgainst([...base, name], language),
        isSecret: field.notes?.secret ?? false,
      });
    }
  }
  return settings;
}

/** The example of the declaration, moved into the node network where it is an address of the site's own. */
function proposal(field: Schema, nodeNetwork: string): string {
  if (field.notes?.secret) return 'change-me';
  const example = [field.notes?.example].flat().join(', ');
  const { first } = ipv4.parseNetwork(nodeNetwork);
  return example.replace(/10\.120\.0\.(\d+)/g, (_, last: string) => ipv4.formatAddress(first + Number(last)));
}

function checkAgainst(path: Path, language: Language): (value: string) => string | undefined {
  const schema = schemaAt(kindSchema(infrastructure), path) ?? {};
  const single = schema.items ?? schema;
  return (text) => {
    const values = schema.items ? splitList(text) : [text];
    const isRight =
      values.length > 0 &&
      values.every((value) => value !== '' && (single.pattern === undefined || new RegExp(single.pattern).test(value)));
    return isRight ? undefined : expectation(single)[language];
  };
}

interface Question {
  message: string;
  initial: string;
  check: (value: string) => string | undefined;
  isSecret?: boolean;
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
  const { isCancel, password, select, text } = await import('@clack/prompts');
  const streams = { input: io.stdin, output: io.stdout };
  const answered = (answer: string | symbol): string => {
    if (isCancel(answer)) throw new Interrupted();
    return answer as string;
  };
  return {
    choose: async <T extends string>(message: string, options: { value: T; label: string; hint?: string }[]) =>
      answered(await select<string>({ message, options, ...streams })) as T,
    write: async ({ message, initial, check, isSecret }) =>
      isSecret
        ? answered(await password({ message, validate: (value) => check(value ?? ''), ...streams }))
        : answered(await text({ message, initialValue: initial, validate: (value) => check(value ?? ''), ...streams })),
  };
}
