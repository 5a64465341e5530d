import type { Outcome as Finished } from '../nova-ctl.ts';
import { type Published, type Site, succeeds, universe } from './site.ts';
import type { Attempt, Outcome, Role } from './table.ts';

/** The attacking node, of the cluster `other`: root on it has the node's keys. */
const node = 'other-work-1';

const identity =
  '. /etc/nova/agent.conf; request() { curl --output /dev/null --silent --show-error --fail --max-time 20 --insecure --cert "$ssl/certs/$name.pem" --key "$ssl/private_keys/$name.pem" "$@"; }; ';
const hub = 'https://hub.universe.nova.internal:5000/v2';
const kubelet =
  'curl --silent --show-error --fail --max-time 10 --cacert /etc/nova/pki/kubernetes-ca.crt --cert /etc/nova/pki/kubelet-client.crt --key /etc/nova/pki/kubelet-client.key';
/** The API address in the kubelet's configuration. */
const api = `$(sed -n 's/^ *server: *//p' /etc/nova/kubernetes/kubelet-client.kubeconfig | head -1)`;

/** A node with its certificates, before and after its revocation. */
export function nodeAttempts(site: Site, published: Published): Attempt[] {
  const as = (role: Role) => (what: string, expected: Attempt['expected'], command: string) => ({
    role,
    what,
    expected,
    run: async () => outcomeOf(await site.sh(node, command)),
  });
  const asNode = as('node');
  const asRevoked = as('revoked node');
  const pull = `${identity} request ${hub}/nova/pause/tags/list`;
  const order = `${identity} request "$server/nova/v1/nodes/$name/order?wait=0"`;
  const ownNode = `${kubelet} ${api}/api/v1/nodes/${node}`;
  return [
    asNode('asks for its own orders', 'allowed', order),
    asNode('pulls an image', 'allowed', pull),
    asNode('reads its own Node object', 'allowed', ownNode),
    asNode('pushes an image', 'denied', `${identity} request -X POST ${hub}/nova/evil/blobs/uploads/`),
    asNode(
      'asks for the orders of another node',
      'denied',
      `${identity} request "$server/nova/v1/nodes/demo-main-1/order?wait=0"`,
    ),
    asNode(
      'fetches the boot archive of another node',
      'denied',
      `${identity} request "$server/nova/v1/nodes/demo-main-1/boot"`,
    ),
    asNode(
      'asks for a certificate that its plan does not list',
      'denied',
      `${identity} openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /O=system:masters/CN=admin 2>/dev/null | request --data-binary @- "$server/nova/v1/nodes/$name/certificates/admin"`,
    ),
    asNode(
      'reads a shared key of control planes',
      'denied',
      `${identity} request "$server/nova/v1/nodes/$name/keys/service-account"`,
    ),
    asNode('lists users of Universe', 'denied', `${identity} request https://${universe}/api/v1/users`),
    asNode(
      'reads another cluster from Universe',
      'denied',
      `${identity} request https://${universe}/api/v1/clusters/demo`,
    ),
    asNode('calls the engine', 'denied', `${identity} request https://172.30.0.1:7443/v1/machines`),
    asNode('reads all secrets of its cluster', 'denied', `${kubelet} ${api}/api/v1/secrets`),
    asNode(
      'uses its identity in another cluster',
      'denied',
      `${kubelet} --insecure https://${published.api}:6443/api/v1/nodes`,
    ),
    asNode(
      'opens what another node of its cluster runs for itself',
      { possible: 'ADR 18' },
      `curl --silent --insecure --max-time 5 --output /dev/null https://10.46.0.10:10250/`,
    ),
    {
      role: 'revoked node',
      what: '(the administrator revokes it)',
      expected: 'allowed',
      run: async () => succeeds(await site.ctl('node', 'revoke', node)),
    },
    asRevoked('asks for its orders', 'denied', order),
    asRevoked('fetches its boot archive', 'denied', `${identity} request "$server/nova/v1/nodes/$name/boot"`),
    asRevoked('pulls an image', 'denied', pull),
    asRevoked(
      'renews its identity',
      'denied',
      `${identity} request -X POST "$server/puppet-ca/v1/certificate_renewal"`,
    ),
    asRevoked('reads its Node object with the certificate of its kubelet', 'denied', ownNode),
    asRevoked(
      'reads Services with the certificate of its kube-proxy',
      'denied',
      `${kubelet.replaceAll('kubelet-client', 'kube-proxy')} ${api}/api/v1/services`,
    ),
  ];
}

/** Based on curl's exit code: a status of 400 and above, a timeout, or a connection closed by the server. */
function outcomeOf({ exitCode, stderr }: Finished): Outcome {
  if (exitCode === 0) return 'allowed';
  if ([22, 28, 35, 56].includes(exitCode ?? 0)) return 'denied';
  throw new Error(stderr.trim().split('\n').at(-1));
}
