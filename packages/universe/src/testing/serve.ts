import { join } from 'node:path';
import type { NewEvent } from '@nova-platform/operations';
import { defaultSite } from '@nova-platform/plan';
import type { StoreLocation } from '@nova-platform/store';
import { destination, pino } from 'pino';
import { createUniverse } from '../universe.ts';

// Universe in its own process, so that tests can measure its memory and kill it, and survive its crash.
const [folder = '', store = ''] = process.argv.slice(2);
const universe = await createUniverse({
  data: join(folder, 'data'),
  ...(store !== '' && { store: JSON.parse(store) as StoreLocation }),
  site: defaultSite,
  listen: { host: '127.0.0.1', port: 0 },
  socket: join(folder, 'universe.sock'),
  config: { listen: { host: '127.0.0.1', port: 0 }, socket: join(folder, 'config.sock') },
  registrySocket: join(folder, 'registry.sock'),
  git: { folder: join(folder, 'git'), socket: join(folder, 'git.sock') },
  resolver: { corefile: join(folder, 'resolver', 'Corefile'), servers: [], healthPort: 1 },
  logger: pino({ level: 'warn' }, destination({ dest: join(folder, 'log'), sync: true })),
});
process.once('SIGTERM', () => void universe.close().then(() => process.exit(0)));
// The parent has exited, so nothing else would stop this process.
process.once('disconnect', () => process.exit(1));
// Writes events as fast as the parent sends them.
process.on('message', (event: NewEvent) => {
  void universe.parts.journal.write((_transaction, emit) => emit(event));
});
process.send?.({ port: universe.port, configPort: universe.parts.config.port });
