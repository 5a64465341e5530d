import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { paths } from '../paths.ts';

/** Only a handle of the file itself: it neither reads nor writes. Node does not name it. */
const O_PATH = 0o10000000;

/** The folder with the sockets of a VM: QEMU creates them, and it can write nowhere else but to its disks. */
export function socketFolder(name: string): string {
  return join(paths.runtime, 'vms', name);
}

export type SocketName = 'qmp' | 'agent' | 'screen' | 'serial';

function socketPath(name: string, socket: SocketName): string {
  return join(socketFolder(name), `${socket}.sock`);
}

/**
 * Connects to a socket of a VM. A link is not followed: QEMU that a guest has taken over could put one to a socket of the
 * host in its place.
 */
export async function connectTo(name: string, socket: SocketName): Promise<Socket> {
  const handle = await open(socketPath(name, socket), O_PATH | constants.O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isSocket()) throw new Error(`${socketPath(name, socket)} is not a socket`);
    const connection = connect(`/proc/self/fd/${handle.fd}`);
    await new Promise<void>((resolve, reject) => {
      connection.once('connect', resolve).once('error', reject);
    });
    return connection;
  } finally {
    await handle.close();
  }
}
