import { hostDown, hostStop } from '@nova-platform/engine';
import type { Step } from './step.ts';

export interface DownOptions {
  /** Removes all data instead of keeping it for the next start. */
  purge: boolean;
  /** Also removes built programs and images. */
  caches: boolean;
}

/** Stops the platform on this host, or removes it. */
export function downSteps({ purge, caches }: DownOptions): Step[] {
  return [
    purge
      ? {
          title: { en: 'remove machines, networks and data', ru: 'удаление машин, сетей и данных' },
          run: async (report) => {
            await hostDown(report, { cache: caches });
            return true;
          },
        }
      : {
          title: { en: 'stop machines and networks', ru: 'остановка машин и сетей' },
          run: async (report) => {
            await hostStop(report);
            return true;
          },
        },
  ];
}
