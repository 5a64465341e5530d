import { systemNamespaces } from '@nova-platform/api';
import { stringify } from 'yaml';

/** Enabled in addition to the default plugins. */
export const admissionPlugins = ['NodeRestriction', 'EventRateLimit'];

/**
 * Outside the system namespaces, pods that could take over their node are rejected, and pods that could be more
 * restricted cause a warning.
 */
export const admission = stringify({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'PodSecurity',
      configuration: {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: {
          enforce: 'baseline',
          'enforce-version': 'latest',
          audit: 'restricted',
          'audit-version': 'latest',
          warn: 'restricted',
          'warn-version': 'latest',
        },
        // Platform pods may need more privileges.
        exemptions: { usernames: [], runtimeClasses: [], namespaces: systemNamespaces },
      },
    },
    {
      name: 'EventRateLimit',
      configuration: {
        apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        // Quotas do not count events: no namespace may fill etcd with them.
        limits: [{ type: 'Namespace', qps: 20, burst: 1000 }],
      },
    },
  ],
});

/** Connections into a container or a node that bypass the objects of the API. */
const connections = [
  'pods/exec',
  'pods/attach',
  'pods/portforward',
  'pods/proxy',
  'pods/ephemeralcontainers',
  'services/proxy',
  'nodes/proxy',
];

/**
 * Logs all changes, all connections into pods and nodes, all reads of secrets and all token requests. The log never
 * contains secrets and tokens. Other reads, leases and events are not logged.
 */
export const auditPolicy = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi/*', '/metrics'] },
    // A WebSocket connection is a `get`: this rule must precede the rules that skip reads.
    { level: 'Metadata', resources: [{ group: '', resources: connections }] },
    // The API server and the controllers watch all secrets continuously.
    {
      level: 'None',
      users: ['system:apiserver', 'system:kube-controller-manager'],
      verbs: ['get', 'list', 'watch'],
    },
    { level: 'Metadata', resources: [{ group: '', resources: ['secrets', 'serviceaccounts/token'] }] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    {
      level: 'None',
      resources: [
        { group: '', resources: ['events'] },
        { group: 'events.k8s.io', resources: ['events'] },
      ],
    },
    { level: 'None', verbs: ['get', 'list', 'watch'] },
    {
      level: 'Metadata',
      resources: [
        { group: '', resources: ['configmaps'] },
        { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
      ],
    },
    { level: 'Request' },
  ],
});
