import { serveRepositories } from './service.ts';

// The git service on the Universe machine. Its user can read the repositories and no other data of Universe.
const service = await serveRepositories({
  folder: '/var/lib/nova/git',
  socket: '/run/nova-git/git.sock',
  log: (line) => process.stderr.write(`${line}\n`),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.close());
