import { readFile } from 'node:fs/promises';

export interface Mount {
  device: string;
  place: string;
}

/**
 * The mounts that a process sees, from the kernel's list: opening a file of a mount can block, or lead out of a machine.
 * Empty if the process has exited.
 */
export async function mountsOf(pid: string): Promise<Mount[]> {
  const text = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
  return text.split('\n').map((line) => {
    const [, , device = '', , place = ''] = line.split(' ');
    // The kernel writes spaces as octal numbers.
    return {
      device,
      place: place.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    };
  });
}
