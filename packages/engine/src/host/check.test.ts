import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canCreateFileSystems } from '../storage/filesystem.ts';
import { checkHost } from './check.ts';

/** A host with a shell and modprobe, and no other programs. */
let programs: string;
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'nova-check-'));
  symlinkSync('/bin/sh', join(programs, 'sh'));
  symlinkSync('/bin/true', join(programs, 'modprobe'));
  vi.stubEnv('PATH', programs);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(programs, { recursive: true });
});

test('a host that cannot limit disks reports it', async () => {
  const found = (await checkHost()).find(({ what }) => what.en === 'mkfs.xfs');
  expect(found).toMatchObject({
    isThere: false,
    isOptional: true,
    remedy: { en: 'disks of machines are not limited: nova-ctl host up installs xfsprogs' },
  });
  expect(await canCreateFileSystems()).toBe(false);
});
