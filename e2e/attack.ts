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
// docs/security.md.
const tell = (row: Row) => console.log(textOf(row));
const site = await startSite();
const rows: Row[] = [];
try {
  const published = await site.published();
  for (const attempts of [
    await peopleAttempts(site),
    await networkAttempts(site, published),
    await kubernetesAttempts(site),
    machineAttempts(site),
    await vmAttempts(site),
    ovirtAttempts(site),
    // Last, because it revokes a node.
    nodeAttempts(site, published),
  ])
    rows.push(...(await rowsOf(attempts, tell)));
} finally {
  await site.stop();
}
const right = rows.filter(({ isAsSpecified }) => isAsSpecified).length;
const possible = rows.filter(({ expected }) => expected.startsWith('possible'));
console.log(`${rows.length} attempts, ${possible.length} of them possible by decision.`);
result('attack-as-specified', `${right}/${rows.length}`, `${rows.length}/${rows.length}`, right === rows.length);
