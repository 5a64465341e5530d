import { stringify } from 'yaml';
import type { Catalog } from '../../catalog.ts';
import { file, type Resource } from '../../resource.ts';
import { authorityOf, folder } from './paths.ts';

/** Kubernetes users and groups that the API denies regardless of their roles: those of revoked nodes. */
export interface Denied {
  users: readonly string[];
  groups: readonly string[];
}

const path = `${folder}/authorization.yaml`;
const deniedKubeconfig = `${folder}/authorization-denied.kubeconfig`;

/** The API server reloads the configuration when it changes, and reads the kubeconfig only then. */
export function authorization(denied: Denied): Resource[] {
  return [
    file(deniedKubeconfig, { content: nowhere(authorityOf('front-proxy')), mode: '0600' }),
    file(path, { content: authorizationConfiguration(denied, deniedKubeconfig), mode: '0600' }),
  ];
}

export const authorizationFlag = `--authorization-config=${path}`;

/**
 * Nodes get access to their own objects, all other users by their roles. RBAC cannot deny, and the API server does not
 * support revocation lists. A webhook that does not respond denies every request that reaches it, so it needs no
 * server. Its match condition lets only requests of revoked nodes reach it.
 */
export function authorizationConfiguration({ users, groups }: Denied, kubeconfig: string): string {
  const isDenied = `request.user in ${list(users)} || request.groups.exists(group, group in ${list(groups)})`;
  const webhook = {
    type: 'Webhook',
    name: 'revoked-nodes',
    webhook: {
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: [{ expression: isDenied }],
      timeout: '1s',
      failurePolicy: 'Deny',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig },
      authorizedTTL: '1s',
      unauthorizedTTL: '1s',
    },
  };
  return stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      ...(users.length + groups.length > 0 ? [webhook] : []),
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
    ],
  });
}

/**
 * A kubeconfig for a server that does not exist. Its CA signs no server certificates, so no other server can
 * impersonate it.
 */
export function nowhere(authority: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'nowhere', cluster: { server: 'https://127.0.0.1:1', 'certificate-authority': authority } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'nowhere', context: { cluster: 'nowhere', user: 'nobody' } }],
    'current-context': 'nowhere',
  });
}

/**
 * Returns the catalog with another list and no other change. Undefined if the node has no API server with such a list.
 */
export function withDenied(catalog: Catalog, denied: Denied): Catalog | undefined {
  const content = authorizationConfiguration(denied, deniedKubeconfig);
  const isList = ({ type, title }: Resource) => type === 'file' && title === path;
  if (!catalog.resources.some(isList)) return undefined;
  return {
    ...catalog,
    resources: catalog.resources.map((each) =>
      isList(each) ? { ...each, parameters: { ...each.parameters, content } } : each,
    ),
  };
}

/** Node names and hashes need no escaping. */
const list = (names: readonly string[]): string => JSON.stringify(names);
