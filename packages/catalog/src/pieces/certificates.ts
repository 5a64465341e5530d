import type { PlannedCertificate } from '@nova-platform/plan';
import { type NodeInput, oncePerPlan } from '../node.ts';
import { scriptFolder } from '../node-scripts.ts';
import { exec, file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';
import { running, startedAtBoot, unitFile } from './unit.ts';

const folder = '/etc/nova/pki';

/** Services that load certificates only at startup, by certificate. Other services reload them. */
const readers: Record<string, string> = {
  'kube-apiserver-kubelet-client': 'kube-apiserver',
  'kube-controller-manager': 'kube-controller-manager',
  'kube-scheduler': 'kube-scheduler',
  'kubelet-client': 'kubelet',
  'kube-proxy': 'kube-proxy',
};

/** The certificates that a service loads only at startup. */
export function certificatesReadBy(service: string): string[] {
  return Object.keys(readers).flatMap((name) => (readers[name] === service ? [`${folder}/${name}.crt`] : []));
}

/** Whether a file exists and is not empty: a power loss may leave an empty file. */
export const isWritten = (path: string): string => `/usr/bin/test -s ${path}`;

/** Services that use certificates depend on this resource. */
export const certificatesObtained: Resource = exec('obtain certificates', { command: 'obtain' });
export const sharedKey = (name: string): Resource => exec(`obtain key ${name}`, { command: 'obtain' });

/**
 * The certificates of the node's services: keys are created on the node, and requests are authenticated by the node's
 * identity. Keys shared with other nodes are fetched with the same identity.
 */
export function certificates({ plan, node, authorities }: NodeInput): Resource[] {
  const pki = file(folder, { ensure: 'directory', mode: '0755' });
  const ofNode = certificatesByNode(plan).get(node.name) ?? [];
  // Enrolment obtains the agent's own certificate.
  const own = ofNode.filter(({ name }) => name !== 'identity');
  const requests = own.map(request);
  const list = file(`${folder}/certificates.list`, {
    content: own
      .map(({ name, lifetimeHours }) => `${name} ${restOf(lifetimeHours)} ${readers[name] ?? '-'}\n`)
      .join(''),
    mode: '0644',
  });
  return piece(
    'certificates',
    pki,
    ...Object.entries(authorities).map(([name, content]) =>
      file(`${folder}/${name}-ca.crt`, { content, mode: '0644' }),
    ),
    ...requests,
    list,
    exec(
      'obtain certificates',
      {
        command: `${scriptFolder}/certificates obtain`,
        unless: `${scriptFolder}/certificates check`,
        tries: 3,
        try_sleep: 2,
      },
      { require: [...requests, list] },
    ),
    ...renewal(ofNode),
    ...plan.sharedKeys
      .filter(({ nodes }) => nodes.includes(node.name))
      .map(({ name, path }) =>
        exec(`obtain key ${name}`, {
          command: `${scriptFolder}/shared-key ${name} ${path}`,
          unless: isWritten(path),
          tries: 3,
          try_sleep: 2,
        }),
      ),
  );
}

const certificatesByNode = oncePerPlan(({ certificates: all }) =>
  Map.groupBy(all, ({ key }) => (key.in === 'node' ? key.node : undefined)),
);

/** Minimum remaining validity in seconds: a certificate is renewed in the last third of its lifetime. */
function restOf(lifetimeHours: number): number {
  return Math.round((lifetimeHours * 3600) / 3);
}

/** Renews certificates between agent runs, and within a minute after boot if the node was off for long. */
function renewal(ofNode: readonly PlannedCertificate[]): Resource[] {
  const identity = ofNode.find(({ name }) => name === 'identity');
  const shortest = Math.min(...ofNode.map(({ lifetimeHours }) => lifetimeHours));
  const every = Math.round(Math.min(3600, Math.max(10, (shortest * 3600) / 20)));
  const timer = unitFile(
    'nova-certificates.timer',
    lines(
      '[Unit]',
      'Description=Nova: certificates are renewed in time',
      '[Timer]',
      'OnBootSec=1s',
      `OnUnitActiveSec=${every}s`,
      // Do not renew on all nodes at the same moment.
      `RandomizedDelaySec=${Math.round(Math.min(60, every / 2))}s`,
      'AccuracySec=1s',
    ),
  );
  const job = unitFile(
    'nova-certificates.service',
    lines(
      '[Unit]',
      'Description=Nova: renewal of certificates',
      '[Service]',
      'Type=oneshot',
      // Renew the identity first: it authenticates the other requests.
      identity && `ExecStartPre=-${scriptFolder}/identity ${restOf(identity.lifetimeHours)}`,
      `ExecStart=${scriptFolder}/certificates obtain`,
      // It may be too early after a boot, and later Universe may be unreachable.
      'Restart=on-failure',
      'RestartSec=5s',
      'RestartSteps=6',
      `RestartMaxDelaySec=${every}s`,
    ),
  );
  return [
    job,
    timer,
    startedAtBoot('nova-certificates.timer', { by: 'timers.target' }),
    running('nova-certificates.timer', { subscribe: [timer] }),
  ];
}

function request({ name, issuer, subject, dnsNames, addresses }: PlannedCertificate): Resource {
  const names = [...dnsNames.map((each) => `DNS:${each}`), ...addresses.map((each) => `IP:${each}`)];
  return file(`${folder}/${name}.request`, {
    content: lines(
      '[req]',
      'prompt = no',
      'distinguished_name = subject',
      names.length > 0 && 'req_extensions = names',
      '[subject]',
      ...subject.organizations.map((organization, index) => `${index}.O = ${organization}`),
      `CN = ${subject.commonName}`,
      ...(names.length > 0 ? ['[names]', `subjectAltName = ${names.join(', ')}`] : []),
      `# issued by ${issuer}`,
    ),
    mode: '0644',
  });
}
