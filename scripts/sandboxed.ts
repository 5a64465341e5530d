import { type AreaName, areas } from './areas.ts';
import { inSandbox, prepareAreas, prepareHost } from './prepare.ts';

// Runs one of our programs without touching a site on the same host: `sandboxed.ts AREA FILE [ARGUMENT…]`.
const [area = '', ...program] = process.argv.slice(2);
if (!(area in areas)) throw new Error(`unknown area ${area}; known: ${Object.keys(areas).join(', ')}`);
await prepareHost();
await prepareAreas([area as AreaName]);
process.exitCode = await inSandbox(['node', ...program]);
