import type { PlannedCertificate } from '@nova-platform/plan';
import type { NodeInput } from '../node.ts';
import { scriptFolder } from '../node-scripts.ts';
import { exec, file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

const folder = '/etc/nova/pki';

/** What a service that uses a certificate waits for. */
export const obtained = (name: string): Resource => exec(`obtain certificate ${name}`, { command: 'obtain' });
export const sharedKey = (name: string): Resource => exec(`obtain key ${name}`, { command: 'obtain' });

/**
 * The certificates of the node's services: keys are made here, requests are signed under the node's identity. And the
 * keys it shares with other nodes, fetched under the same identity.
 */
export function certificates({ plan, node, authorities }: NodeInput): Resource[] {
  const pki = file(folder, { ensure: 'directory', mode: '0755' });
  return piece(
    'certificates',
    pki,
    ...Object.entries(authorities).map(([name, content]) =>
      file(`${folder}/${name}-ca.crt`, { content, mode: '0644' }),
    ),
    ...plan.certificates.filter(({ key }) => key.in === 'node' && key.node === node.name).flatMap(serviceCertificate),
    ...plan.sharedKeys
      .filter(({ nodes }) => nodes.includes(node.name))
      .map(({ name, path }) =>
        exec(`obtain key ${name}`, {
          command: `${scriptFolder}/shared-key ${name} ${path}`,
          creates: path,
          tries: 3,
          try_sleep: 2,
        }),
      ),
  );
}

function serviceCertificate({
  name,
  issuer,
  subject,
  dnsNames,
  addresses,
  lifetimeHours,
}: PlannedCertificate): Resource[] {
  // The agent's own certificate is obtained by enrolment.
  if (name === 'identity') return [];
  const names = [...dnsNames.map((each) => `DNS:${each}`), ...addresses.map((each) => `IP:${each}`)];
  const request = file(`${folder}/${name}.request`, {
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
  // With a third of its life left it is renewed.
  const rest = Math.round((lifetimeHours * 3600) / 3);
  return [
    request,
    exec(
      `obtain certificate ${name}`,
      {
        command: `${scriptFolder}/certificate obtain ${name}`,
        unless: `${scriptFolder}/certificate check ${name} ${rest}`,
        tries: 3,
        try_sleep: 2,
      },
      { require: [request] },
    ),
  ];
}
