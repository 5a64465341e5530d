import { basename, dirname } from 'node:path';
import { treeDigest } from './images/tree.ts';

/** The version of a program's code: a digest of its whole bundle, because it may load any part of it. */
export function versionOf(program: string): string {
  return basename(program).endsWith('.ts') ? 'sources' : treeDigest(dirname(program));
}
