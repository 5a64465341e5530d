import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '@nova-platform/process';
import type { Service } from '../supervisor.ts';
import { noCapabilities, nodeNetwork, sandbox } from '../unit-sandbox.ts';

// Runtime units: they disappear at shutdown, like the mounts that they need.
const folder = '/run/systemd/system';
const unitName = /^nova-[a-z-]+\.service$/;

/** The systemd unit of a service. It is always restarted; processes that it started (machines) survive its stop. */
export function unitOf({ name, command, args, user }: Service): string {
  const words = [command, ...args].map(
    (word) =>
      `"${word
        .replaceAll('\\', '\\\\')
        .replaceAll('"', '\\"')
        .replaceAll('%', '%%')
        .replaceAll('$', () => '$$')}"`,
  );
  return `[Unit]
Description=Nova: ${name}
StartLimitIntervalSec=0

[Service]
ExecStart=${words.join(' ')}
${user ? confinement(user) : ''}Restart=always
RestartSec=100ms
KillMode=process
`;
}

/** A service of another user has no privileges. A service that runs away is ended before the host is short of memory. */
function confinement({ name, folder: own }: NonNullable<Service['user']>): string {
  return `User=${name}
Group=${name}
UMask=0077
ReadWritePaths=${own}
LimitNOFILE=4096
TasksMax=128
MemoryMax=1G
${noCapabilities}${nodeNetwork}${sandbox}`;
}

export async function hasSystemd(): Promise<boolean> {
  return (await readdir(folder).catch(() => undefined)) !== undefined;
}

export async function startUnits(services: readonly Service[]): Promise<void> {
  for (const service of services) await writeFile(join(folder, `${service.name}.service`), unitOf(service));
  await run('systemctl', ['daemon-reload']);
  await run('systemctl', ['start', ...services.map(({ name }) => name)]);
}

export async function stopUnit(name: string): Promise<void> {
  await attempt('systemctl', ['stop', name]);
  await rm(join(folder, `${name}.service`), { force: true });
  await run('systemctl', ['daemon-reload']);
}

export async function stopUnits(): Promise<void> {
  const units = (await readdir(folder).catch((): string[] => [])).filter((name) => unitName.test(name));
  for (const unit of units) {
    await attempt('systemctl', ['stop', unit]);
    await rm(join(folder, unit));
  }
  if (units.length > 0) await attempt('systemctl', ['daemon-reload']);
}
