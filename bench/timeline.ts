import { execIn } from '@nova-platform/contracts/engine/client';

/** Journal lines that mark the stages of a node's start; only the first match counts. */
const moments: readonly [name: string, line: RegExp][] = [
  ['systemd runs', /systemd-journald.*Journal started/],
  ['agent started', /Started nova-agent/],
  ['booted', /Startup finished/],
  ['archive here', /agent\[\d+\]: tar: /],
  ['certificates', /systemd\[1\]: Started nova-certificates.timer/],
  ['containerd started', /systemd\[1\]: Started containerd/],
  ['etcd started', /systemd\[1\]: Started etcd/],
  ['etcd serves', /ready to serve client requests/],
  ['API server started', /systemd\[1\]: Started kube-apiserver/],
  ['API server serves', /kube-apiserver.*Serving securely/],
  ['controller manager leads', /kube-controller-manager.*Successfully acquired lease/],
  ['scheduler leads', /kube-scheduler.*Successfully acquired lease/],
  ['controller manager starts', /kube-controller-manager.*controllermanager.go.*Starting/],
  ['kubelet starts', /Kubelet version/],
  ['archive applied', /agent\[\d+\]: Exec\[restart what runs with older files\]/],
  ['registered', /Successfully registered node/],
  ['kubelet ready', /it just became ready/],
  ['kube-proxy works', /kube-proxy.*Caches are synced" controller="endpoint slice config"/],
  ['pod comes', /RunPodSandbox for .*Name:bench-/],
  ['image pulled', /Pulled image .*nettest/],
  ['container runs', /StartContainer for .* returns successfully/],
];

/** Seconds since `startedAt` for each stage of one of our nodes. */
export async function timeline(machine: string, startedAt: number): Promise<string> {
  const journal = await execIn(machine, ['journalctl', '--boot', '--output=short-unix', '--no-pager', '--lines=20000']);
  const lines = journal.split('\n');
  const found = moments.flatMap(([name, pattern]) => {
    const line = lines.find((each) => pattern.test(each));
    return line === undefined ? [] : [[name, Number(line.split(' ')[0]) - startedAt / 1000] as const];
  });
  const reloads = lines.flatMap((line) => /Reloading finished in (\d+) ms/.exec(line)?.[1] ?? []);
  const reloading = reloads.reduce((sum, milliseconds) => sum + Number(milliseconds), 0) / 1000;
  const parts = found.toSorted(([, one], [, other]) => one - other).map(([name, at]) => `${name} ${at.toFixed(1)}`);
  return `${machine}: ${parts.join(', ')}; systemd reloaded ${reloads.length} times, ${reloading.toFixed(1)} s`;
}
