import { hostDown, hostStop, removeBuilt } from '@nova-platform/engine';
import type { Step } from './step.ts';

export interface DownOptions {
  /** Removes all data instead of keeping it for the next start. */
  purge: boolean;
  /** Also removes built programs and images. */
  caches: boolean;
}

/** Stops the platform on this host, or removes it. */
export function downSteps({ purge, caches }: DownOptions): Step[] {
  return [...(purge ? [removal] : [stop]), ...(caches ? [cacheRemoval] : [])];
}

const stop: Step = {
  title: { en: 'stop machines and networks', ru: 'остановка машин и сетей' },
  run: async (report) => {
    await hostStop(report);
    return true;
  },
};

const removal: Step = {
  title: { en: 'remove machines, networks and data', ru: 'удаление машин, сетей и данных' },
  run: async (report) => {
    await hostDown(report);
    return true;
  },
};

const cacheRemoval: Step = {
  title: { en: 'remove built programs and images', ru: 'удаление собранных программ и образов' },
  run: async () => {
    await removeBuilt();
    return true;
  },
};
