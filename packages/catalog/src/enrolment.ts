import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import type { Manager } from './node.ts';
import { agentFiles } from './pieces/agent.ts';
import { resolverText } from './pieces/resolver.ts';

interface CloudConfig {
  hostname: string;
  write_files: { path: string; content: string; permissions: string }[];
}

export interface Enrolment {
  node: string;
  token: string;
  manager: Manager;
  /** The DNS server of the machine, if the platform provides one. */
  resolver?: string | undefined;
}

/** The cloud-init configuration that makes a new machine request its catalog. */
export function enrolmentConfig({ node, token, manager, resolver }: Enrolment): CloudConfig {
  const files = agentFiles(node, manager).map(({ path, content, mode }) => ({ path, content, permissions: mode }));
  return {
    hostname: node.split('.')[0] ?? node,
    write_files: [
      ...files,
      // Used once: the agent puts it into its certificate request.
      {
        path: '/etc/puppet/csr_attributes.yaml',
        content: `custom_attributes:\n  1.2.840.113549.1.9.7: ${token}\n`,
        permissions: '0600',
      },
      {
        path: '/etc/hosts',
        content: `127.0.0.1 localhost\n${manager.address} ${manager.name}\n`,
        permissions: '0644',
      },
      ...(resolver === undefined
        ? []
        : [{ path: '/etc/resolv.conf', content: resolverText(resolver), permissions: '0644' }]),
    ],
  };
}

/** The files that make an existing host request its catalog, as an archive. Its own hosts file and resolver stay. */
export async function hostArchive(
  enrolment: Omit<Enrolment, 'resolver'>,
  more: CloudConfig['write_files'] = [],
): Promise<Buffer> {
  const archive = pack();
  for (const { path, content, permissions } of [...enrolmentConfig(enrolment).write_files, ...more])
    if (path !== '/etc/hosts') archive.entry({ name: path.slice(1), mode: Number.parseInt(permissions, 8) }, content);
  archive.finalize();
  return buffer(archive);
}
