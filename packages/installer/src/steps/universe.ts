import { ProblemError, problem } from '@nova-platform/api';
import { engineClient, execIn } from '@nova-platform/contracts/engine/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { keptSite } from '@nova-platform/engine';
import { addressesOf, type Site } from '@nova-platform/plan';
import { universeSiteFile } from '@nova-platform/plan/site-file';
import { waitUntil } from '@nova-platform/process';
import type { Step } from '../step.ts';

const readyTimeout = 60_000;
const pollInterval = 250;

/** A machine of a newer image replaces the old one. The data is in a volume, which the new machine mounts. */
export const universeMachine: Step = {
  title: { en: 'machine of Universe', ru: 'машина Universe' },
  run: async (report) => {
    const image = (await engineClient.images()).find(({ name }) => name === 'universe');
    const current = (await engineClient.machines()).find(({ name }) => name === 'universe');
    const isCurrent = current?.imageDigest === image?.digest && current?.state === 'running';
    if (!isCurrent) {
      if (current) {
        report({ en: 'replacing the machine: a newer release', ru: 'замена машины: новый выпуск' });
        await engineClient.deleteMachine('universe');
      }
      const site = await keptSite();
      await engineClient.createMachine({
        name: 'universe',
        image: 'universe',
        network: 'integration',
        address: site.universe.address,
        cloudConfig: cloudConfigOf(site),
        cpu: 2,
        memoryMebibytes: 2048,
        volumes: [{ name: 'universe', path: '/var/lib/nova' }],
      });
    }
    report({ en: 'waiting for Universe', ru: 'ожидание Universe' });
    await universeReady();
    return !isCurrent;
  },
};

/** Universe reads the addresses of its site from a file. JSON is YAML. */
function cloudConfigOf(site: Site): string {
  const content = JSON.stringify(addressesOf(site), null, 2);
  return `#cloud-config\n${JSON.stringify({ write_files: [{ path: universeSiteFile, content }] })}\n`;
}

/** Waits until Universe responds on the socket in its machine, which works before the network does. */
export async function universeReady(): Promise<void> {
  const request = ['curl', '-sf', '--unix-socket', '/run/nova/universe.sock', 'http://universe/api/v1/ready'];
  const check = () =>
    execIn('universe', request).then(
      () => undefined,
      () => 'Universe',
    );
  await waitUntil(check, {
    every: pollInterval,
    within: readyTimeout,
    expired: (what) =>
      new ProblemError(
        problem('NOVA7033', {
          what,
          log: '`nova-ctl machine exec universe -- journalctl -u nova-universe`',
          command: 'nova-ctl up',
        }),
      ),
  });
}

/** Waits until every service of Universe is ready. */
export const services = (client: () => UniverseClient): Step => ({
  title: { en: 'services', ru: 'службы' },
  run: async (report) => {
    const check = async () => {
      const missing = (await client().status({})).services.filter(({ isReady }) => !isReady);
      return missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ') || undefined;
    };
    await waitUntil(check, {
      every: pollInterval,
      within: readyTimeout,
      expired: (what) =>
        new ProblemError(
          problem('NOVA7033', {
            what,
            log: '`nova-ctl machine exec universe -- journalctl`',
            command: 'nova-ctl up',
          }),
        ),
      onMissing: report,
    });
    return false;
  },
});
