import { exec, file, type Resource, service } from '../resource.ts';

export interface Unit {
  name: string;
  description: string;
  /** The program and its arguments, one a line in the unit. */
  command: readonly string[];
  /** Further lines of the section `[Service]`. */
  service?: readonly string[];
  after?: readonly string[];
}

/**
 * A service of ours as a unit that the catalog keeps. It is restarted when its unit or one of `inputs` changes, and
 * waits for what it `needs` at its first start.
 */
export function unit(
  { name, description, command, service: more = [], after = [] }: Unit,
  { inputs = [], needs = [] }: { inputs?: readonly Resource[]; needs?: readonly Resource[] },
): Resource[] {
  const path = `/etc/systemd/system/${name}.service`;
  const definition = file(path, {
    content: [
      '# Kept by Nova: changes made here are undone.',
      '[Unit]',
      `Description=${description}`,
      ...(after.length > 0 ? [`After=${after.join(' ')}`] : []),
      'StartLimitIntervalSec=0',
      '',
      '[Service]',
      `ExecStart=${command.join(' \\\n  ')}`,
      'Restart=always',
      'RestartSec=1s',
      ...more,
      '',
      '[Install]',
      'WantedBy=multi-user.target',
      '',
    ].join('\n'),
    mode: '0644',
  });
  const reload = exec(
    `reload unit ${name}`,
    { command: '/usr/bin/systemctl daemon-reload', refreshonly: true },
    { subscribe: [definition] },
  );
  return [
    definition,
    reload,
    service(
      name,
      { ensure: 'running', enable: true },
      { subscribe: [definition, ...inputs], require: [reload, ...needs] },
    ),
  ];
}
