import type { ProxyDocument } from '@nova-platform/api';
import type { ClusterSecrets, Credentials } from './node.ts';

/** Secrets from the documents, which plans must not contain. */
export function secretsOf(proxy: ProxyDocument | undefined): ClusterSecrets {
  const http = credentials(proxy?.spec.httpProxy);
  const https = credentials(proxy?.spec.httpsProxy);
  return http || https ? { proxy: { ...(http && { http }), ...(https && { https }) } } : {};
}

function credentials(server: ProxyDocument['spec']['httpProxy']): Credentials | undefined {
  if (server?.username === undefined && server?.password === undefined) return undefined;
  return { username: server.username ?? '', password: server.password ?? '' };
}
