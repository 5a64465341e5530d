import { type ChildProcess, spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { visible } from '@nova-platform/api';
import { environment } from './environment.ts';
import { Refusal } from './refusal.ts';

interface Head {
  status: number;
  headers: Record<string, string>;
  /** The part of the body that was read with the headers. */
  rest: Buffer;
}

/** Another user owns the repositories; by default git refuses to serve them. */
const ofOthers = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/**
 * Runs `git http-backend` for a request (RFC 3875) and sends its output. The process is killed when the client
 * disconnects.
 */
export async function answerFromBackend(
  response: ServerResponse,
  request: Record<string, string>,
  body: Buffer,
  log: (line: string) => void,
): Promise<void> {
  // A separate process group: git starts other processes, which must be killed with it.
  const child = spawn('git', ['http-backend'], { env: { ...environment, ...ofOthers, ...request }, detached: true });
  let isRunning = true;
  const kill = () => {
    if (isRunning) killGroup(child);
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      kill();
      isRunning = false;
      resolve(String(signal ?? code));
    });
  });
  response.once('close', kill);
  createInterface(child.stderr).on('line', (line) => log(visible(line)));
  // git may exit before it has read all input.
  child.stdin.on('error', () => undefined).end(body);
  try {
    const output = child.stdout[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
    const head = await readHead(output);
    if (response.destroyed) return;
    if (!head) throw new Error(`git http-backend did not respond: ${await ended}`);
    if (head.status !== 200) {
      // Wait until git has logged the reason.
      await ended;
      throw new Refusal(head.status);
    }
    response.writeHead(200, head.headers);
    await pipeline(async function* () {
      yield head.rest;
      yield* output;
      // A truncated response must not look complete.
      const end = await ended;
      if (end !== '0' && !response.destroyed) throw new Error(`git http-backend stopped early: ${end}`);
    }, response);
  } finally {
    kill();
    child.stdout.destroy();
    await ended;
  }
}

async function readHead(output: AsyncIterator<Buffer>): Promise<Head | undefined> {
  let text = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await output.next();
    if (done) return undefined;
    text = Buffer.concat([text, value]);
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) continue;
    const lines = text.subarray(0, end).toString('latin1').split('\r\n');
    const { Status: status = '200', ...headers } = Object.fromEntries(lines.map((line) => line.split(': ', 2)));
    return { status: Number.parseInt(status, 10), headers, rest: text.subarray(end + 4) };
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already exited.
  }
}
