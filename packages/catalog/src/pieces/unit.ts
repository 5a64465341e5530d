import { exec, file, piece, type Resource, service } from '../resource.ts';
import { lines } from './text.ts';

export const unitFolder = '/etc/systemd/system';

/**
 * systemd reads its units once, after the last of them is written and before the first service starts: every reading
 * stops it for a quarter of a second, and a control plane has a dozen of them.
 */
export const unitsRead: Resource = exec('read units', {
  command: '/usr/bin/systemctl daemon-reload',
  refreshonly: true,
});

export const unitsReadOnce = (): Resource[] => piece('units', unitsRead);

/** A file that systemd has to read. */
export function unitFile(
  name: string,
  content: string,
  related: Omit<NonNullable<Parameters<typeof file>[2]>, 'notify'> = {},
): Resource {
  return file(`${unitFolder}/${name}`, { content, mode: '0644' }, { ...related, notify: [unitsRead] });
}

/**
 * A unit that runs. The agent's own ways to start and to enable one would have systemd read all units again, each time:
 * it unmasks them first, which our files make needless.
 */
export function running(name: string, related: NonNullable<Parameters<typeof service>[2]>): Resource {
  return service(
    name,
    { ensure: 'running', start: `/usr/bin/systemctl start ${name}` },
    { ...related, require: [unitsRead, ...(related.require ?? [])] },
  );
}

/** Starts a unit when the machine boots. */
export function startedAtBoot(name: string, { folder = unitFolder, by = 'multi-user.target' } = {}): Resource {
  return file(
    `${unitFolder}/${by}.wants/${name}`,
    { ensure: 'link', target: `${folder}/${name}` },
    { notify: [unitsRead] },
  );
}

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
  const definition = unitFile(
    `${name}.service`,
    lines(
      '[Unit]',
      `Description=${description}`,
      after.length > 0 && `After=${after.join(' ')}`,
      'StartLimitIntervalSec=0',
      '',
      '[Service]',
      `ExecStart=${command.join(' \\\n  ')}`,
      'Restart=always',
      'RestartSec=1s',
      ...more,
    ),
  );
  return [
    definition,
    startedAtBoot(`${name}.service`),
    running(name, { subscribe: [definition, ...inputs], require: needs }),
  ];
}
