import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Look, logIn, openContext } from './browser.ts';
import { addAxe } from './inspect.ts';
import { testPassword } from './site.ts';

export type Role = 'viewer' | 'operator' | 'admin';

export type Visit = (role: Role, work: (page: Page) => Promise<void>, look?: Look) => Promise<void>;

/** The contexts of earlier visits, which have a session and know the files of the console. */
const idle = new Map<string, Awaited<ReturnType<typeof openContext>>[]>();

/** Opens a page with the given role; any error on it fails the test. */
export async function visitAs(
  browser: Browser,
  address: string,
  ...[role, work, look]: Parameters<Visit>
): Promise<void> {
  const key = JSON.stringify([address, role, look]);
  let context = idle.get(key)?.pop();
  if (!context) {
    context = await openContext(browser, address, look);
    await addAxe(context);
  }
  try {
    const page = await context.newPage();
    await page.goto('/');
    const form = page.locator('#user');
    await form.or(page.locator('.nova-preferences')).waitFor();
    if (await form.isVisible()) await logIn(page, role, testPassword);
    await work(page);
    expect(context.failures).toEqual([]);
    // The next visit starts with the language and the theme of the browser.
    await page.evaluate(() => (globalThis as unknown as { localStorage: { clear: () => void } }).localStorage.clear());
    await page.close();
  } catch (error) {
    await context.close();
    throw error;
  }
  idle.set(key, [...(idle.get(key) ?? []), context]);
}
