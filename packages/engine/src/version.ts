import { basename, dirname } from 'node:path';
import { treeDigest } from './images/tree.ts';

/** Which code a program is: that of its whole bundle, all parts of which it may load. */
export function versionOf(program: string): string {
  return basename(program).endsWith('.ts') ? 'sources' : treeDigest(dirname(program));
}
