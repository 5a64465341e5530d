import { join } from 'node:path';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { hostUp } from '@nova-platform/engine';
import type { SiteAddresses } from '@nova-platform/plan';
import type { Step } from '../step.ts';

/** Starts networks and engine with the addresses that were chosen. */
export const host = (addresses: Partial<SiteAddresses>): Step => ({
  title: { en: 'networks and engine', ru: 'сети и движок' },
  run: async (report) => {
    const before = await engineClient.health().catch(() => undefined);
    await hostUp([process.execPath, join(import.meta.dirname, 'nova-engine.js')], report, addresses);
    return before?.version !== (await engineClient.health()).version;
  },
});
