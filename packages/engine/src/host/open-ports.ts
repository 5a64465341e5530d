import { join } from 'node:path';
import { readRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';

const file = join(paths.state, 'open-ports.json');

/** Ports of the host that machines can reach at its address in the external network, for example `8140/tcp`. */
export async function readOpenPorts(): Promise<string[]> {
  return (await readRecord<{ ports: string[] }>(file))?.ports ?? [];
}

export async function writeOpenPorts(ports: readonly string[]): Promise<void> {
  await writeRecord(file, { ports });
}
