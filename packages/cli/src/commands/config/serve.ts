import { resolve } from 'node:path';
import { type ConfigManager, startConfigManager } from '@nova-platform/config-manager';
import { defaultSocket } from '@nova-platform/contracts/config-manager/client';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { endpoint, endpointText, hostName, ipAddress, logLevel } from '../../server-flags.ts';
import { localSite } from '../../site.ts';
import { table } from '../../tree.ts';

export interface ServeFlags {
  data: string;
  listen: string;
  address?: string;
  name?: string;
  socket?: string;
  keyFile?: string;
  metrics?: string;
  output: Output;
}

export const serve = command<ServeFlags, []>(async function (flags) {
  const { io } = this;
  const path = (name: string) => resolve(io.cwd, name);
  const listen = endpoint('--listen', flags.listen, '0.0.0.0:8140');
  const site = await localSite();
  const options = {
    data: path(flags.data),
    ...(flags.keyFile !== undefined && { keyFile: path(flags.keyFile) }),
    name: hostName(flags.name ?? `config.${site.universe.name}`),
    address: ipAddress(flags.address ?? site.external.gateway),
    registry: `hub.${site.universe.name}:5000`,
    listen,
    socket: path(flags.socket ?? defaultSocket(io.env)),
    ...(flags.metrics !== undefined && { metricsListen: endpoint('--metrics', flags.metrics, '127.0.0.1:9140') }),
  };
  const logger = pino({ level: logLevel(io.env.NOVA_LOG) }, io.stderr);

  const manager = await startConfigManager({ ...options, logger });
  const stopped = io.untilStopped();
  io.stdout.write(readyText(this, flags, options, manager));
  await stopped;
  logger.info('stopping');
  await manager.close();
  return { data: undefined, text: '' };
});

interface Options {
  data: string;
  name: string;
  address: string;
  listen: { host: string; port: number };
  socket: string;
}

function readyText(
  context: Context,
  { output, metrics }: ServeFlags,
  { data, name, address, listen, socket }: Options,
  { port, fingerprint }: ConfigManager,
): string {
  const { t, style, io } = context;
  const ready = {
    status: 'ready',
    listen: endpointText({ host: listen.host, port }),
    port,
    name,
    address,
    socket,
    ...(metrics !== undefined && { metrics }),
    data,
    fingerprint,
  };
  if (output === 'json') return `${JSON.stringify(ready)}\n`;
  if (output === 'yaml') return stringify(ready);
  const facts = table([
    [t({ en: 'nodes', ru: 'узлы' }), `https://${ready.listen} ${style.dim(`(${name}:${port} → ${address})`)}`],
    [t({ en: 'commands', ru: 'команды' }), socket],
    ...(metrics === undefined ? [] : [[t({ en: 'metrics', ru: 'метрики' }), `http://${metrics}/metrics`]]),
    [t({ en: 'data', ru: 'данные' }), data],
    [t({ en: 'CA fingerprint', ru: 'отпечаток CA' }), fingerprint],
  ]);
  const next = table([
    ...(socket === resolve(io.cwd, defaultSocket(io.env))
      ? []
      : [
          [
            `export NOVA_CONFIG_SOCKET=${socket}`,
            style.dim(t({ en: 'for the commands below', ru: 'для команд ниже' })),
          ],
        ]),
    [
      'nova-ctl config apply -f cluster.yaml',
      style.dim(t({ en: 'approve the configuration of nodes', ru: 'утвердить конфигурацию узлов' })),
    ],
    [
      `nova-ctl config token create --node ${t({ en: 'NAME', ru: 'ИМЯ' })}`,
      style.dim(t({ en: 'enrol a node', ru: 'зарегистрировать узел' })),
    ],
    ['nova-ctl node list', style.dim(t({ en: 'list the nodes', ru: 'показать узлы' }))],
  ]);
  return `${[
    `${style.green('✓')} ${t({ en: 'The Configuration Manager is ready; Ctrl-C stops it.', ru: 'Менеджер конфигураций готов; Ctrl-C остановит его.' })}`,
    '',
    ...facts.map((line) => `  ${line}`),
    '',
    ...next.map((line) => `  ${line}`),
  ].join('\n')}\n`;
}
