import { systemNamespaces } from '@nova-platform/api';
import { stringify } from 'yaml';

/** Enabled beside those that are by default. */
export const admissionPlugins = ['NodeRestriction', 'EventRateLimit'];

/** Everywhere else pods that could take over their node are refused, and those that could be safer are warned of. */
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
        // Pods of the platform itself may need more than others.
        exemptions: { usernames: [], runtimeClasses: [], namespaces: systemNamespaces },
      },
    },
    {
      name: 'EventRateLimit',
      configuration: {
        apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        // Quotas do not count events: one namespace must not fill etcd with them.
        limits: [{ type: 'Namespace', qps: 20, burst: 1000 }],
      },
    },
  ],
});

/** Ways into a container or a node past the objects of the API. */
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
 * All changes, all connections into pods and nodes, and all reads of secrets and requests for tokens. The log never holds
 * the content of secrets and tokens. Other reads, leases and events are left out.
 */
export const auditPolicy = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi/*', '/metrics'] },
    // A connection by WebSocket is a `get`: this rule comes before those that leave reads out.
    { level: 'Metadata', resources: [{ group: '', resources: connections }] },
    // The API server itself and the controllers watch all secrets without end.
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
