import type { NodeInput } from '../node.ts';
import { scriptFolder } from '../node-scripts.ts';
import { exec, file, piece, type Resource } from '../resource.ts';

const folder = '/usr/local/share/ca-certificates';
export const trustedRoot = `${folder}/nova.crt`;

/** The CAs that every program on the node trusts: the platform's, and the proxy's if one is declared. */
export function trustedAuthorities({ plan, manager }: NodeInput): Resource[] {
  const proxy = `${folder}/nova-proxy.crt`;
  const certificates = [
    file(trustedRoot, { content: rootOf(manager.authority), mode: '0644' }),
    plan.proxy?.trustedCA
      ? file(proxy, { content: Buffer.from(plan.proxy.trustedCA, 'base64').toString(), mode: '0644' })
      : file(proxy, { ensure: 'absent' }),
  ];
  const paths = certificates.map(({ title }) => title).join(' ');
  return piece(
    'trusted-authorities',
    ...certificates,
    exec(
      'update trusted authorities',
      { command: `${scriptFolder}/trust ${paths}`, unless: `${scriptFolder}/trust check ${paths}` },
      { subscribe: certificates },
    ),
  );
}

/** The last certificate of the bundle: a lookup by name only works with files that contain one certificate. */
function rootOf(bundle: string): string {
  return bundle.slice(bundle.lastIndexOf('-----BEGIN'));
}
