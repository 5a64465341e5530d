import { isDeepStrictEqual } from 'node:util';
import { execIn } from '@nova-platform/contracts/engine/client';
import type { Step } from '../step.ts';
import { universeReady } from './universe.ts';

export interface Settings {
  nameServers?: readonly string[];
  certificateHours?: number;
}

const settingsFile = '/var/lib/nova/universe/settings.json';

/** Changes the given settings of Universe and keeps all others. */
export const settings = (changes: Settings): Step => ({
  title: { en: 'settings', ru: 'настройки' },
  run: async () => {
    if (Object.keys(changes).length === 0) return false;
    const text = await execIn('universe', ['sh', '-c', `cat ${settingsFile} 2>/dev/null || echo '{}'`]);
    const current = JSON.parse(text) as object;
    const changed = { ...current, ...changes };
    if (isDeepStrictEqual(changed, current)) return false;
    const install = ['install', '-m', '600', '-o', 'nova', '-g', 'nova', '/dev/stdin', settingsFile];
    await execIn('universe', install, JSON.stringify(changed, null, 2));
    await execIn('universe', ['systemctl', 'restart', 'nova-universe', 'nova-registry']);
    await universeReady();
    return true;
  },
});
