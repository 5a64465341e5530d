import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { failure, requestTo } from '@nova-platform/http/client';
import { collectHostPackages } from '@nova-platform/installer';
import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { progressOf } from '../../progress.ts';
import { type UniverseAccess, universeOf } from '../../universe.ts';

export interface PackagesFlags {
  update?: boolean;
  output: Output;
}

const mebibyte = 1024 ** 2;

export const packages = command<PackagesFlags, []>(async function ({ update = false }) {
  const { io, t, style } = this;
  const universe = universeOf(io);
  const progress = progressOf(this);
  const folder = await mkdtemp(join(tmpdir(), 'nova-host-packages-'));
  try {
    await collectHostPackages({ isUpdate: update, onLine: progress.say }, folder);
    progress.say(t({ en: 'sending to Universe', ru: 'отправка в Universe' }));
    const stored = await send(universe, folder);
    progress.end();
    const size = Math.round(stored.bytes / mebibyte);
    const done = t({
      en: `Universe has the packages and programs of existing hosts (${stored.files} files, ${size} MiB).`,
      ru: `В Universe есть пакеты и программы для существующих хостов (файлов: ${stored.files}, ${size} МиБ).`,
    });
    return { data: stored, text: `${style.green('✓')} ${done}` };
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Streams the folder as an archive. */
async function send({ connection }: UniverseAccess, folder: string): Promise<{ files: number; bytes: number }> {
  const tar = spawn('tar', ['--create', '--directory', folder, '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const headers = { ...('headers' in connection && connection.headers), 'content-type': 'application/x-tar' };
  const { promise, resolve, reject } = Promise.withResolvers<{ files: number; bytes: number }>();
  const request = requestTo({ ...connection, method: 'PUT', path: '/hosts/repository', headers }, (response) => {
    text(response).then((answer) => {
      if (response.statusCode === 200) resolve(JSON.parse(answer) as { files: number; bytes: number });
      else reject(failure(answer));
    }, reject);
  });
  // A refused upload ends early; its response has the reason.
  await pipeline(tar.stdout, request).catch((error: Error) => setTimeout(reject, 1000, error));
  return promise;
}
