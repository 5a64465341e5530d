import { ProblemError, problem } from '@nova-platform/api';

/** Names of images and machines contain neither slashes nor dots. */
const diskImage = /\/|\.(?:img|iso|ova|qcow2?|raw|vdi|vhdx?|vmdk)$/i;

/** Refuses the file of a disk image where a name is expected: VMs could not start the system in it. */
export function assertNotFile(name: string): void {
  if (diskImage.test(name)) throw new ProblemError(problem('NOVA7142', { file: name }));
}
