import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { engineClient, type MachineStatus } from '@nova-platform/contracts/engine/client';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { OutputFlags } from '../../group.ts';
import type { Output } from '../../output.ts';
import { mebibytes, mebibytesText } from '../../quantities.ts';
import { systemReason } from '../../read.ts';
import { table } from '../../tree.ts';
import { updatesText } from '../image/updates-text.ts';
import { assertNotFile } from './not-a-file.ts';

export interface CreateFlags {
  image: string;
  network: string;
  cpu: number;
  memory: string;
  disk?: string;
  address?: string;
  cloudConfig?: string;
  output: Output;
}

export const create = command<CreateFlags, [name: string]>(async function (
  { image, network, cpu, memory, disk, address, cloudConfig },
  name,
) {
  assertNotFile(image);
  const machine = await engineClient.createMachine({
    name,
    image,
    network,
    cpu,
    memoryMebibytes: mebibytes('--memory', memory),
    ...(disk && { diskMebibytes: mebibytes('--disk', disk) }),
    ...(address && { address }),
    ...(cloudConfig && { cloudConfig: await readText(this, cloudConfig) }),
  });
  return { data: machine, text: `${this.style.green('✓')} ${machine.name} ${machine.address ?? ''}` };
});

export interface ResizeFlags {
  cpu?: number;
  memory?: string;
  disk?: string;
  output: Output;
}

export const resize = command<ResizeFlags, [name: string]>(async function ({ cpu, memory, disk }, name) {
  if (cpu === undefined && memory === undefined && disk === undefined)
    throw badValue('--cpu, --memory, --disk', { en: 'at least one of them', ru: 'хотя бы один из них' });
  const machine = await engineClient.resizeMachine(name, {
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memoryMebibytes: mebibytes('--memory', memory) }),
    ...(disk !== undefined && { diskMebibytes: mebibytes('--disk', disk) }),
  });
  const size = [`${machine.cpu} CPU`, mebibytesText(this, machine.memoryMebibytes), diskText(this, machine)].join(', ');
  return { data: machine, text: `${this.style.green('✓')} ${name}: ${size}${whenText(this, machine)}` };
});

function whenText(context: Context, { state, untilRestart }: MachineStatus): string {
  const { t } = context;
  if (state !== 'running')
    return t({ en: '; takes effect at its next start', ru: '; вступит в силу при следующем запуске' });
  if (!untilRestart) return '';
  const now = `${untilRestart.cpu} CPU, ${mebibytesText(context, untilRestart.memoryMebibytes)}`;
  return t({ en: `; until its next start: ${now}`, ru: `; до следующего запуска: ${now}` });
}

function diskText(context: Context, { diskMebibytes, isDiskLimited }: MachineStatus): string {
  const { t } = context;
  if (diskMebibytes === undefined) return '—';
  return `${mebibytesText(context, diskMebibytes)}${isDiskLimited ? '' : t({ en: ' (not enforced)', ru: ' (не ограничен)' })}`;
}

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const machines = await engineClient.machines();
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'KIND', ru: 'ВИД' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    t({ en: 'NETWORK', ru: 'СЕТЬ' }),
    t({ en: 'ADDRESS', ru: 'АДРЕС' }),
    'CPU',
    t({ en: 'MEMORY', ru: 'ПАМЯТЬ' }),
    t({ en: 'DISK', ru: 'ДИСК' }),
    t({ en: 'IMAGE', ru: 'ОБРАЗ' }),
    t({ en: 'UPDATES', ru: 'ОБНОВЛЕНИЯ' }),
  ];
  const rows = machines.map((each) => [
    each.name,
    each.kind === 'vm' ? t({ en: 'VM', ru: 'ВМ' }) : t({ en: 'container', ru: 'контейнер' }),
    each.state,
    each.network ?? '—',
    each.address ?? '—',
    String(each.cpu),
    mebibytesText(this, each.memoryMebibytes),
    diskText(this, each),
    each.image,
    each.updates ? updatesText(this, each.updates.all.length, each.updates.security.length) : '—',
  ]);
  return { data: machines, text: table([head, ...rows]).join('\n') };
}

export async function shell(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  return { data: {}, text: '', exitCode: await join(this, name, ['/bin/bash', '-l']) };
}

export async function exec(this: Context, _flags: unknown, name: string, ...words: string[]): Promise<void> {
  const run = command<OutputFlags, string[]>(async function (_, ...inside) {
    return { data: {}, text: '', exitCode: await join(this, name, inside) };
  });
  await run.call(this, { output: 'text' }, ...words);
}

/** Connects a command's streams to ours; allocates a terminal if we have one. */
async function join({ io }: Context, name: string, inside: readonly string[]): Promise<number> {
  const { stdin, stdout, stderr } = io;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const raw = stdin as NodeJS.ReadStream;
  if (isTerminal) raw.setRawMode(true);
  try {
    const terminal = { columns: stdout.columns ?? 80, rows: (stdout as NodeJS.WriteStream).rows ?? 24 };
    return await engineClient.exec(
      name,
      { command: inside, ...(isTerminal && { terminal }) },
      { stdin, stdout, stderr },
    );
  } finally {
    if (isTerminal) raw.setRawMode(false);
  }
}

export async function logs(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const console = await engineClient.machineConsole(name);
  return { data: { console }, text: console };
}

export async function restart(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  await engineClient.restartMachine(name);
  return {
    data: { restarted: name },
    text: `${this.style.green('✓')} ${this.t({ en: `${name} is running.`, ru: `Машина ${name} работает.` })}`,
  };
}

export async function stop(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  await engineClient.stopMachine(name);
  return {
    data: { stopped: name },
    text: `${this.style.green('✓')} ${this.t({ en: `${name} is stopped.`, ru: `Машина ${name} остановлена.` })}`,
  };
}

export async function remove(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  await engineClient.deleteMachine(name);
  return {
    data: { deleted: name },
    text: `${this.style.green('✓')} ${this.t({ en: `${name} is deleted.`, ru: `Машина ${name} удалена.` })}`,
  };
}

async function readText({ io }: Context, file: string): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new ProblemError({
      ...problem('NOVA1003', { reason: systemReason(error) }),
      place: { file, line: 1, column: 1, snippet: '', caret: 0, length: 1 },
    });
  }
}
