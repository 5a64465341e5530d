import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { engineClient } from './client.ts';

/** Runs a command in a machine and returns its output; a non-zero exit code is an error. */
export async function execIn(machine: string, command: readonly string[], input = ''): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await engineClient.exec(
    machine,
    { command },
    { stdin: Readable.from([Buffer.from(input)]), stdout, stderr },
  );
  stdout.end();
  stderr.end();
  const [output, errors] = await written;
  if (exitCode !== 0)
    throw new Error(`${command.join(' ')}: ${errors.trim() || output.trim() || `exit code ${exitCode}`}`);
  return output;
}
