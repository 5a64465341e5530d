/** An action of the console that does the same as a command. */
export type RemedyAction =
  | { kind: 'run-agent'; node: string }
  | { kind: 'reports' | 'console'; node: string; to: string }
  | { kind: 'modules' | 'topology' | 'operations'; cluster: string; to: string }
  | { kind: 'operation'; id: string; to: string };

type Rule = readonly [command: RegExp, action: (name: string) => RemedyAction];

/** A name in capitals, such as NAME, is a placeholder. */
const rules: readonly Rule[] = [
  [/^nova-ctl node run ([a-z0-9.-]+)$/, (node) => ({ kind: 'run-agent', node })],
  [/^nova-ctl node reports ([a-z0-9.-]+)\b/, (node) => ({ kind: 'reports', node, to: `/nodes/${node}/reports` })],
  [/^nova-ctl logs node ([a-z0-9.-]+)$/, (node) => ({ kind: 'console', node, to: `/nodes/${node}/console` })],
  [
    /^nova-ctl module list ([a-z0-9-]+)$/,
    (cluster) => ({ kind: 'modules', cluster, to: `/clusters/${cluster}/modules` }),
  ],
  [
    /^nova-ctl network show ([a-z0-9-]+)$/,
    (cluster) => ({ kind: 'topology', cluster, to: `/clusters/${cluster}/topology` }),
  ],
  [
    /^nova-ctl operation list --cluster ([a-z0-9-]+)$/,
    (cluster) => ({ kind: 'operations', cluster, to: `/clusters/${cluster}/operations` }),
  ],
  [/^nova-ctl operation (?:show|resume) (\d+)\b/, (id) => ({ kind: 'operation', id, to: `/operations/${id}` })],
];

/** Code in a text is a command if it is a program with arguments: neither `users` nor `delivery: flux`. */
export function isCommand(code: string): boolean {
  return /^(\.\/)?[a-z][a-z0-9_-]* \S/.test(code);
}

/** The actions for the commands of a remedy, each once. */
export function actionsOf(remedy: string): RemedyAction[] {
  const found = [...remedy.matchAll(/`([^`]+)`/g)].flatMap(([, command = '']) =>
    rules.flatMap(([pattern, action]) => {
      const [, name] = pattern.exec(command) ?? [];
      return name === undefined ? [] : [action(name)];
    }),
  );
  return [...new Map(found.map((action) => [JSON.stringify(action), action])).values()];
}
