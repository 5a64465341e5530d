import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubectlWith } from '../e2e/kubectl.ts';
import { novaCtl, temporaryFolder } from '../e2e/nova-ctl.ts';

// Starts a site on this host, runs the README's test command next to it, and sends requests to the site's cluster
// meanwhile.
const pause = 1000;

const up = await novaCtl(['up']);
if (up.exitCode !== 0) throw new Error(up.stderr);
const folder = temporaryFolder();
const kubectl = await kubectlWith(folder.path, (await novaCtl(['kubeconfig', 'demo', '--static'])).stdout);
const before = await machines();
const failures: string[] = [];
let requests = 0;
const tests = spawn('npm', ['test'], { stdio: 'inherit' });
const ended = once(tests, 'close') as Promise<[number | null]>;
while (tests.exitCode === null && tests.signalCode === null) {
  const { exitCode, stderr } = await kubectl(['get', '--raw', '/api/v1/namespaces/kube-system/pods?limit=1']);
  requests += 1;
  if (exitCode !== 0) failures.push(`${new Date().toISOString()} ${stderr.trim()}`);
  await sleep(pause);
}
const [status] = await ended;
const after = await machines();
folder.remove();
for (const failure of failures) console.error(failure);
console.log(`The site's cluster responded to ${requests - failures.length} of ${requests} requests.`);
if (before !== after) console.error(`Machines before:\n${before}Machines after:\n${after}`);
process.exitCode = status === 0 && failures.length === 0 && before === after ? 0 : 1;

/** Names and states: a machine that the tests created, removed or stopped would show. */
async function machines(): Promise<string> {
  const listed = JSON.parse((await novaCtl(['machine', 'list', '-o', 'json'])).stdout) as {
    name: string;
    state: string;
  }[];
  return listed.map(({ name, state }) => `${name} ${state}\n`).join('');
}
