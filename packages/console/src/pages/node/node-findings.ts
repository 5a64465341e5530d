import type { Finding } from '../../api/client.ts';

/** Findings with a problem of the given node. */
export function findingsOf(findings: readonly Finding[], node: string): Finding[] {
  const names = [node, `Node/${node}`];
  return findings.filter(({ chain }) =>
    chain.some(({ params }) => Object.values(params).some((value) => names.includes(value as string))),
  );
}
