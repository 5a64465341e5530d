import { createHash } from 'node:crypto';

/** The template without content, and the tag at the root of all tags, have this ID in every oVirt. */
export const zeroId = '00000000-0000-0000-0000-000000000000';

const namespace = Buffer.from('5d0c7c1ed3a94f4c8f3b6a1b0e2f9c47', 'hex');

/** Lists need thousands of IDs, and a hash takes microseconds. */
const known = new Map<string, string>();
const mostKnown = 20_000;

/** A UUID (version 5) that follows from the thing: it stays the same over restarts and needs no table. */
export function idOf(kind: string, ...names: readonly string[]): string {
  const name = [kind, ...names].join('\0');
  const before = known.get(name);
  if (before !== undefined) return before;
  const id = hashed(name);
  if (known.size >= mostKnown) known.clear();
  known.set(name, id);
  return id;
}

function hashed(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const dataCenterId = idOf('data center');
export const clusterId = idOf('cluster');
export const hostId = idOf('host');
export const storageDomainId = idOf('storage domain');
