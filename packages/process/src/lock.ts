import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Does work while no other process does the same; another's is waited for. */
export async function exclusively<T>(lock: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  let held = await hold(lock, ['--nonblock']);
  if (!held) {
    onWait();
    held = await hold(lock, []);
  }
  await using _held = held;
  return await work();
}

/** Does work beside others that share the lock, while nobody has it alone. */
export async function sharing<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await using _held = await hold(lock, ['--shared']);
  return await work();
}

/** Does work unless anybody has the lock. */
export async function unlessHeld(lock: string, work: () => Promise<void>): Promise<void> {
  await using held = await hold(lock, ['--nonblock']);
  if (held) await work();
}

/** The kernel keeps it: it ends with whoever holds it, however that ends. Nothing when another has it and there is no waiting. */
async function hold(lock: string, options: readonly string[]): Promise<AsyncDisposable | undefined> {
  // Waits for the end of its input, which comes when we close it or die.
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
