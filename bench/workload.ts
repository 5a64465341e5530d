import { execIn } from '@nova-platform/contracts/engine/client';

/** Networks inside a cluster; the same for every contender. */
export const podNetwork = '10.140.0.0/16';
export const serviceNetwork = '10.150.0.0/16';
const serviceAddress = '10.150.77.7';

const labels = { app: 'bench' };
const metadata = { name: 'bench', namespace: 'default' };

/**
 * A replica on every node, and a Service that each node serves from its own replica: every part of a cluster must work.
 */
export function workload(image: string) {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: labels,
        clusterIP: serviceAddress,
        internalTrafficPolicy: 'Local',
        ports: [{ port: 80, targetPort: 8080 }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'nettest', image, imagePullPolicy: 'IfNotPresent' }],
          },
        },
      },
    },
  ];
}

/** Waits until a machine gets a response from the Service. */
export async function answered(machine: string): Promise<void> {
  // One process waits for the port: starting one for each try would take a large part of the CPU time that is measured.
  const isOpen = `IO::Socket::INET->new(PeerAddr => "${serviceAddress}:80", Timeout => 0.5)`;
  const wait = `perl -MIO::Socket::INET -e 'select undef, undef, undef, 0.1 until ${isOpen}'`;
  const answers = `curl --silent --fail --output /dev/null --max-time 0.5 http://${serviceAddress}`;
  const ask = `until ${wait} && ${answers}; do sleep 0.1; done`;
  await execIn(machine, ['timeout', '300', 'sh', '-c', ask]);
}

/** Kernel process names, at most 15 characters. The last two belong to our agent, which waits for runs on demand. */
const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'agent',
  'curl',
];

/** Bytes of anonymous memory of each program of a control plane. */
export async function controlPlaneMemory(machine: string): Promise<Map<string, number>> {
  const list = `cat /proc/[0-9]*/status 2>/dev/null | awk '/^Name:/ { name = $2 } /^RssAnon:/ { print name, $2 }'`;
  const lines = (await execIn(machine, ['sh', '-c', list])).trim().split('\n');
  const memory = new Map(programs.map((name) => [name, 0]));
  for (const line of lines) {
    const [name = '', kibibytes] = line.split(' ');
    const known = memory.get(name);
    if (known !== undefined) memory.set(name, known + Number(kibibytes) * 1024);
  }
  return memory;
}
