import { join } from 'node:path';
import { hostUp } from '@nova-platform/engine';
import type { SiteAddresses } from '@nova-platform/plan';

export { builtFolder, checkHost, type Finding, hostDown, keptSite } from '@nova-platform/engine';

/** Starts networks and engine with the chosen addresses. The engine's program is in the same folder as this program. */
export async function startHost(report: (line: string) => void, addresses: Partial<SiteAddresses>): Promise<void> {
  await hostUp([process.execPath, join(import.meta.dirname, 'nova-engine.js')], report, addresses);
}
