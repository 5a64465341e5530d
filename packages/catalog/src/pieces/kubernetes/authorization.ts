import { stringify } from 'yaml';
import type { Catalog } from '../../catalog.ts';
import { file, type Resource } from '../../resource.ts';
import { authorityOf, folder } from './paths.ts';

/** Users and groups of Kubernetes that the API refuses whatever their roles: those of revoked nodes. */
export interface Denied {
  users: readonly string[];
  groups: readonly string[];
}

const path = `${folder}/authorization.yaml`;
const deniedKubeconfig = `${folder}/authorization-denied.kubeconfig`;

/** The API server reads the first file again when it changes; the second one it reads only then. */
export function authorization(denied: Denied): Resource[] {
  return [
    file(deniedKubeconfig, { content: nowhere(authorityOf('front-proxy')), mode: '0600' }),
    file(path, { content: authorizationConfiguration(denied, deniedKubeconfig), mode: '0600' }),
  ];
}

export const authorizationFlag = `--authorization-config=${path}`;

/**
 * Who may do what: nodes what concerns them, all others what their roles say. RBAC cannot deny, and the API server has
 * no list of revoked certificates. A webhook that does not answer denies whatever reaches it, so it needs no server; its
 * condition decides that only revoked nodes reach it.
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

/** A server that does not exist. An authority that signs no servers keeps everybody else from posing as it. */
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

/** The catalog with another list and otherwise as it was; nothing where the node has no API server that knows one. */
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

/** Names of nodes and hashes: nothing in them has to be escaped. */
const list = (names: readonly string[]): string => JSON.stringify(names);
