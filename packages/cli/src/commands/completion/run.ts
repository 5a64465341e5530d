import type { Context } from '../../context.ts';
import { type Shell, scripts } from './scripts.ts';

export async function run(this: Context, _flags: unknown, shell: Shell): Promise<void> {
  this.io.stdout.write(scripts[shell]);
}
