import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { openBrowser } from './browser.ts';
import { startSite } from './site.ts';

// Live bindings, set when the tests run.
export let site: Awaited<ReturnType<typeof startSite>>;
export let browser: Browser;

/** Tests in a real browser, against a real Universe without machines. Skipped without a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describeOn({ hasHost: false }, name, tests);
}

/** The same, against a real Universe with an engine in memory. */
export function describeOnHost(name: string, tests: () => void): void {
  describeOn({ hasHost: true }, name, tests);
}

function describeOn(kind: { hasHost: boolean }, name: string, tests: () => void): void {
  describe.skipIf(!existsSync('/usr/bin/chromium'))(name, () => {
    beforeAll(async () => {
      [site, browser] = await Promise.all([startSite(kind), openBrowser()]);
    });
    afterAll(async () => {
      await browser?.close();
      await site?.close();
    });
    tests();
  });
}
