import { Fragment, type ReactNode } from 'react';
import { useWords } from '../language.tsx';
import type { Key, Placeholder } from '../messages/types.ts';

interface MessageProps<K extends Key> {
  of: K;
  /** The elements for its placeholders. */
  parts?: Record<Placeholder<K>, ReactNode>;
}

/** A message with elements in it; text in backticks becomes code. */
export function Message<K extends Key>({ of, parts }: MessageProps<K>): ReactNode {
  const { template } = useWords();
  const given: Partial<Record<string, ReactNode>> = parts ?? {};
  return template(of)
    .split(/(\{\w+\}|`[^`]+`)/)
    .map((part, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity except their order.
      if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity except their order.
      return <Fragment key={index}>{part.startsWith('{') ? given[part.slice(1, -1)] : part}</Fragment>;
    });
}
