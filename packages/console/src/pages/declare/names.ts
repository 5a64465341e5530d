import { infrastructure, kindSchema, rewritten, schemaAt } from '@nova-platform/api';

const configuration = (field: string) =>
  schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', field]) ?? {};

export const domainSchema = configuration('dnsBaseDomain');
export const nameSchema = configuration('clusterName');
const defaultDomain = 'nova.local';

/** Name and domain of a new cluster: a given one determines the other. */
export function namesOf(
  typed: { name: string; domain: string },
  taken: readonly string[],
): { name: string; domain: string } {
  const name = typed.name || typed.domain.split('.', 1)[0] || freeName(taken);
  return { name, domain: typed.domain || `${name}.${defaultDomain}` };
}

/** The documents with the name of the cluster, unless it follows from the domain. */
export function withName(documents: string, name: string, domain: string): string {
  if (domain.split('.', 1)[0] === name) return documents;
  return rewritten(documents, (document) => {
    if (document.get('kind') === infrastructure.kind)
      document.setIn(['spec', 'clusterConfiguration', 'clusterName'], name);
  });
}

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'demo' : `demo-${number}`;
    if (!taken.includes(name)) return name;
  }
}
