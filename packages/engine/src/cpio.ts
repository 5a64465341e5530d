/** A file, folder, link or device in an archive. The mode has its type. */
export interface ArchiveEntry {
  path: string;
  mode: number;
  uid?: number;
  gid?: number;
  content?: Buffer;
}

const alignment = 4;

/** An archive for the initramfs (cpio, format `newc`). A folder must precede its files. */
export function cpio(entries: readonly ArchiveEntry[]): Buffer {
  const parts = [...entries, { path: 'TRAILER!!!', mode: 0 }].flatMap((entry, index) => packed(entry, index + 1));
  return Buffer.concat(parts);
}

/** The kernel unpacks several archives in a row. Only a compressed one may begin anywhere. */
export function joinArchives(archives: readonly Buffer[]): Buffer {
  return Buffer.concat(archives.flatMap((each) => [each, padding(each.length)]));
}

function packed({ path, mode, uid = 0, gid = 0, content = Buffer.alloc(0) }: ArchiveEntry, inode: number): Buffer[] {
  const name = Buffer.from(`${path}\0`);
  const [links, time, device] = [1, 0, [0, 0, 0, 0]];
  const numbers = [inode, mode, uid, gid, links, time, content.length, ...device, name.length, 0];
  const header = Buffer.concat([
    Buffer.from(`070701${numbers.map((each) => each.toString(16).padStart(8, '0')).join('')}`),
    name,
  ]);
  return [header, padding(header.length), content, padding(content.length)];
}

function padding(length: number): Buffer {
  return Buffer.alloc((alignment - (length % alignment)) % alignment);
}
