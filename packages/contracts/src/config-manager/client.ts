import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { type ApiClient, apiClient } from '@nova-platform/http/client';
import { type Client, clientOf } from '@nova-platform/http/contract';
import { configContract, type ListedNode } from './contract.ts';

export type {
  ListedNode,
  RunLine,
  RunReport,
  ShownResource,
  StoredReport,
  Token,
} from './contract.ts';
export type ConfigClient = Client<typeof configContract>;

/** The default path of the server's socket: for the host, or for one user. */
export function defaultSocket(env: Readonly<Record<string, string | undefined>>): string {
  const folder = process.getuid?.() === 0 ? '/run' : (env.XDG_RUNTIME_DIR ?? `/tmp/nova-${process.getuid?.()}`);
  return env.NOVA_CONFIG_SOCKET ?? join(folder, 'nova', 'config.sock');
}

/** A client of the Configuration Manager at its socket, or at another server that serves its paths below `prefix`. */
export function configClient(target: string | ApiClient, prefix = ''): ConfigClient {
  const client =
    typeof target === 'string'
      ? apiClient(
          { socketPath: target },
          ({ code }) => new ProblemError(code === 'EACCES' ? problem('NOVA8031', {}) : problem('NOVA8030', {})),
        )
      : target;
  return clientOf(configContract, client, prefix);
}

/** Reads all pages. */
export async function allNodes(client: ConfigClient): Promise<ListedNode[]> {
  const nodes: ListedNode[] = [];
  let after: string | undefined;
  do {
    const page = await client.listNodes({ query: { limit: 500, after } });
    nodes.push(...page.nodes);
    after = page.next;
  } while (after !== undefined);
  return nodes;
}
