import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ProblemError, problem } from '@nova-platform/api';
import { attempt, CommandError, run } from '@nova-platform/process';
import { pack } from 'tar-stream';
import { faultPoint } from '../fault.ts';
import { paths, runcRoot } from '../paths.ts';
import { startTimeOf } from '../supervisor.ts';
import { prepareVolumes } from '../volumes.ts';
import type { CloudConfig } from './cloud-config.ts';
import type { ExecOptions, MachineDriver } from './driver.ts';
import { dataFolders, ociConfig, runc } from './oci.ts';
import { type MachineRecord, machineFolder } from './record.ts';

// A console writes little; this is the end of a story, not its archive.
const consoleBytes = 1024 * 1024;
const haltTimeoutMilliseconds = 15_000;
const bootTimeoutMilliseconds = 60_000;
/** Where conmon has a link to the socket of each machine's console. */
const sockets = join(paths.runtime, 'attach');
// systemd's signal for "halt".
const haltSignal = 'SIGRTMIN+3';

/** Machines as privileged containers that boot systemd: overlay clones of an image, run by runc, watched by conmon. */
export const runcDriver: MachineDriver = {
  async boot(record, netns) {
    if (await isRunning(record.name)) return;
    // A stopped one keeps its record with runc.
    if (existsSync(join(runcRoot, record.name))) await attempt('runc', runc('delete', '--force', record.name));
    const folder = machineFolder(record.name);
    const isNew = await prepareDisk(record, folder);
    faultPoint('machine.mounted');
    if (isNew) await applyCloudConfig(record, join(folder, 'rootfs'));
    faultPoint('machine.configured');
    const config = ociConfig({
      record,
      netns,
      dataRoot: join(folder, 'data'),
      hostCapabilities: await hostCapabilities(),
    });
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    await create(record.name, folder);
    faultPoint('machine.created');
    await run('runc', runc('start', record.name)).catch(async (error: unknown) => {
      // Killed before its first program ran: it has ended by itself, and is booted again as any other.
      if (!(await this.hasEnded(record.name))) throw error;
    });
    // Its first program takes runc's place a moment later; until then it would not count as running.
    while (!(await isRunning(record.name)) && !(await this.hasEnded(record.name)))
      await new Promise((wake) => setTimeout(wake, 5));
  },

  async booted(name) {
    const signal = AbortSignal.timeout(bootTimeoutMilliseconds);
    const ask = runc('exec', name, 'systemctl', 'is-system-running', '--wait');
    while (!signal.aborted) {
      // It waits by itself, once there is somebody to ask.
      const state = (await hasSystemd(name))
        ? await run('runc', ask, { signal }).catch((error: unknown) =>
            error instanceof CommandError ? error.stdout : '',
          )
        : '';
      if (/^(?:running|degraded)/.test(state)) return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
    throw new ProblemError(problem('NOVA7013', { name }));
  },

  async halt(name) {
    if (await attempt('runc', runc('kill', name, haltSignal))) {
      const deadline = Date.now() + haltTimeoutMilliseconds;
      while ((await isRunning(name)) && Date.now() < deadline) await new Promise((wake) => setTimeout(wake, 50));
    }
    await attempt('runc', runc('delete', '--force', name));
    await removeCgroups(name);
    await unmountDisk(name);
  },

  async remove(name, release) {
    await attempt('runc', runc('delete', '--force', name));
    faultPoint('machine.deleted');
    await release();
    await removeCgroups(name);
    const folder = machineFolder(name);
    await unmountDisk(name);
    faultPoint('machine.unmounted');
    // The record goes last: until then the machine is known.
    for (const entry of await readdir(folder).catch(() => [])) {
      if (entry !== 'machine.json') await rm(join(folder, entry), { recursive: true, force: true });
    }
    faultPoint('machine.emptied');
    await rm(join(sockets, name), { force: true });
    await rm(folder, { recursive: true, force: true });
  },

  isRunning,

  async hasEnded(name) {
    const pid = await pidOf(name);
    return pid !== '' && !(await isAlive(name, pid));
  },

  exec(name, { command, terminal }) {
    const inside = [
      'exec',
      ...(terminal ? ['--tty'] : []),
      '--env',
      'TERM=xterm-256color',
      '--env',
      'HOME=/root',
      '--cwd',
      '/root',
      name,
      ...command,
    ];
    return terminal ? onTerminal(['runc', ...runc(...inside)], terminal) : spawn('runc', runc(...inside));
  },

  async console(name) {
    const text = await readFile(join(machineFolder(name), 'console.log'), 'utf8').catch(() => '');
    // conmon writes "<time> stdout <F|P> <text>": F ends a line, P does not.
    return text.replace(/^\S+ std(?:out|err) F (.*)$/gm, '$1').replace(/^\S+ std(?:out|err) P (.*)\n?/gm, '$1');
  },

  async usage(name) {
    const cgroup = (await cgroupFolders(name)).find((folder) => folder.includes('memory')) ?? '';
    const texts = await Promise.all(
      ['memory.usage_in_bytes', 'memory.current'].map((file) => readFile(join(cgroup, file), 'utf8').catch(() => '')),
    );
    const [disk = '0'] = (await run('du', ['-sB1', join(machineFolder(name), 'upper')]).catch(() => '0')).split('\t');
    return { memory: Number(texts.find((text) => text !== '') ?? 0), disk: Number(disk) };
  },
};

/** Its first program's on the host; none if it never ran. */
async function pidOf(name: string): Promise<string> {
  return readFile(join(machineFolder(name), 'pid'), 'utf8').catch(() => '');
}

/** Whether its systemd listens. Looked at from outside: programs in it that are only refused take time from its boot. */
async function hasSystemd(name: string): Promise<boolean> {
  const pid = await pidOf(name);
  return pid !== '' && existsSync(`/proc/${pid}/root/run/systemd/private`);
}

/** Looked at without runc, which would be run for every machine in a list. */
async function isRunning(name: string): Promise<boolean> {
  const pid = await pidOf(name);
  if (pid === '' || !(await isAlive(name, pid))) return false;
  // Made and not started, it is still runc's own program.
  const program = await readlink(`/proc/${pid}/exe`).catch(() => 'runc');
  return !program.includes('runc');
}

async function isAlive(name: string, pid: string): Promise<boolean> {
  // By now another may have its number.
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return (await startTimeOf(Number(pid))) !== '' && new RegExp(`/nova/${name}(/|$)`, 'm').test(groups);
}

/** Mounts the machine's clone of its image. Answers whether the machine is new. */
async function prepareDisk({ image, volumes = [] }: MachineRecord, folder: string): Promise<boolean> {
  const rootfs = join(folder, 'rootfs');
  await prepareVolumes(volumes);
  for (const name of ['upper', 'work', 'rootfs', ...dataFolders.map((each) => `data/${each}`)])
    await mkdir(join(folder, name), { recursive: true });
  const isMounted = (await stat(rootfs)).dev !== (await stat(folder)).dev;
  if (!isMounted) {
    const options = `lowerdir=${image.layers.join(':')},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`;
    await run('mount', ['-t', 'overlay', 'nova-machine', '-o', options, rootfs]);
  }
  return !(await readdir(join(folder, 'upper/etc')).catch((): string[] => [])).includes('nova-configured');
}

async function unmountDisk(name: string): Promise<void> {
  while (await attempt('umount', [join(machineFolder(name), 'rootfs')])) {
    // As often as it was mounted.
  }
}

/** Writes the machine's own configuration. */
async function applyCloudConfig(
  { hostname, address, machineId, cloudConfig }: MachineRecord,
  root: string,
): Promise<void> {
  const files: CloudConfig['write_files'] = [
    { path: '/etc/hostname', content: `${hostname}\n`, permissions: '0644', owner: 'root:root' },
    {
      path: '/etc/hosts',
      content: `127.0.0.1 localhost\n${address} ${hostname}\n`,
      permissions: '0644',
      owner: 'root:root',
    },
    { path: '/etc/machine-id', content: `${machineId}\n`, permissions: '0444', owner: 'root:root' },
    ...authorizedKeys('/root', 'root', cloudConfig.ssh_authorized_keys),
  ];
  for (const user of cloudConfig.users) {
    await attempt('chroot', [root, 'useradd', '--create-home', '--shell', user.shell, user.name]);
    files.push(...authorizedKeys(`/home/${user.name}`, user.name, user.ssh_authorized_keys));
    if (user.sudo)
      files.push({
        path: `/etc/sudoers.d/90-${user.name}`,
        content: `${user.name} ${user.sudo}\n`,
        permissions: '0440',
        owner: 'root:root',
      });
  }
  await writeInside(root, [...files, ...cloudConfig.write_files]);
}

function authorizedKeys(home: string, owner: string, keys: readonly string[]): CloudConfig['write_files'] {
  if (keys.length === 0) return [];
  return [
    {
      path: `${home}/.ssh/authorized_keys`,
      content: `${keys.join('\n')}\n`,
      permissions: '0600',
      owner: `${owner}:${owner}`,
    },
  ];
}

/** From inside the root: a link in an image leads nowhere else. */
async function writeInside(root: string, files: CloudConfig['write_files']): Promise<void> {
  const archive = pack();
  for (const { path, content, permissions } of files)
    archive.entry({ name: path.slice(1), mode: Number.parseInt(permissions, 8) }, content);
  archive.finalize();
  const owned = files.filter(({ owner }) => owner !== 'root:root').flatMap(({ owner, path }) => [owner, path]);
  const script = [
    'umask 022',
    'tar --extract --directory / --preserve-permissions --no-same-owner',
    'while [ $# -gt 0 ]; do chown "$1" "$2"; shift 2; done',
    // Last: what was interrupted before is done again.
    'touch /etc/nova-configured',
  ].join('\n');
  await run('chroot', [root, '/bin/sh', '-e', '-c', script, 'write', ...owned], { input: await buffer(archive) });
}

/** conmon makes the container, keeps its console and outlives the engine. */
async function create(name: string, folder: string): Promise<void> {
  await mkdir(sockets, { recursive: true });
  await rm(join(folder, 'pid'), { force: true });
  const places = (process.env.PATH ?? '').split(':').map((each) => join(each, 'runc'));
  const runcPath = places.find((path) => existsSync(path)) ?? 'runc';
  const [, ...rootArguments] = ['runc', ...runc()];
  const args = [
    '--api-version',
    '1',
    '--cid',
    name,
    '--cuuid',
    name,
    '--runtime',
    runcPath,
    '--runtime-arg',
    rootArguments.join('='),
    '--bundle',
    folder,
    '--container-pidfile',
    join(folder, 'pid'),
    '--socket-dir-path',
    sockets,
    '--log-path',
    `k8s-file:${join(folder, 'console.log')}`,
    '--log-size-max',
    String(consoleBytes),
    '--terminal',
  ];
  // It leaves a file where it runs when memory was short.
  await run('conmon', args, { cwd: folder });
  const deadline = Date.now() + 10_000;
  while (!(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''))) {
    if (Date.now() > deadline) throw new Error(`runc did not make ${name}`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}

/** systemd leaves groups of its own below ours. */
async function removeCgroups(name: string): Promise<void> {
  for (const folder of await cgroupFolders(name)) {
    const below = (await run('find', [folder, '-depth', '-type', 'd']).catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
    for (const each of below) await rmdir(each).catch(() => undefined);
  }
}

/** The machine's control groups: one for each controller (v1), or one for all (v2). */
async function cgroupFolders(name: string): Promise<string[]> {
  const top = '/sys/fs/cgroup';
  const controllers = await readdir(top, { withFileTypes: true });
  const candidates = [
    join(top, 'nova', name),
    ...controllers.filter((entry) => entry.isDirectory()).map((entry) => join(top, entry.name, 'nova', name)),
  ];
  const present = await Promise.all(
    candidates.map(async (folder) => ((await readdir(folder).catch(() => undefined)) ? [folder] : [])),
  );
  return present.flat();
}

async function hostCapabilities(): Promise<bigint> {
  const status = await readFile('/proc/self/status', 'utf8');
  return BigInt(`0x${/CapBnd:\s*(\w+)/.exec(status)?.[1] ?? '0'}`);
}

/** A terminal for the command; `script` makes one without a native module. */
function onTerminal(command: readonly string[], { columns, rows }: NonNullable<ExecOptions['terminal']>): ChildProcess {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${quoted}`, '/dev/null']);
}
