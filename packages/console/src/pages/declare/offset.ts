import type { Path } from '@nova-platform/api';
import { type Document, isNode } from 'yaml';

/** The place of a field in the text; that of the innermost existing parent if the field is absent. */
export function offsetOf(document: Document | undefined, path: Path): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document?.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}
