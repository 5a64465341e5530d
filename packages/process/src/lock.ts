import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs `work` with an exclusive lock between processes. Calls `onWait` if it has to wait for the lock. */
export async function exclusively<T>(lock: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  let held = await hold(lock, ['--nonblock']);
  if (!held) {
    onWait();
    held = await hold(lock, []);
  }
  await using _held = held;
  return await work();
}

/** Runs `work` with a shared lock. Waits while another process holds the exclusive lock. */
export async function sharing<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await using _held = await hold(lock, ['--shared']);
  return await work();
}

/** Runs `work` unless the lock is held. */
export async function unlessLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await using held = await hold(lock, ['--nonblock']);
  if (held) await work();
}

/**
 * The kernel releases the lock when its holder exits, even after a crash. Returns undefined if the lock is taken and
 * the options forbid waiting.
 */
async function hold(lock: string, options: readonly string[]): Promise<AsyncDisposable | undefined> {
  // The shell exits at the end of its input: when we close it, or when this process dies.
  const holder = spawn('flock', [...options, lock, 'sh', '-c', 'echo held; read end'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(holder, 'close');
  const isHeld = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isHeld && !options.includes('--nonblock')) throw new Error(`${lock} cannot be locked`);
  if (!isHeld) return undefined;
  return {
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await ended;
    },
  };
}
