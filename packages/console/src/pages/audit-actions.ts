import type { AuditEntry } from '../api/client.ts';
import type { PlainKey } from '../language.tsx';
import type { Key } from '../messages/types.ts';

/** The sentences of audited requests, by the name of the call. `{name}` is the name in the target. */
export const auditSentences = {
  login: 'audit.login',
  startSession: 'audit.startSession',
  endSession: 'audit.endSession',
  createLoginLink: 'audit.createLoginLink',
  changePassword: 'audit.changePassword',
  createUser: 'audit.createUser',
  changeUser: 'audit.changeUser',
  removeUser: 'audit.removeUser',
  createAccessToken: 'audit.createAccessToken',
  removeToken: 'audit.removeToken',
  declareCluster: 'audit.declareCluster',
  previewCluster: 'audit.previewCluster',
  scaleCluster: 'audit.scaleCluster',
  previewScale: 'audit.previewScale',
  changeModules: 'audit.changeModules',
  previewModules: 'audit.previewModules',
  createTenant: 'audit.createTenant',
  removeTenant: 'audit.removeTenant',
  stopCluster: 'audit.stopCluster',
  startCluster: 'audit.startCluster',
  destroyCluster: 'audit.destroyCluster',
  kubeconfig: 'audit.kubeconfig',
  runAgents: 'audit.runAgents',
  runAgent: 'audit.runAgent',
  createToken: 'audit.createToken',
  createJoinCommand: 'audit.createJoinCommand',
  revokeNode: 'audit.revokeNode',
  certifyServer: 'audit.certifyServer',
  resumeOperation: 'audit.resumeOperation',
  cancelOperation: 'audit.cancelOperation',
  importRelease: 'audit.importRelease',
  collectImages: 'audit.collectImages',
  acceptEngineIdentity: 'audit.acceptEngineIdentity',
  createMachine: 'audit.createMachine',
  startMachine: 'audit.startMachine',
  restartMachine: 'audit.restartMachine',
  stopMachine: 'audit.stopMachine',
  deleteMachine: 'audit.deleteMachine',
  resizeMachine: 'audit.resizeMachine',
  connectMachine: 'audit.connectMachine',
  disconnectMachine: 'audit.disconnectMachine',
  createNetwork: 'audit.createNetwork',
  deleteNetwork: 'audit.deleteNetwork',
  createDisk: 'audit.createDisk',
  growDisk: 'audit.growDisk',
  deleteDisk: 'audit.deleteDisk',
  attachDisk: 'audit.attachDisk',
  detachDisk: 'audit.detachDisk',
  createSnapshot: 'audit.createSnapshot',
  restoreSnapshot: 'audit.restoreSnapshot',
  deleteSnapshot: 'audit.deleteSnapshot',
  createTemplate: 'audit.createTemplate',
  deleteTemplate: 'audit.deleteTemplate',
  openScreen: 'audit.openScreen',
  openSerialConsole: 'audit.openSerialConsole',
} as const satisfies Record<string, Extract<Key, `audit.${string}`>>;

export type AuditAction = keyof typeof auditSentences;

export function isKnownAction(action: string): action is AuditAction {
  return Object.hasOwn(auditSentences, action);
}

/** `shop` in `clusters/shop/scale`. */
export function nameIn(target: string): string {
  return target.split('/')[1] ?? '';
}

const pages: Record<string, string> = {
  clusters: 'clusters',
  nodes: 'nodes',
  machines: 'machines',
  networks: 'networks',
  operations: 'operations',
  releases: 'releases',
};

/** The page of the target, if it has one. */
export function pageOf(target: string): string | undefined {
  const [kind = '', name = ''] = target.split('/');
  return Object.hasOwn(pages, kind) && name !== '' ? `/${kind}/${name}` : undefined;
}

/** An entry, or the parts of images that a user pushed one after the other. */
export type AuditRow = { kind: 'entry'; entry: AuditEntry } | { kind: 'push'; entries: AuditEntry[]; images: string[] };

const imagePart = /^v2\/(.+)\/(?:manifests|blobs\/uploads)\/(.+)$/;
const manifest = /^v2\/(.+)\/manifests\/(.+)$/;

/** Folds uploads to the registry: an image has many parts, and each is a request. */
export function foldPushes(entries: readonly AuditEntry[]): AuditRow[] {
  const rows: AuditRow[] = [];
  for (const entry of entries) {
    const isPush = entry.action === 'PUT' && entry.outcome < 300 && imagePart.test(entry.target);
    const last = rows.at(-1);
    if (!isPush) {
      rows.push({ kind: 'entry', entry });
      continue;
    }
    const [, repository, tag] = manifest.exec(entry.target) ?? [];
    const image =
      repository === undefined || tag === undefined || tag.startsWith('sha256:') ? [] : [`${repository}:${tag}`];
    if (last?.kind === 'push' && last.entries[0]?.who === entry.who) {
      last.entries.push(entry);
      last.images.push(...image);
    } else rows.push({ kind: 'push', entries: [entry], images: image });
  }
  return rows;
}

/** The periods to choose from, in hours. */
export const periods = [
  { hours: undefined, text: 'audit.anyTime' },
  { hours: 1, text: 'audit.lastHour' },
  { hours: 24, text: 'audit.lastDay' },
  { hours: 7 * 24, text: 'audit.lastWeek' },
  { hours: 30 * 24, text: 'audit.lastMonth' },
] as const satisfies { hours: number | undefined; text: PlainKey }[];
