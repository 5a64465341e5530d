import { clusterName, dnsMode, type Infrastructure, infrastructure } from '../infrastructure.ts';
import { kindSchema, walk } from '../schema.ts';
import { configPath, type Finding, finding, type Rule } from './rule.ts';

/** Fields declared immutable keep their value. */
export const immutableFieldsStay: Rule = (document, { installed }) => {
  if (!installed) return [];
  const findings: Finding[] = [];
  walk(kindSchema(infrastructure), (path, schema) => {
    if (!schema.notes?.immutable) return;
    const before = effective({ ...document, spec: installed }, path);
    const after = effective(document, path);
    if (before !== after) {
      const field = path.at(-1) ?? '';
      findings.push(finding('NOVA4001', { field, before: String(before), after: String(after) }, path));
    }
  });
  return findings;
};

function effective(document: Infrastructure, path: string[]): unknown {
  if (path.at(-1) === 'clusterName') return clusterName(document);
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
}

export const dnsStaysInside: Rule = (document, { installed }) => {
  if (!installed || dnsMode({ ...document, spec: installed }) === 'external' || dnsMode(document) === 'internal')
    return [];
  const { dnsBaseDomain: zone, extraOptions } = document.spec.clusterConfiguration;
  const index = extraOptions.dns.customerDns.forwardZones.findIndex(({ name }) => name === zone);
  return [
    finding('NOVA4002', { zone }, configPath('extraOptions', 'dns', 'customerDns', 'forwardZones', index, 'name')),
  ];
};
