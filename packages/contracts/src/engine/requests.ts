import { formatted } from '@nova-platform/api';
import { z } from 'zod';

/** Published ports of machines from a time when ports were not declared: those of infra and ingress nodes. */
export const undeclaredPorts: readonly string[] = ['80/tcp', '443/tcp', '53/tcp', '53/udp'];

export const label = formatted('label', 40);
const network = formatted('network');
const address = formatted('address');
export const ports = z.array(formatted('port')).max(64);

const cpu = z.int().min(1).max(256);
const memoryMebibytes = z
  .int()
  .min(64)
  .max(1024 * 1024);
// XFS needs at least 300 MiB; a file on ext4 can have at most 16 TiB.
const diskMebibytes = z
  .int()
  .min(512)
  .max(8 * 1024 * 1024);

/** The connection of a machine to a network. */
export const networkCard = z.strictObject({
  network: label,
  address: address.optional(),
  /** Further networks that the machine may send from: those of its pods. */
  allowedNetworks: z.array(network).max(8).optional(),
});

export const machineSpec = z.strictObject({
  name: label,
  image: label,
  /** Without one, the machine is in no network. */
  network: label.optional(),
  cpu: cpu.default(1),
  memoryMebibytes: memoryMebibytes.default(512),
  /** Limit of the writable storage; without it only the host's disk is the limit. */
  diskMebibytes: diskMebibytes.optional(),
  address: address.optional(),
  /** Further networks that the machine may send from: those of its pods. */
  allowedNetworks: z.array(network).max(8).optional(),
  cloudConfig: z
    .string()
    .max(1024 * 1024)
    .optional(),
  volumes: z
    .array(z.strictObject({ name: label, path: formatted('path', 255) }))
    .max(8)
    .default([]),
  /** Whether the machine is started now. */
  isStarted: z.boolean().default(true),
});

export const machineSize = z.strictObject({
  cpu: cpu.optional(),
  memoryMebibytes: memoryMebibytes.optional(),
  diskMebibytes: diskMebibytes.optional(),
});

/** A file system is mounted in containers; a block device is attached to VMs, which format it. */
const diskFormat = z.enum(['filesystem', 'block']);

export const diskSpec = z.strictObject({
  name: label,
  format: diskFormat,
  sizeMebibytes: diskMebibytes,
});

export const diskSize = z.strictObject({ sizeMebibytes: diskMebibytes });

/** Where a container mounts the file system. A VM finds the disk as `/dev/disk/by-id/virtio-<name>`. */
export const diskAttachment = z.strictObject({ path: formatted('path', 255).exactOptional() });

const description = z.string().max(255).default('');

export const snapshotSpec = z.strictObject({ name: label, description });

export const templateSpec = z.strictObject({ name: label, machine: label, description });

export const networkChange = z.strictObject({
  names: z.array(z.strictObject({ name: z.string().max(253), addresses: z.array(address) })).exactOptional(),
  // Earlier releases of Universe declare no ports.
  published: z
    .array(z.strictObject({ externalAddress: address, address, ports: ports.default([...undeclaredPorts]) }))
    .exactOptional(),
  loadBalancers: z
    .array(
      z.strictObject({
        name: label,
        address,
        externalAddress: address.exactOptional(),
        port: z.int().min(1).max(65535),
        backends: z.array(z.strictObject({ address, port: label })),
        healthCheckSource: address,
      }),
    )
    .exactOptional(),
});

export const networkSpec = z.strictObject({
  name: label,
  network,
  /** The external and transit addresses of the router, if they are planned already. */
  router: z.strictObject({ externalAddress: address, transitAddress: address }).exactOptional(),
  ...networkChange.shape,
});

/** A public key, SPKI in PEM. */
export const publicKey = z.string().max(16 * 1024);

/** A command in a machine, with a terminal of this size or plain pipes. */
export const execOptions = z.strictObject({
  command: z
    .array(z.string().max(128 * 1024))
    .min(1)
    .max(1024)
    .readonly(),
  terminal: z.strictObject({ columns: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) }).exactOptional(),
});

export type ExecOptions = z.output<typeof execOptions>;
/** The planned addresses of a router. */
export type PlannedRouter = NonNullable<z.output<typeof networkSpec>['router']>;
