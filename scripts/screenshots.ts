import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { type Language, openBrowser, openContext, settled, type Theme } from '../e2e/console/browser.ts';
import { hostPages, pages } from '../e2e/console/pages.ts';
import { startSite } from '../e2e/console/site.ts';

// Takes screenshots of every console page in both themes and languages. Without an argument, uses a Universe with an
// engine in memory; with a link of `nova-ctl console`, uses that Universe, which must have a cluster `demo`.

const folder = join(import.meta.dirname, '..', 'screenshots');
const [given] = process.argv.slice(2);
const site = given === undefined ? await startSite({ hasHost: true }) : undefined;
const link =
  given ?? `${site?.address}/login#code=${(await site?.local.createLoginLink({ body: { user: 'admin' } }))?.code}`;
const address = new URL(link).origin;
const browser = await openBrowser();
let session: Awaited<ReturnType<BrowserContext['cookies']>> = [];
for (const theme of ['light', 'dark'] as Theme[]) {
  for (const language of ['en', 'ru'] as Language[]) {
    const target = join(folder, `${theme}-${language}`);
    await mkdir(target, { recursive: true });
    const context = await openContext(browser, address, { theme, language, height: 1000 });
    const page = await context.newPage();
    const take = (name: string) => page.screenshot({ path: join(target, `${name}.png`) });
    await page.goto('/');
    await page.locator('#user').waitFor();
    await take('login');
    if (session.length === 0) {
      await page.goto(link);
      await page.locator('.nova-preferences').waitFor();
      session = await context.cookies();
    }
    await context.addCookies(session);
    // A real site has other machines.
    for (const { name, path } of [...(site ? hostPages : []), ...pages]) {
      await page.goto(path);
      await settled(page);
      await take(name);
    }
    await takeWizard(page, take);
    await context.close();
  }
}
await browser.close();
await site?.close();
console.log(folder);

/** The steps of the cluster wizard have no addresses. */
async function takeWizard(page: Page, take: (name: string) => Promise<unknown>): Promise<void> {
  await page.goto('/clusters/new');
  await page.locator('.nova-start button[type=submit]').click();
  await page.locator('.nova-side .pf-m-green').waitFor();
  await take('create-cluster-documents');
  await page.locator('#spec-clusterConfiguration-dnsBaseDomain').fill('Bad_Name');
  await page.locator('.nova-problems').waitFor();
  await take('create-cluster-problem');
  await page.locator('#spec-clusterConfiguration-dnsBaseDomain').fill('shop.nova.local');
  await page.locator('.nova-side .pf-m-green').waitFor();
  await page.locator('.nova-wizard-actions button').first().click();
  await page.locator('.nova-summary').first().waitFor();
  await settled(page);
  await take('create-cluster-review');
}
