import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, type Resource, storeCatalog } from '@nova-platform/catalog';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { openStore } from '@nova-platform/store';
import { compress } from '../packages/config-manager/src/compressed.ts';
import type { Schema } from '../packages/config-manager/src/store/schema.ts';

export type ConfigServer = Awaited<ReturnType<typeof startConfigServer>>;

const program = join(import.meta.dirname, '..', 'nova-ctl');

/** The Configuration Manager as users start it, with its store, reports and history. */
export async function startConfigServer({ host, port }: { host: string; port: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'nova-bench-'));
  const data = join(folder, 'data');
  const socket = join(folder, 'config.sock');
  const args = ['--data', data, '--listen', `${host}:${port}`, '--address', host, '--socket', socket];
  const child = spawn(program, ['config', 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NOVA_LOG: 'warn' },
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the server did not start')));
  });
  return {
    port,
    client: configClient(socket),
    memoryBytes: (): number => {
      const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Number(kibibytes) * 1024;
    },
    /** Approves a catalog that no plan produces; the server reads it from its store like any other. */
    approve: async (node: string, resources: readonly Resource[]): Promise<void> => {
      const db = await openStore<Schema>({ kind: 'sqlite', file: join(data, 'config.db') });
      const body = compress(storeCatalog(createCatalog(node, resources), { seal: () => '', open: () => '' }));
      const { id } = await db
        .insertInto('catalogs')
        .values({ node, body, approved_at: Date.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.updateTable('nodes').set({ catalog_id: id }).where('name', '=', node).execute();
      await db.destroy();
    },
    stop: async (): Promise<void> => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}
