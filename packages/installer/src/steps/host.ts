import { ProblemError, problem } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { SiteAddresses } from '@nova-platform/plan';
import { startHost } from '../host.ts';
import type { Step } from '../step.ts';

/** Starts networks and engine with the chosen addresses. `onStart` is called if the engine was not running. */
export const host = (addresses: Partial<SiteAddresses>, onStart: () => void): Step => ({
  title: { en: 'networks and engine', ru: 'сети и движок' },
  run: async (report) => {
    const before = await engineClient.health().catch(() => undefined);
    await startHost(report, addresses);
    if (!before) onStart();
    // Later steps may replace the machine of Universe.
    const { maintenance } = await engineClient.host();
    if (maintenance) throw new ProblemError(problem('NOVA7140', { since: maintenance.since }));
    return before?.version !== (await engineClient.health()).version;
  },
});
