import type { ErrorCode, ErrorParams } from '../errors/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { MachineKind } from '../infrastructure-provider.ts';
import { type Path, type Problem, problem } from '../problem.ts';

interface SiteNetwork {
  name: 'integration' | 'transit' | 'external';
  network: string;
  /** Of the external network: its gateway, and the addresses for clusters. */
  gateway?: string;
  addresses?: readonly string[];
}

/** The environment of a cluster, with which it must be compatible. */
export interface Environment {
  /** The platform's own networks. */
  siteNetworks: readonly SiteNetwork[];
  /** The DNS zones of the platform's own names. */
  siteZones: readonly string[];
  /** Other clusters. */
  clusters: readonly { name: string; nodeNetwork: string; dnsBaseDomain: string }[];
  /** The installed cluster, if it exists. */
  installed?: Infrastructure['spec'];
  /** The kinds of its machines, by node group, and of machines for which nothing is declared. */
  machineKinds?: { default: MachineKind; byGroup: ReadonlyMap<string, MachineKind> };
}

export interface Finding {
  problem: Problem;
  /** All fields that the finding depends on: if one of them is invalid itself, the finding is dropped. */
  dependsOn: readonly Path[];
}

/** A rule between fields, documents or clusters. */
export type Rule = (document: Infrastructure, environment: Environment) => Finding[];

export function finding<C extends ErrorCode>(
  code: C,
  params: ErrorParams<C>,
  path: Path,
  alsoDependsOn: readonly Path[] = [],
): Finding {
  return { problem: problem(code, params, path), dependsOn: [path, ...alsoDependsOn] };
}

/** `spec.clusterConfiguration.<field…>` */
export function configPath(...steps: (string | number)[]): Path {
  return ['spec', 'clusterConfiguration', ...steps];
}
