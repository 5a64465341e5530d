import { type NodeInput, sharesKernel } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { certificatesObtained } from '../certificates.ts';
import { containerdService } from '../containerd.ts';
import { yaml } from '../text.ts';
import { unit } from '../unit.ts';
import { kubeconfig, kubeconfigPath } from './kubeconfig.ts';
import { authorityOf, certificateOf, folder, keyOf, programOf, whenApi, whenServices } from './paths.ts';

/** Every node of a cluster runs the kubelet and kube-proxy. */
export const kubernetesNode = (input: NodeInput): Resource[] => [...kubelet(input), ...kubeProxy(input)];

/**
 * Control planes use their own API server, other nodes the load-balanced address: no node depends on a single other
 * node.
 */
function apiOf({ plan, node }: NodeInput): string {
  return node.roles.includes('control-plane')
    ? 'https://127.0.0.1:6443'
    : `https://${plan.api.address}:${plan.api.port}`;
}

function kubelet(input: NodeInput): Resource[] {
  const { plan, node, facts } = input;
  const isContainer = sharesKernel(facts);
  const settings = file(`${folder}/kubelet.yaml`, {
    content: yaml({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      cgroupDriver: isContainer ? 'cgroupfs' : 'systemd',
      failCgroupV1: false,
      failSwapOn: false,
      clusterDNS: [plan.services.kubeDns],
      clusterDomain: plan.declared.clusterConfiguration.k8sDefaultDnsZone,
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: authorityOf('kubernetes') },
      },
      authorization: { mode: 'Webhook' },
      tlsCertFile: certificateOf('kubelet-server'),
      tlsPrivateKeyFile: keyOf('kubelet-server'),
      tlsMinVersion: 'VersionTLS12',
      readOnlyPort: 0,
      // The API does not need node logs, profiles and debug flags.
      enableSystemLogHandler: false,
      enableProfilingHandler: false,
      enableDebugFlagsHandler: false,
      // Pods without a seccomp profile get the runtime's default profile.
      seccompDefault: true,
      // PIDs are a resource of the node, and a machine may share them with its host.
      podPidsLimit: 4096,
      registerWithTaints: node.taints,
      // In bytes: a percentage of a large disk reserves too much.
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1Gi', 'imagefs.available': '1Gi' },
      // The first pods of a node need different images.
      serializeImagePulls: false,
      maxParallelImagePulls: 3,
      imageGCHighThresholdPercent: 95,
      imageGCLowThresholdPercent: 90,
      nodeStatusUpdateFrequency: '4s',
      ...(isContainer && { makeIPTablesUtilChains: false, protectKernelDefaults: false }),
    }),
    mode: '0600',
  });
  // The kubelet reads the size of its machine only at startup.
  const size = file(`${folder}/size.yaml`, {
    content: yaml({ cpu: node.cpu, memory: node.memory }),
    mode: '0644',
  });
  const config = kubeconfig('kubelet-client', apiOf(input));
  const state = file('/var/lib/kubelet', { ensure: 'directory', mode: '0700' });
  return piece(
    'kubelet',
    settings,
    size,
    config,
    state,
    ...unit(
      {
        name: 'kubelet',
        description: 'Kubernetes: kubelet',
        after: ['containerd.service'],
        command: [
          whenApi('answers', apiOf(input), 'kubelet-client'),
          whenServices,
          programOf(input, 'kubernetes', 'kubelet'),
          `--config=${folder}/kubelet.yaml`,
          `--kubeconfig=${kubeconfigPath('kubelet-client')}`,
          `--hostname-override=${node.name}`,
          `--node-ip=${node.address}`,
        ],
      },
      {
        inputs: [settings, size, config],
        needs: [state, containerdService, certificatesObtained],
      },
    ),
  );
}

function kubeProxy(input: NodeInput): Resource[] {
  const { plan, node, facts } = input;
  const settings = file(`${folder}/kube-proxy.yaml`, {
    // Only the hostname differs between nodes.
    content: [
      yaml({
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode: plan.cluster.kubeProxyMode,
        clientConnection: { kubeconfig: kubeconfigPath('kube-proxy') },
        clusterCIDR: plan.services.podNetwork,
      }),
      yaml({ hostnameOverride: node.name }),
      yaml({
        nodePortAddresses: ['primary'],
        // The default of one second delays the first pods of a cluster.
        nftables: { minSyncPeriod: '100ms' },
        iptables: { minSyncPeriod: '100ms' },
        healthzBindAddress: '127.0.0.1:10256',
        metricsBindAddress: '127.0.0.1:10249',
        // Conntrack settings belong to the kernel, which a machine may share.
        ...(sharesKernel(facts) && {
          conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
        }),
      }),
    ].join(''),
    mode: '0600',
  });
  const config = kubeconfig('kube-proxy', apiOf(input));
  return piece(
    'kube-proxy',
    settings,
    config,
    ...unit(
      {
        name: 'kube-proxy',
        description: 'Kubernetes: proxy of services',
        command: [
          whenApi('ready', apiOf(input), 'kube-proxy'),
          programOf(input, 'kubernetes', 'kube-proxy'),
          `--config=${folder}/kube-proxy.yaml`,
        ],
      },
      { inputs: [settings, config], needs: [certificatesObtained] },
    ),
  );
}
