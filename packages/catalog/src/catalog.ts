import { createHash } from 'node:crypto';
import { ProblemError } from '@nova-platform/api';
import { type Resource, relations, typeName } from './resource.ts';
import { Sensitive } from './sensitive.ts';
import { findProblems } from './validate.ts';

/** The desired state of one node: validated, in the order in which it is applied. */
export interface Catalog {
  node: string;
  resources: readonly Resource[];
}

/** Creates a catalog from resources. Throws all problems at once. */
export function createCatalog(node: string, resources: readonly Resource[]): Catalog {
  const problems = findProblems(resources);
  if (problems.length > 0) throw new ProblemError(...problems);
  return { node, resources };
}

/** The Puppet environment of all nodes. Agents require it in a catalog. */
export const environment = 'production';

/** Agents fetch longer content by its checksum, and only if the node lacks it. */
const longestInline = 1024;

/** The catalog in the agents' format, and the long contents that it references by checksum. */
export function toWire(
  { node, resources }: Catalog,
  version: string,
): { catalog: object; files: ReadonlyMap<string, string> } {
  const files = new Map<string, string>();
  const metadata: Record<string, object> = {};
  const wire = resources.map(({ type, title, parameters, relations: related, piece }) => {
    const own: Record<string, unknown> = {};
    const sensitiveParameters: string[] = [];
    for (const [name, value] of Object.entries(parameters)) {
      if (value instanceof Sensitive) sensitiveParameters.push(name);
      if (name === 'content' && typeof value === 'string' && Buffer.byteLength(value) > longestInline) {
        const checksum = sha256(value);
        files.set(checksum, value);
        own.source = `puppet:///nova/${checksum}`;
        metadata[title] = metadataOf(title, checksum);
      } else own[name] = value instanceof Sensitive ? value.reveal() : value;
    }
    for (const relation of relations) if (related[relation]) own[relation] = related[relation];
    return {
      type: typeName(type),
      title,
      tags: piece ? [type, `piece:${piece}`] : [type],
      exported: false,
      parameters: own,
      ...(sensitiveParameters.length > 0 && { sensitive_parameters: sensitiveParameters }),
    };
  });
  // Content is addressed by its checksum, so the code ID never changes.
  const catalog = {
    name: node,
    version,
    code_id: 'nova',
    environment,
    catalog_format: 1,
    resources: wire,
    edges: [],
    classes: [],
    metadata,
  };
  return { catalog, files };
}

function metadataOf(path: string, checksum: string): object {
  return {
    path,
    relative_path: null,
    links: 'follow',
    owner: 0,
    group: 0,
    mode: 0o644,
    type: 'file',
    destination: null,
    checksum: { type: 'sha256', value: `{sha256}${checksum}` },
    source: `puppet:///nova/${checksum}`,
    content_uri: `puppet:///nova/${checksum}`,
  };
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
