import { join } from 'node:path';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { hostUp } from '@nova-platform/engine';
import type { SiteAddresses } from '@nova-platform/plan';
import type { Step } from '../step.ts';

/** Starts networks and engine with the chosen addresses. `onStart` is called if the engine was not running. */
export const host = (addresses: Partial<SiteAddresses>, onStart: () => void): Step => ({
  title: { en: 'networks and engine', ru: 'сети и движок' },
  run: async (report) => {
    const before = await engineClient.health().catch(() => undefined);
    await hostUp([process.execPath, join(import.meta.dirname, 'nova-engine.js')], report, addresses);
    if (!before) onStart();
    return before?.version !== (await engineClient.health()).version;
  },
});
