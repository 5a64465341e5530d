import { infrastructure } from './infrastructure.ts';
import type { Kind } from './kind.ts';
import { proxy } from './proxy.ts';
import { terraformLock } from './terraform-lock.ts';

/** All document kinds. */
export const kinds: readonly Kind[] = [infrastructure, proxy, terraformLock];
