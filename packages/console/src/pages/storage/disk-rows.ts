import type { Disk, Machine } from '../../api/client.ts';

/** An additional disk, or the system disk of a machine, which belongs to it. */
export interface DiskRow {
  key: string;
  name: string;
  isSystem: boolean;
  sizeMebibytes: number;
  usedBytes?: number;
  machine?: string;
  path?: string;
  /** Only additional disks can be changed here, and only those of no cluster. */
  disk?: Disk;
}

export function rowsOf(
  machines: readonly Pick<Machine, 'name' | 'diskMebibytes'>[],
  disks: readonly Disk[],
): DiskRow[] {
  return [
    ...machines.flatMap(({ name, diskMebibytes }) =>
      diskMebibytes === undefined
        ? []
        : [{ key: `system ${name}`, name, isSystem: true, sizeMebibytes: diskMebibytes, machine: name }],
    ),
    ...disks.map((disk) => {
      const { name, sizeMebibytes, usedBytes, machine, path, cluster } = disk;
      return {
        key: name,
        name,
        isSystem: false,
        sizeMebibytes,
        usedBytes,
        ...(machine !== undefined && { machine }),
        ...(path !== undefined && { path }),
        ...(cluster === undefined && { disk }),
      };
    }),
  ];
}

export const diskKey = ({ key }: DiskRow) => key;
export const diskText = ({ name, machine = '', path = '' }: DiskRow) => `${name} ${machine} ${path}`;
