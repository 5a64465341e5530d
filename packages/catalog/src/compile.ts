import { type Catalog, createCatalog } from './catalog.ts';
import type { NodeInput } from './node.ts';
import { agent } from './pieces/agent.ts';
import { base } from './pieces/base.ts';
import { certificates } from './pieces/certificates.ts';
import { kubernetes } from './pieces/kubernetes/index.ts';
import { restarts } from './pieces/restarts.ts';
import { trustedAuthorities } from './pieces/trusted-authorities.ts';
import { unitsReadOnce } from './pieces/unit.ts';
import type { Resource } from './resource.ts';

/** The desired state of a node. A pure function: the same input gives the same catalog. */
export function compileCatalog(input: NodeInput): Catalog {
  return createCatalog(input.node.name, compileResources(input));
}

/** Like `compileCatalog` without validation, for input that was validated before. */
export function compileResources(input: NodeInput): Resource[] {
  const resources = [
    ...unitsReadOnce(),
    ...agent(input.node.name, input.manager),
    ...base(input),
    ...certificates(input),
    ...kubernetes(input),
    ...trustedAuthorities(input),
  ];
  return [...resources, ...restarts(resources)];
}
