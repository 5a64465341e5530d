import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@nova-platform/process';
import { ovnDaemons } from '@nova-platform/sdn';
import { faultPoint } from '../fault.ts';
import { lxcfsService } from '../machines/size.ts';
import { networkRoot, paths } from '../paths.ts';
import { endService, killService, runningPid, type Service, startSupervisor } from '../supervisor.ts';
import { ovirtService } from './ovirt-program.ts';
import { isOvirtOn } from './ovirt-switch.ts';
import { hasSystemd, startUnits, stopUnit } from './units.ts';

const servicesFile = join(paths.state, 'services.json');

/** `program` is the command line of this program without its role, `supervisor` or `engine`. */
export async function startServices(program: readonly string[]): Promise<void> {
  const [command = '', ...args] = program;
  const services: Service[] = [
    ...ovnDaemons(networkRoot),
    lxcfsService(),
    { name: 'nova-engine', command, args: [...args, 'engine'] },
    ...((await isOvirtOn()) ? [ovirtService] : []),
  ];
  await mkdir(paths.logs, { recursive: true });
  await mkdir(paths.runtime, { recursive: true, mode: 0o700 });
  if (await hasSystemd()) return startUnits(services);
  await writeFile(servicesFile, JSON.stringify(services, null, 2));
  if ((await runningPid('nova-supervisor')) !== undefined) return;
  await startSupervisor(command, [...args, 'supervisor', servicesFile]);
}

/** Restarts a service, with new code. */
export async function restartService(program: readonly string[], name: string): Promise<void> {
  if (await hasSystemd()) {
    await startServices(program);
    await run('systemctl', ['restart', name]);
    return;
  }
  // The supervisor runs the old code too. SIGTERM would make it stop all other services.
  await killService('nova-supervisor');
  faultPoint('service.unsupervised');
  await endService(name);
  await startServices(program);
}

/** Ends a service that is no longer one of those that `startServices` starts. */
export async function removeService(program: readonly string[], name: string): Promise<void> {
  if (await hasSystemd()) return stopUnit(name);
  await killService('nova-supervisor');
  faultPoint('service.unsupervised');
  await endService(name);
  await startServices(program);
}
