import { expect, test } from 'vitest';
import { inLoadOrder } from './boot-files.ts';

const dependencies = `kernel/drivers/block/virtio_blk.ko.xz:
kernel/drivers/net/net_failover.ko.xz: kernel/net/core/failover.ko.xz
kernel/drivers/net/virtio_net.ko.xz: kernel/drivers/net/net_failover.ko.xz kernel/net/core/failover.ko.xz
kernel/net/core/failover.ko.xz:
kernel/drivers/x/not_virtio_blk.ko: kernel/net/core/failover.ko.xz
`;

test('a module is loaded after those that it needs', () => {
  expect(inLoadOrder('virtio_net', dependencies)).toEqual([
    'kernel/net/core/failover.ko.xz',
    'kernel/drivers/net/net_failover.ko.xz',
    'kernel/drivers/net/virtio_net.ko.xz',
  ]);
  expect(inLoadOrder('virtio_blk', dependencies)).toEqual(['kernel/drivers/block/virtio_blk.ko.xz']);
});

test('a module that is part of the kernel is not loaded', () => {
  expect(inLoadOrder('ext4', dependencies)).toEqual([]);
});
