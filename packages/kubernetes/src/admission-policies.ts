import { administrators, operators } from './access.ts';
import type { KubernetesObject } from './kubernetes-api.ts';

/** Universe itself, administrators, and Flux, which delivers what they declare. */
const isAdministrator = [
  `request.userInfo.groups.exists(group, group in ['system:masters', '${administrators}'])`,
  `request.userInfo.username == 'system:serviceaccount:nova-gitops:kustomize-controller'`,
].join(' || ');

interface Validation {
  expression: string;
  message: string;
}

export interface AdmissionPolicy {
  name: string;
  resources: readonly { apiGroups: string[]; resources: string[] }[];
  operations: readonly string[];
  /** Only in namespaces with this label. */
  namespaceLabel?: string;
  /** CEL condition on the requests that the policy applies to; all requests by default. */
  concerns?: string;
  variables?: Readonly<Record<string, string>>;
  validations: readonly Validation[];
}

/** A policy that the API server evaluates itself, and the binding that enforces it. */
export function admissionPolicy(policy: AdmissionPolicy): KubernetesObject[] {
  const { name, resources, operations, namespaceLabel, concerns, variables = {}, validations } = policy;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          ...(namespaceLabel !== undefined && {
            namespaceSelector: { matchExpressions: [{ key: namespaceLabel, operator: 'Exists' }] },
          }),
          resourceRules: resources.map((rule) => ({ ...rule, apiVersions: ['*'], operations })),
        },
        ...(concerns !== undefined && { matchConditions: [{ name: 'concerns', expression: concerns }] }),
        variables: Object.entries(variables).map(([variable, expression]) => ({ name: variable, expression })),
        validations,
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

/** Restrictions for non-administrators that RBAC cannot express. */
export function admissionPolicies(): KubernetesObject[] {
  return [externalAddresses, namespaceSettings, platformNamespaces].flatMap(admissionPolicy);
}

/** Every node redirects traffic for an external IP to its Service, even for addresses of nodes and of Universe. */
const externalAddresses: AdmissionPolicy = {
  name: 'nova-external-addresses',
  resources: [{ apiGroups: [''], resources: ['services'] }],
  operations: ['CREATE', 'UPDATE'],
  concerns: `!(${isAdministrator})`,
  variables: { before: 'oldObject == null ? [] : oldObject.spec.?externalIPs.orValue([])' },
  validations: [
    {
      expression: 'object.spec.?externalIPs.orValue([]).all(address, address in variables.before)',
      message: 'only administrators can set external IPs of a Service',
    },
  ],
};

const isReserved = `(key.startsWith('pod-security.kubernetes.io/') || key.startsWith('nova-platform.io/'))`;

/**
 * Labels and annotations of a namespace decide on the privileges of its pods and on the host names that a team can
 * publish.
 */
const namespaceSettings: AdmissionPolicy = {
  name: 'nova-namespace-settings',
  resources: [{ apiGroups: [''], resources: ['namespaces'] }],
  operations: ['CREATE', 'UPDATE'],
  concerns: `!(${isAdministrator})`,
  variables: Object.fromEntries(
    ['labels', 'annotations'].flatMap((field) => [
      [field, `object.metadata.?${field}.orValue({})`],
      [`${field}Before`, `oldObject == null ? {} : oldObject.metadata.?${field}.orValue({})`],
    ]),
  ),
  validations: ['labels', 'annotations'].map((field) => ({
    expression: [`variables.${field}`, `variables.${field}Before`]
      .map(
        (map, index, both) => `${map}.all(key, !${isReserved} || ${map}[key] == ${both[1 - index]}[?key].orValue(''))`,
      )
      .join(' && '),
    message: `only administrators can change ${field} of pod-security.kubernetes.io and nova-platform.io`,
  })),
};

/** Pods in these namespaces can have any privilege, and their service accounts any permission. */
const platformNamespaces: AdmissionPolicy = {
  name: 'nova-platform-namespaces',
  resources: [{ apiGroups: ['*'], resources: ['*/*'] }],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  concerns: `'${operators}' in request.userInfo.groups && !(${isAdministrator})`,
  variables: {
    // A request for a namespace itself has the name in the object.
    place: `request.resource.group == '' && request.resource.resource == 'namespaces' && object != null
      ? object.metadata.name : request.namespace`,
  },
  validations: [
    {
      expression: `!variables.place.startsWith('kube-') && !variables.place.startsWith('nova-')`,
      message: 'only administrators can change objects in namespaces of the platform',
    },
  ],
};
