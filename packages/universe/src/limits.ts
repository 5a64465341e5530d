/** The limits of a site. */
export interface Limits {
  /** Nodes of all clusters. */
  nodes: number;
  /** All images of the registry. */
  registryBytes: number;
}

export const defaultLimits: Limits = { nodes: 1000, registryBytes: 100 * 1024 ** 3 };
