import { join } from 'node:path';
import * as engine from '@nova-platform/engine';
import type { SiteAddresses } from '@nova-platform/plan';

export { builtFolder, checkHost, type Finding, hostDown, keptSite } from '@nova-platform/engine';

/** The engine's program is in the same folder as this program. */
const program = [process.execPath, join(import.meta.dirname, 'nova-engine.js')];

/** Starts networks and engine with the chosen addresses. */
export async function startHost(report: (line: string) => void, addresses: Partial<SiteAddresses>): Promise<void> {
  await engine.hostUp(program, report, addresses);
}

/** Switches the oVirt-compatible API on. */
export async function enableOvirt(): Promise<void> {
  await engine.enableOvirt(program);
}

export async function disableOvirt(options: { purge: boolean }): Promise<void> {
  await engine.disableOvirt(program, options);
}
