import { join, resolve } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { configClient, defaultSocket } from '@nova-platform/contracts/config-manager/client';
import { defaultRegistrySocket } from '@nova-platform/contracts/registry/client';
import { cacheFolder, chooseComponents, chooseToolchain, findBuilt, readComponents } from '@nova-platform/distro';
import { startRegistry } from '@nova-platform/registry';
import { type Logger, pino } from 'pino';
import { stringify } from 'yaml';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { type Endpoint, endpoint, endpointText, hostName, ipAddress, logLevel } from '../../server-flags.ts';
import { localSite } from '../../site.ts';
import { table } from '../../tree.ts';

export interface ServeFlags {
  data: string;
  listen: string;
  import: string;
  program?: string;
  name?: string;
  address?: string;
  socket?: string;
  groupSocket: boolean;
  site?: string;
  output: Output;
}

export const serve = command<ServeFlags, []>(async function (flags) {
  const { io } = this;
  const path = (name: string) => resolve(io.cwd, name);
  const options = {
    data: path(flags.data),
    listen: fixedEndpoint('--listen', flags.listen, '0.0.0.0:5000'),
    importListen: ownEndpoint(fixedEndpoint('--import', flags.import, '127.0.0.1:5001')),
    socket: path(flags.socket ?? defaultRegistrySocket(io.env)),
    isGroupSocket: flags.groupSocket,
  };
  const site = await localSite(flags.site);
  const name = hostName(flags.name ?? `hub.${site.universe.name}`);
  const address = ipAddress(
    flags.address ?? (flags.site === undefined ? site.external.gateway : site.universe.address),
  );
  const logger = pino({ level: logLevel(io.env.NOVA_LOG) }, io.stderr);
  const manager = configClient(path(defaultSocket(io.env)));

  const registry = await startRegistry({
    ...options,
    program: flags.program === undefined ? await registryProgram() : path(flags.program),
    certify: (publicKey) => manager.certifyServer({ body: { dnsNames: [name], addresses: [address], publicKey } }),
    watchIdentities: (onList, signal) => manager.watchIdentities({}, ({ serials }) => onList(serials), signal),
    log: (line) => logLine(logger, line),
  });
  const stopped = io.untilStopped();
  io.stdout.write(readyText(this, flags.output, { ...options, name, address }));
  await stopped;
  logger.info('stopping');
  await registry.close();
  return { data: undefined, text: '' };
});

async function registryProgram(): Promise<string> {
  const name = 'distribution';
  const [[component], toolchain] = await Promise.all([
    readComponents().then((all) => chooseComponents(all, [name])),
    chooseToolchain(cacheFolder()),
  ]);
  const built = component && (await findBuilt(component, toolchain));
  if (!built) throw new ProblemError(problem('NOVA8214', { component: name }));
  return join(built.folder, 'bin', 'registry');
}

/** Nodes and commands must know the port in advance, so the system cannot choose it. */
function fixedEndpoint(option: string, text: string, example: string): Endpoint {
  const parsed = endpoint(option, text, example);
  return parsed.port > 0 ? parsed : endpoint(option, '', example);
}

/** The write endpoint has only a password and no encryption, so it must be on loopback. */
function ownEndpoint(parsed: Endpoint): Endpoint {
  if (/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(parsed.host)) return parsed;
  throw badValue('--import', {
    en: 'a loopback address, such as 127.0.0.1:5001',
    ru: 'адрес loopback, например 127.0.0.1:5001',
  });
}

/** Distribution logs one JSON document per line; this forwards its messages to our logger. */
function logLine(logger: Logger, line: string): void {
  try {
    const { level, msg, time: _time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const isFailure = level === 'error' || level === 'fatal' || level === 'panic';
    logger[isFailure ? 'error' : 'warn'](rest, String(msg));
  } catch {
    logger.warn(line);
  }
}

interface Ready {
  data: string;
  listen: Endpoint;
  importListen: Endpoint;
  socket: string;
  name: string;
  address: string;
}

function readyText(
  { t, style, io }: Context,
  output: Output,
  { data, listen, importListen, socket, name, address }: Ready,
): string {
  const ready = {
    status: 'ready',
    listen: endpointText(listen),
    import: endpointText(importListen),
    name,
    address,
    socket,
    data,
  };
  if (output === 'json') return `${JSON.stringify(ready)}\n`;
  if (output === 'yaml') return stringify(ready);
  const facts = table([
    [t({ en: 'nodes', ru: 'узлы' }), `https://${ready.listen} ${style.dim(`(${name}:${listen.port} → ${address})`)}`],
    [t({ en: 'import', ru: 'импорт' }), `http://${ready.import}`],
    [t({ en: 'commands', ru: 'команды' }), socket],
    [t({ en: 'data', ru: 'данные' }), data],
  ]);
  const next = table([
    ...(socket === resolve(io.cwd, defaultRegistrySocket(io.env))
      ? []
      : [
          [
            `export NOVA_REGISTRY_SOCKET=${socket}`,
            style.dim(t({ en: 'for the commands below', ru: 'для команд ниже' })),
          ],
        ]),
    ['nova-ctl registry import', style.dim(t({ en: 'import built images', ru: 'импортировать собранные образы' }))],
    ['nova-ctl registry list', style.dim(t({ en: 'list the images', ru: 'показать образы' }))],
  ]);
  return `${[
    `${style.green('✓')} ${t({ en: 'The registry is ready; Ctrl-C stops it.', ru: 'Реестр готов; Ctrl-C остановит его.' })}`,
    '',
    ...facts.map((line) => `  ${line}`),
    '',
    ...next.map((line) => `  ${line}`),
  ].join('\n')}\n`;
}
