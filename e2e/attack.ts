import { result } from '../bench/measure.ts';
import { kubernetesAttempts } from './attack/kubernetes.ts';
import { machineAttempts } from './attack/machines.ts';
import { networkAttempts } from './attack/networks.ts';
import { nodeAttempts } from './attack/nodes.ts';
import { ovirtAttempts } from './attack/ovirt.ts';
import { peopleAttempts } from './attack/people.ts';
import { startSite } from './attack/site.ts';
import { type Row, rowsOf, textOf } from './attack/table.ts';
import { vmAttempts } from './attack/vms.ts';

// Attacks a live site in every role, through every API and port, and compares the outcomes with the promises in
// docs/security.md: `npm run attack`, or only some parts: `npm run attack -- vms ovirt`.
const asked = process.argv.slice(2);
const tell = (row: Row) => console.log(textOf(row));
const site = await startSite();
const rows: Row[] = [];
try {
  const published = await site.published();
  const parts = {
    people: () => peopleAttempts(site),
    networks: () => networkAttempts(site, published),
    kubernetes: () => kubernetesAttempts(site),
    machines: () => machineAttempts(site),
    vms: () => vmAttempts(site),
    ovirt: () => ovirtAttempts(site),
    // Last, because it revokes a node.
    nodes: () => nodeAttempts(site, published),
  };
  for (const [name, attempts] of Object.entries(parts))
    if (asked.length === 0 || asked.includes(name)) rows.push(...(await rowsOf(await attempts(), tell)));
} finally {
  await site.stop();
}
const right = rows.filter(({ isAsSpecified }) => isAsSpecified).length;
const possible = rows.filter(({ expected }) => expected.startsWith('possible'));
console.log(`${rows.length} attempts, ${possible.length} of them possible by decision.`);
result('attack-as-specified', `${right}/${rows.length}`, `${rows.length}/${rows.length}`, right === rows.length);
