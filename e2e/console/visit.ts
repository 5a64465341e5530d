import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Look, logIn, openContext } from './browser.ts';
import { addAxe } from './inspect.ts';
import { testPassword } from './site.ts';

export type Role = 'viewer' | 'operator' | 'admin';

export type Visit = (role: Role, work: (page: Page) => Promise<void>, look?: Look) => Promise<void>;

/** Opens a page with the given role; any error on it fails the test. */
export async function visitAs(
  browser: Browser,
  address: string,
  ...[role, work, look]: Parameters<Visit>
): Promise<void> {
  const context = await openContext(browser, address, look);
  await addAxe(context);
  try {
    const page = await context.newPage();
    await logIn(page, role, testPassword);
    await work(page);
    expect(context.failures).toEqual([]);
  } finally {
    await context.close();
  }
}
