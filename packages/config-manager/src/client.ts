import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { CatalogChange, ClusterSecrets, Facts, Resource } from '@nova-platform/catalog';
import { apiClient } from '@nova-platform/http/client';
import type { ClusterPlan } from '@nova-platform/plan';
import type { ServerOrder } from './authorities.ts';
import type { NodeChanges } from './catalogs.ts';
import type { NodeStatus } from './nodes.ts';
import type { RunReport } from './reports.ts';

export type { NodeChanges, NodeStatus, RunReport };
export type StoredReport = RunReport & { id: number; receivedAt: string };
export type ListedNode = NodeStatus & { isAsking: boolean; pending: number; sinceLastRun: number };
export type RunLine = { state: 'waiting' | 'running' } | { line: string } | { report: StoredReport };

export interface Token {
  node: string;
  token: string;
  expiresAt: string;
  server: string;
  fingerprint: string;
  isPlanned: boolean;
  cloudConfig: object;
}

/** Where commands find the server when nothing else is said: one for a host, or one for a user. */
export function defaultSocket(env: Readonly<Record<string, string | undefined>>): string {
  const folder = process.getuid?.() === 0 ? '/run' : (env.XDG_RUNTIME_DIR ?? `/tmp/nova-${process.getuid?.()}`);
  return env.NOVA_CONFIG_SOCKET ?? join(folder, 'nova', 'config.sock');
}

/** The Configuration Manager as commands see it. */
export function configClient(socket: string) {
  const { call, stream } = apiClient(
    { socketPath: socket },
    ({ code }) => new ProblemError(code === 'EACCES' ? problem('NOVA8031', {}) : problem('NOVA8030', {})),
  );
  const node = (name: string, rest: string) => `/v1/nodes/${encodeURIComponent(name)}/${rest}`;
  return {
    health: () => call<{ status: string; fingerprint: string }>('GET', '/v1/health'),
    createToken: (name: string, lifetimeSeconds: number) =>
      call<Token>('POST', '/v1/tokens', { node: name, lifetimeSeconds }),
    /** With what an earlier preview has `shown`, only exactly that is approved. */
    apply: (plan: ClusterPlan, secrets: ClusterSecrets, isApproved: boolean, shown?: string) =>
      call<{ cluster: string; isApproved: boolean; nodes: NodeChanges[]; shown: string }>('POST', '/v1/plans', {
        plan,
        secrets,
        isApproved,
        ...(shown !== undefined && { shown }),
      }),
    /** A certificate of 30 days with its chain, and the authority that nodes' certificates come from. */
    certifyServer: (order: ServerOrder) =>
      call<{ certificate: string; authority: string }>('POST', '/v1/server-certificates', order),
    plans: () => call<ClusterPlan[]>('GET', '/v1/plans'),
    nodes: () => call<ListedNode[]>('GET', '/v1/nodes'),
    facts: (name: string) => call<Facts>('GET', node(name, 'facts')),
    reports: (name: string, limit: number) => call<StoredReport[]>('GET', node(name, `reports?limit=${limit}`)),
    catalog: (name: string) =>
      call<{ version: string; approvedAt: string; node: string; resources: Resource[] }>('GET', node(name, 'catalog')),
    difference: (name: string) =>
      call<{ sinceLastRun: CatalogChange[]; pending: CatalogChange[] }>('GET', node(name, 'catalog/diff')),
    run: (name: string, isNoop: boolean, onLine: (line: RunLine) => void) =>
      stream<RunLine>('POST', node(name, 'run'), { isNoop }, onLine),
    revoke: (name: string) => call('POST', node(name, 'revoke')),
  };
}
