import { controlPlanes, machineKindOf } from '@nova-platform/plan';
import type { NodeInput } from '../../node.ts';
import { leaderScript, scriptFolder } from '../../node-scripts.ts';
import { exec, file, piece, type Resource } from '../../resource.ts';
import { certificatesObtained, isWritten, sharedKey } from '../certificates.ts';
import { unit } from '../unit.ts';
import { authorization, authorizationFlag } from './authorization.ts';
import { etcd } from './etcd.ts';
import { kubeconfig, kubeconfigPath } from './kubeconfig.ts';
import { authorityOf, certificateOf, folder, keyOf, programOf, whenApi } from './paths.ts';
import { admission, admissionPlugins, auditPolicy } from './policies.ts';

const serviceAccountPublicKey = `${folder}/service-account.pub`;
const local = 'https://127.0.0.1:6443';
/** For clients without TLS 1.3: ciphers of the same strength. */
const ciphers = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
].join(',');

/** Without these flags, a program reads and watches the same settings in the API, before it serves. */
const clientAuthorities = [
  `--client-ca-file=${authorityOf('kubernetes')}`,
  `--requestheader-client-ca-file=${authorityOf('front-proxy')}`,
  '--requestheader-allowed-names=front-proxy-client',
];

const leaderScriptFile = file(`${scriptFolder}/leader`, { content: leaderScript, mode: '0755' });

/** What starts programs that elect a leader: only a VM can have emulated processors. */
function leaderScripts({ node }: NodeInput): Resource[] {
  return machineKindOf(node) === 'vm' ? [leaderScriptFile] : [];
}

/** A control plane: etcd, the API server, the controller manager and the scheduler. */
export const controlPlane = (input: NodeInput): Resource[] => [
  ...etcd(input),
  ...apiServer(input),
  ...piece('leader', ...leaderScripts(input)),
  ...controllerManager(input),
  ...scheduler(input),
];

function apiServer(input: NodeInput): Resource[] {
  const { plan, node, denied } = input;
  const log = file('/var/log/kubernetes', { ensure: 'directory', mode: '0700' });
  const policies = [
    file(`${folder}/admission.yaml`, { content: admission, mode: '0600' }),
    file(`${folder}/audit-policy.yaml`, { content: auditPolicy, mode: '0600' }),
  ];
  const access = authorization(denied);
  const encryption = encryptionConfiguration();
  const publicKey = exec(
    'write public key of service accounts',
    {
      command: `/bin/sh -c "openssl pkey -in ${keyOf('service-account')} -pubout -out ${serviceAccountPublicKey}.new && mv ${serviceAccountPublicKey}.new ${serviceAccountPublicKey}"`,
      unless: isWritten(serviceAccountPublicKey),
    },
    { require: [sharedKey('service-account')] },
  );
  return piece(
    'kube-apiserver',
    log,
    ...policies,
    ...access,
    encryption,
    publicKey,
    ...unit(
      {
        name: 'kube-apiserver',
        description: 'Kubernetes: API server',
        after: ['etcd.service'],
        command: [
          programOf(input, 'kubernetes', 'kube-apiserver'),
          `--advertise-address=${node.address}`,
          '--secure-port=6443',
          `--etcd-servers=${controlPlanes(plan.nodes)
            .map(({ address }) => `https://${address}:2379`)
            .join(',')}`,
          `--etcd-cafile=${authorityOf('etcd')}`,
          `--etcd-certfile=${certificateOf('kube-apiserver-etcd-client')}`,
          `--etcd-keyfile=${keyOf('kube-apiserver-etcd-client')}`,
          `--tls-cert-file=${certificateOf('kube-apiserver')}`,
          `--tls-private-key-file=${keyOf('kube-apiserver')}`,
          '--tls-min-version=VersionTLS12',
          `--tls-cipher-suites=${ciphers}`,
          `--client-ca-file=${authorityOf('kubernetes')}`,
          `--kubelet-certificate-authority=${authorityOf('kubernetes')}`,
          `--kubelet-client-certificate=${certificateOf('kube-apiserver-kubelet-client')}`,
          `--kubelet-client-key=${keyOf('kube-apiserver-kubelet-client')}`,
          '--kubelet-preferred-address-types=InternalIP',
          `--requestheader-client-ca-file=${authorityOf('front-proxy')}`,
          '--requestheader-allowed-names=front-proxy-client',
          '--requestheader-username-headers=X-Remote-User',
          '--requestheader-group-headers=X-Remote-Group',
          '--requestheader-extra-headers-prefix=X-Remote-Extra-',
          `--proxy-client-cert-file=${certificateOf('front-proxy-client')}`,
          `--proxy-client-key-file=${keyOf('front-proxy-client')}`,
          '--service-account-issuer=https://kubernetes.default.svc',
          `--service-account-key-file=${serviceAccountPublicKey}`,
          `--service-account-signing-key-file=${keyOf('service-account')}`,
          `--service-cluster-ip-range=${plan.services.serviceNetwork}`,
          authorizationFlag,
          '--anonymous-auth=false',
          '--allow-privileged=true',
          `--enable-admission-plugins=${admissionPlugins.join(',')}`,
          `--admission-control-config-file=${folder}/admission.yaml`,
          `--encryption-provider-config=${folder}/encryption.yaml`,
          `--audit-policy-file=${folder}/audit-policy.yaml`,
          '--audit-log-path=/var/log/kubernetes/audit.log',
          '--audit-log-maxage=30',
          '--audit-log-maxbackup=5',
          '--audit-log-maxsize=100',
          '--profiling=false',
          '--endpoint-reconciler-type=lease',
          // Watches never end by themselves: without this flag a restart waits a minute for them.
          '--shutdown-watch-termination-grace-period=3s',
        ],
        // Much of its memory is garbage: collect it earlier, for a little more CPU.
        service: ['LimitNOFILE=65536', 'TimeoutStopSec=20s', 'Environment=GOGC=60'],
      },
      {
        inputs: policies,
        needs: [log, ...access, encryption, publicKey, certificatesObtained],
      },
    ),
  );
}

/** Secrets in etcd are encrypted with a key that the control planes share. No catalog contains the key. */
function encryptionConfiguration(): Resource {
  const path = `${folder}/encryption.yaml`;
  return exec(
    'write encryption configuration',
    {
      command: `${scriptFolder}/encryption-configuration ${keyOf('etcd-encryption')} ${path}`,
      unless: isWritten(path),
    },
    { require: [sharedKey('etcd-encryption')] },
  );
}

function controllerManager(input: NodeInput): Resource[] {
  const { plan } = input;
  const config = kubeconfig('kube-controller-manager', local);
  return piece(
    'kube-controller-manager',
    config,
    ...unit(
      {
        name: 'kube-controller-manager',
        description: 'Kubernetes: controller manager',
        after: ['kube-apiserver.service'],
        command: [
          whenApi('ready', local, 'kube-controller-manager'),
          ...leaderScripts(input).map(({ title }) => title),
          programOf(input, 'kubernetes', 'kube-controller-manager'),
          `--kubeconfig=${kubeconfigPath('kube-controller-manager')}`,
          `--authentication-kubeconfig=${kubeconfigPath('kube-controller-manager')}`,
          `--authorization-kubeconfig=${kubeconfigPath('kube-controller-manager')}`,
          ...clientAuthorities,
          `--root-ca-file=${authorityOf('kubernetes')}`,
          `--service-account-private-key-file=${keyOf('service-account')}`,
          '--use-service-account-credentials=true',
          // Pod networks and certificates come from the plan.
          '--allocate-node-cidrs=false',
          '--controllers=*,-certificatesigningrequest-signing-controller,-bootstrap-signer-controller,-token-cleaner-controller',
          `--service-cluster-ip-range=${plan.services.serviceNetwork}`,
          '--bind-address=127.0.0.1',
          '--leader-elect=true',
          // The first start creates a service account for every controller, and all controllers wait for this.
          '--kube-api-qps=100',
          '--kube-api-burst=200',
          '--profiling=false',
        ],
      },
      { inputs: [config], needs: [certificatesObtained, sharedKey('service-account'), ...leaderScripts(input)] },
    ),
  );
}

function scheduler(input: NodeInput): Resource[] {
  const config = kubeconfig('kube-scheduler', local);
  return piece(
    'kube-scheduler',
    config,
    ...unit(
      {
        name: 'kube-scheduler',
        description: 'Kubernetes: scheduler',
        after: ['kube-apiserver.service'],
        command: [
          whenApi('ready', local, 'kube-scheduler'),
          ...leaderScripts(input).map(({ title }) => title),
          programOf(input, 'kubernetes', 'kube-scheduler'),
          `--kubeconfig=${kubeconfigPath('kube-scheduler')}`,
          `--authentication-kubeconfig=${kubeconfigPath('kube-scheduler')}`,
          `--authorization-kubeconfig=${kubeconfigPath('kube-scheduler')}`,
          ...clientAuthorities,
          '--bind-address=127.0.0.1',
          '--leader-elect=true',
          '--profiling=false',
        ],
      },
      { inputs: [config], needs: [certificatesObtained, ...leaderScripts(input)] },
    ),
  );
}
