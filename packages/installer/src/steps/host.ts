import { join } from 'node:path';
import { engineClient, hostUp } from '@nova-platform/engine';
import type { Step } from '../step.ts';

export const host: Step = {
  title: { en: 'networks and engine', ru: 'сети и движок' },
  run: async (report) => {
    const before = await engineClient.health().catch(() => undefined);
    await hostUp([process.execPath, join(import.meta.dirname, 'nova-engine.js')], report);
    return before?.version !== (await engineClient.health()).version;
  },
};
