import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { systemReason } from '../../read.ts';

export interface TransferFlags {
  format: 'qcow2' | 'raw';
  output: Output;
}

export interface ExportFlags extends TransferFlags {
  machine?: boolean;
}

export const importDisk = command<TransferFlags, [name: string, file: string]>(async function ({ format }, name, path) {
  const handle = await opened(this, path, 'r');
  const disk = await engineClient.importDisk(name, format, handle.createReadStream());
  const done = this.t({ en: `The disk ${name} is created.`, ru: `Диск ${name} создан.` });
  return { data: disk, text: `${this.style.green('✓')} ${done}\n\n  nova-ctl disk attach ${name} MACHINE` };
});

export const exportDisk = command<ExportFlags, [name: string, file: string]>(async function (
  { format, machine = false },
  name,
  path,
) {
  const handle = await opened(this, path, 'wx');
  const to = handle.createWriteStream();
  try {
    await (machine ? engineClient.exportMachine(name, format, to) : engineClient.exportDisk(name, format, to));
  } catch (error) {
    await rm(resolve(this.io.cwd, path), { force: true });
    throw error;
  }
  return { data: { exported: name, file: path }, text: `${this.style.green('✓')} ${name}: ${path}` };
});

async function opened({ io }: Context, file: string, how: 'r' | 'wx') {
  try {
    return await open(resolve(io.cwd, file), how, 0o600);
  } catch (error) {
    throw new ProblemError({
      ...problem('NOVA1003', { reason: systemReason(error) }),
      place: { file, line: 1, column: 1, snippet: '', caret: 0, length: 1 },
    });
  }
}
