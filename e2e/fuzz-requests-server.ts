import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type ConfigManagerOptions, startConfigManager } from '@nova-platform/config-manager';

// The Configuration Manager in a separate process, so that its memory can be measured and a crash does not affect the
// tests.
const [folder = '', bodyTimeout = ''] = process.argv.slice(2);
const output = createWriteStream(join(folder, 'log'));

type Logger = ConfigManagerOptions['logger'];
type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

const at =
  (level: Level) =>
  (...what: unknown[]): void => {
    const shown = what.map((each) => (each as { err?: { stack?: string } } | undefined)?.err?.stack ?? each);
    output.write(`${level} ${JSON.stringify(shown)}\n`);
  };
const logger = {
  level: 'info',
  trace: () => {},
  debug: () => {},
  info: () => {},
  silent: () => {},
  warn: at('warn'),
  error: at('error'),
  fatal: at('fatal'),
  child: () => logger,
} as Logger;

const manager = await startConfigManager({
  data: join(folder, 'data'),
  name: 'config.universe.nova.internal',
  address: '127.0.0.1',
  listen: { host: '127.0.0.1', port: 0 },
  socket: join(folder, 'config.sock'),
  logger,
  bodyTimeout: Number(bodyTimeout),
});
process.once('SIGTERM', () => void manager.close().then(() => process.exit(0)));
// Without its parent, the server would never be stopped.
process.once('disconnect', () => process.exit(1));
process.send?.({ port: manager.port });
