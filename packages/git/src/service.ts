import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { environment } from './environment.ts';
import { Repositories } from './repositories.ts';

const execute = promisify(execFile);

export interface ServiceOptions {
  /** Never written. */
  folder: string;
  /** The umask of the process controls who can connect. */
  socket: string;
  log: (line: string) => void;
}

/** Serves repositories on a socket. Universe authenticates requests before it forwards them. */
export async function serveRepositories({ folder, socket, log }: ServiceOptions): Promise<{ close: () => void }> {
  const { stdout } = await execute('git', ['--version'], { env: environment });
  const version = stdout.trim().replace('git version ', '');
  const repositories = new Repositories(resolve(folder), log);
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url === '/version') response.end(JSON.stringify({ version }));
    else void repositories.serve(request, response, url);
  });
  await rm(socket, { force: true });
  server.listen(socket);
  await once(server, 'listening');
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
