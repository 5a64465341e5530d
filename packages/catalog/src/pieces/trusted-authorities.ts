import type { NodeInput } from '../node.ts';
import { exec, file, piece, type Resource } from '../resource.ts';

/** Authorities that every program of the node trusts: the platform's, and the proxy's where one is declared. */
export function trustedAuthorities({ plan, manager }: NodeInput): Resource[] {
  const folder = '/usr/local/share/ca-certificates';
  const certificates = [file(`${folder}/nova.crt`, { content: manager.authority, mode: '0644' })];
  if (plan.proxy?.trustedCA) {
    const content = Buffer.from(plan.proxy.trustedCA, 'base64').toString();
    certificates.push(file(`${folder}/nova-proxy.crt`, { content, mode: '0644' }));
  }
  return piece(
    'trusted-authorities',
    ...certificates,
    exec(
      'update trusted authorities',
      { command: '/usr/sbin/update-ca-certificates', refreshonly: true },
      { subscribe: certificates },
    ),
  );
}
