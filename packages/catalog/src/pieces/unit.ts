import { exec, file, piece, type Resource, service } from '../resource.ts';
import { lines } from './text.ts';

export const unitFolder = '/etc/systemd/system';

/**
 * systemd reloads its units once, after the last unit file is written and before the first service starts. Each reload
 * blocks systemd for a quarter of a second, and a control plane has a dozen units.
 */
export const unitsRead: Resource = exec('read units', {
  command: '/usr/bin/systemctl daemon-reload',
  refreshonly: true,
});

export const unitsReadOnce = (): Resource[] => piece('units', unitsRead);

/** A unit file, which requires a reload of systemd. */
export function unitFile(
  name: string,
  content: string,
  related: Omit<NonNullable<Parameters<typeof file>[2]>, 'notify'> = {},
): Resource {
  return file(`${unitFolder}/${name}`, { content, mode: '0644' }, { ...related, notify: [unitsRead] });
}

/**
 * A running unit. The agent's own commands to start and enable a unit would reload systemd each time: they unmask the
 * unit first, which our files make unnecessary.
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
  /** The program and its arguments, one per line of the unit. */
  command: readonly string[];
  /** Additional lines of the section `[Service]`. */
  service?: readonly string[];
  after?: readonly string[];
}

/**
 * One of our services, as a unit that the catalog manages. It restarts when its unit or one of `inputs` changes, and
 * its first start waits for `needs`.
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
      // Its script would give its own name to the log of the program that it starts.
      'SyslogIdentifier=%N',
      ...more,
    ),
  );
  return [
    definition,
    startedAtBoot(`${name}.service`),
    running(name, { subscribe: [definition, ...inputs], require: needs }),
  ];
}
