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
