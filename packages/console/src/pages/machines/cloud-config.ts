import { isSeq, parseDocument, stringify } from 'yaml';

const head = '#cloud-config\n';

/** The cloud-config of a new machine: the given one, with public keys for SSH; undefined if there is nothing to do. */
export function cloudConfigOf(keys: string, given: string): string | undefined {
  const list = keys
    .split('\n')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (list.length === 0) return given.trim() === '' ? undefined : given;
  if (given.trim() === '') return head + stringify({ ssh_authorized_keys: list });
  const document = parseDocument(given);
  const before = document.get('ssh_authorized_keys');
  // The server explains what is wrong.
  if (document.errors.length > 0 || (before !== undefined && !isSeq(before))) return given;
  document.set('ssh_authorized_keys', [...(isSeq(before) ? (before.toJSON() as string[]) : []), ...list]);
  return String(document);
}
