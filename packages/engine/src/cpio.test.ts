import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArchiveEntry, cpio, joinArchives } from './cpio.ts';

/** Reads an archive as the kernel does: see `init/initramfs.c`. */
function unpacked(archive: Buffer): ArchiveEntry[] {
  const aligned = (offset: number) => Math.ceil(offset / 4) * 4;
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at < archive.length; ) {
    if (archive[at] === 0) {
      at += 4;
      continue;
    }
    expect(archive.toString('latin1', at, at + 6)).toBe('070701');
    const field = (index: number) =>
      Number.parseInt(archive.toString('latin1', at + 6 + 8 * index, at + 14 + 8 * index), 16);
    const [mode, uid, gid, size, nameSize] = [1, 2, 3, 6, 11].map(field) as [number, number, number, number, number];
    const path = archive.toString('utf8', at + 110, at + 110 + nameSize - 1);
    const start = aligned(at + 110 + nameSize);
    if (path !== 'TRAILER!!!') entries.push({ path, mode, uid, gid, content: archive.subarray(start, start + size) });
    at = aligned(start + size);
  }
  return entries;
}

const entry = fc.record({
  path: fc.stringMatching(/^[a-zа-я0-9./-]{1,80}$/u),
  mode: fc.constantFrom(0o100644, 0o100400, 0o040755, 0o120777),
  uid: fc.nat(70_000),
  gid: fc.nat(70_000),
  content: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
});

test('the kernel reads all entries of several archives in a row', () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry)), (archives) => {
      const joined = joinArchives(archives.map(cpio));
      expect(joined.length % 4).toBe(0);
      expect(unpacked(joined)).toEqual(archives.flat());
    }),
  );
});
