import { stringify } from 'yaml';

/** Namespaces of the platform itself, whose pods may need more than others. */
const systemNamespaces = ['kube-system', 'nova-gitops', 'nova-ingress', 'nova-storage', 'nova-monitoring'];

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
        exemptions: { usernames: [], runtimeClasses: [], namespaces: systemNamespaces },
      },
    },
  ],
});

/** Who changed what; of secrets only that they were touched, of reading and of what never stops nothing. */
export const auditPolicy = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi/*', '/metrics'] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    {
      level: 'None',
      resources: [
        { group: '', resources: ['events'] },
        { group: 'events.k8s.io', resources: ['events'] },
      ],
    },
    { level: 'None', users: ['system:kube-proxy'], verbs: ['watch'] },
    {
      level: 'None',
      userGroups: ['system:nodes', 'system:serviceaccounts:kube-system'],
      verbs: ['get', 'list', 'watch'],
    },
    {
      level: 'Metadata',
      resources: [
        { group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
        { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
      ],
    },
    { level: 'None', verbs: ['get', 'list', 'watch'] },
    { level: 'Request' },
  ],
});
