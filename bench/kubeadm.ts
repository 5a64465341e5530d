import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { engineClient, execIn } from '@nova-platform/contracts/engine/client';
import { stringify } from 'yaml';
import {
  builtComponent,
  etcdTag,
  nettestImage,
  pauseImage,
  peerImages,
  repository,
  versionOf,
} from './kubeadm-images.ts';
import { Stopwatch } from './stopwatch.ts';
import { answered, controlPlaneMemory, podNetwork, serviceNetwork, workload } from './workload.ts';

/**
 * kubeadm in the same machines, from the same image, with the same programs, set up to be as fast as possible:
 * - The measurement includes its network, its machines, `init`, both `join`s in parallel, and the Service. It excludes
 *   the kubeadm binary, its configuration, the configuration of containerd, the pod network (files, bridge and routes),
 *   and its container images, which are imported and unpacked before `init`.
 * - CoreDNS is skipped, preflight errors are ignored, and the token is known beforehand. The CA is not verified, so that
 *   workers join as soon as `init` has ended.
 * - The workload is applied as soon as `init` has ended, before workers join.
 * - kubelet and kube-proxy have only the settings that a machine with a shared kernel needs. kube-proxy is kubeadm's own
 *   DaemonSet, but with the one capability it uses instead of full privileges: a privileged container cannot start in a
 *   machine without access to the host's disks. So its manifest is printed beforehand and applied with the workload.
 */
const network = 'bench-kubeadm';
const nodes = [0, 1, 2].map((index) => ({
  name: `bench-kubeadm-${index + 1}`,
  address: `10.62.0.1${index}`,
  podNetwork: `10.140.${index}.0/24`,
}));
const [first, ...workers] = nodes as [Node, ...Node[]];
const token = 'abcdef.0123456789abcdef';
const objects = '/etc/bench.yaml';

type Node = (typeof nodes)[number];

export interface Run {
  /** Milliseconds from nothing to the end of each step. */
  marks: Map<string, number>;
  /** CPU-seconds until then, of all processes in the sandbox. */
  cpu: Map<string, number>;
  memory: Map<string, number>;
}

export async function runKubeadm(folder: string, settle: () => Promise<void>): Promise<Run> {
  const watch = new Stopwatch();
  try {
    await engineClient.createNetwork(network, '10.62.0.0/24');
    watch.mark('network');
    await Promise.all(
      nodes.map(({ name, address, podNetwork: own }) =>
        engineClient.createMachine({
          name,
          image: 'kubernetes-node',
          network,
          address,
          cpu: 2,
          memoryMebibytes: 2048,
          allowedNetworks: [own],
        }),
      ),
    );
    watch.mark('machines');
    await watch.notCounted(() => prepare(folder));
    await streaming(first.name, ['kubeadm', 'init', '--config', '/etc/kubeadm.yaml'], Readable.from([]), (said) => {
      if (said.includes('kube-apiserver is healthy')) watch.mark('API ready');
    });
    watch.mark('init');
    await Promise.all([
      declare(),
      Promise.all(workers.map(({ name }) => execIn(name, ['kubeadm', 'join', '--config', '/etc/kubeadm.yaml']))).then(
        () => watch.mark('join'),
      ),
      Promise.all(nodes.map(({ name }) => answered(name))),
    ]);
    watch.mark('Service answers');
    await settle();
    return { marks: watch.marks, cpu: watch.cpu, memory: await controlPlaneMemory(first.name) };
  } finally {
    await removeKubeadm();
  }
}

export async function removeKubeadm(): Promise<void> {
  const machines = (await engineClient.machines()).filter((machine) => machine.network === network);
  await Promise.all(machines.map(({ name }) => engineClient.deleteMachine(name)));
  if ((await engineClient.networks()).some(({ name }) => name === network)) await engineClient.deleteNetwork(network);
}

async function declare(): Promise<void> {
  const kubectl = ['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', 'apply', '--validate=false', '-f', objects];
  await execIn(first.name, kubectl);
}

let archive: Promise<string> | undefined;

async function prepare(folder: string): Promise<void> {
  archive ??= peerImages(folder, first.name);
  const [images, kubeadm, kubernetes] = [
    await archive,
    await builtComponent('kubeadm'),
    await builtComponent('kubernetes'),
  ];
  const version = await versionOf(kubernetes);
  await Promise.all(
    nodes.map(async (node) => {
      await feed(node.name, ['sh', '-c', 'cat >/usr/local/bin/kubeadm'], join(kubeadm.folder, 'bin', 'kubeadm'));
      const files = {
        '/etc/containerd/config.toml': containerd,
        '/etc/cni/net.d/10-bench.conflist': podBridge(node),
        '/etc/systemd/system/kubelet.service': kubeletUnit,
        '/etc/kubeadm.yaml': settings(node, version),
      };
      for (const [path, content] of Object.entries(files))
        await execIn(node.name, ['sh', '-c', `mkdir -p $(dirname ${path}) && cat >${path}`], content);
      const routes = nodes
        .filter((other) => other !== node)
        .map((other) => `ip route replace ${other.podNetwork} via ${other.address}`);
      const links = `ln -sf /opt/nova/kubernetes/${version}/bin/* /usr/local/bin/`;
      const script = ['set -e', 'chmod 0755 /usr/local/bin/kubeadm', links, ...routes, 'systemctl daemon-reload'];
      await execIn(node.name, ['sh', '-c', [...script, 'systemctl restart containerd'].join('\n')]);
      await feed(node.name, ['ctr', '--namespace', 'k8s.io', 'images', 'import', '-'], images);
      await execIn(node.name, ['sh', '-c', 'systemctl enable --quiet kubelet && sync']);
    }),
  );
  await writeObjects();
}

/** The objects to apply once its API responds: kube-proxy and the workload. */
async function writeObjects(): Promise<void> {
  const print = [
    'kubeadm',
    'init',
    'phase',
    'addon',
    'kube-proxy',
    '--config',
    '/etc/kubeadm.yaml',
    '--print-manifest',
  ];
  const proxy = (await execIn(first.name, print)).replace('privileged: true', 'capabilities: { add: [NET_ADMIN] }');
  const documents = [proxy, ...workload(nettestImage).map((object) => stringify(object))];
  await execIn(first.name, ['sh', '-c', `cat >${objects}`], documents.join('\n---\n'));
}

/** Runs a command with a file as standard input. */
async function feed(machine: string, command: readonly string[], file: string): Promise<void> {
  await streaming(machine, command, createReadStream(file));
}

async function streaming(
  machine: string,
  command: readonly string[],
  stdin: Readable,
  onOutput: (said: string) => void = () => undefined,
): Promise<void> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdout.on('data', (chunk: Buffer) => onOutput(chunk.toString()));
  const errors = text(stderr);
  const exitCode = await engineClient.exec(machine, { command }, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${await errors}`);
}

const cri = '[plugins."io.containerd.grpc.v1.cri"';
const containerd = `version = 2
${cri}]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
${cri}.cni]
  bin_dir = "/usr/lib/cni"
  conf_dir = "/etc/cni/net.d"
${cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
${cri}.containerd.runtimes.runc.options]
  SystemdCgroup = false
`;

/** As in kubeadm's packages. */
const kubeletUnit = `[Unit]
Description=kubelet
After=containerd.service
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=/usr/local/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS
Restart=always
StartLimitInterval=0
RestartSec=10
[Install]
WantedBy=multi-user.target
`;

function podBridge({ podNetwork: own }: Node): string {
  const ipam = { type: 'host-local', ranges: [[{ subnet: own }]], routes: [{ dst: '0.0.0.0/0' }] };
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, hairpinMode: true, ipMasq: false, ipam };
  const portmap = { type: 'portmap', capabilities: { portMappings: true } };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'bench', plugins: [bridge, portmap] });
}

function settings(node: Node, version: string): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const nodeRegistration = {
    name: node.name,
    criSocket: 'unix:///run/containerd/containerd.sock',
    imagePullPolicy: 'IfNotPresent',
    ignorePreflightErrors: ['all'],
    kubeletExtraArgs: [{ name: 'node-ip', value: node.address }],
  };
  const documents =
    node === first
      ? [
          {
            apiVersion,
            kind: 'InitConfiguration',
            bootstrapTokens: [{ token }],
            localAPIEndpoint: { advertiseAddress: node.address },
            nodeRegistration,
            skipPhases: ['addon/coredns', 'addon/kube-proxy'],
          },
          {
            apiVersion,
            kind: 'ClusterConfiguration',
            clusterName: 'bench-kubeadm',
            kubernetesVersion: `v${version}`,
            imageRepository: repository,
            etcd: { local: { imageTag: etcdTag } },
            networking: { podSubnet: podNetwork, serviceSubnet: serviceNetwork },
          },
          {
            apiVersion: 'kubelet.config.k8s.io/v1beta1',
            kind: 'KubeletConfiguration',
            cgroupDriver: 'cgroupfs',
            failCgroupV1: false,
            failSwapOn: false,
            evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1Gi', 'imagefs.available': '1Gi' },
            makeIPTablesUtilChains: false,
          },
          {
            apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
            kind: 'KubeProxyConfiguration',
            mode: 'nftables',
            conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
          },
        ]
      : [
          {
            apiVersion,
            kind: 'JoinConfiguration',
            discovery: {
              bootstrapToken: { token, apiServerEndpoint: `${first.address}:6443`, unsafeSkipCAVerification: true },
            },
            nodeRegistration,
          },
        ];
  return documents.map((document) => stringify(document)).join('---\n');
}
