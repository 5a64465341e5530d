import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestUniverse, testPassword } from '@nova-platform/universe/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { builtConsole, logIn, openBrowser, openContext } from '../e2e/console/browser.ts';
import { result, type Statistics, statistics } from './measure.ts';
import { fillStore, fleet } from './universe-store.ts';

// Measures the console's loading cost and its handling of long lists.

const goals = { bytes: 400_000, paintSeconds: 5, taskMilliseconds: 100 };
const rounds = 5;
/** How often the long list is scrolled through. */
const walks = 3;
/**
 * Lighthouse's model of a phone: 1.6 Mbit/s down, 750 kbit/s up, 150 ms latency, a CPU four times slower than this one,
 * and an empty browser cache. Other load on this host makes it slower still.
 */
const slow = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  offline: false,
};
const slowdown = 4;
const scrolls = 60;

Object.assign(fleet, { clusters: 100, nodesPerCluster: 50 });
console.log(`others keep ${loadavg()[0]?.toFixed(1)} processors busy`);
const folder = await builtConsole();
const site = await startTestUniverse({ console: folder });
const browser = await openBrowser();
try {
  await site.token('viewer');
  await site.stop();
  fillStore(join(site.folder, 'data', 'universe.db'));
  await site.start();
  const address = `https://127.0.0.1:${site.port}`;
  const session = await openContext(browser, address);
  const page = await session.newPage();
  await logIn(page, 'viewer', testPassword);
  const cookies = await session.cookies();

  const bytes = await loadedBytes(browser, address, cookies);
  console.log(`script and style before the overview: ${(bytes / 1000).toFixed(0)} kB gzip`);
  const paints: { first: number; useful: number }[] = [];
  for (let round = 0; round < rounds; round += 1) paints.push(await paint(browser, address, cookies));
  const useful = statistics(paints.map((each) => each.useful));
  const first = statistics(paints.map((each) => each.first));
  console.log(`throttled: first paint ${seconds(first)}, overview with its clusters ${seconds(useful)}`);
  const lists: Awaited<ReturnType<typeof longList>>[] = [];
  for (let walk = 0; walk < walks; walk += 1) lists.push(await longList(page));
  const scroll = statistics(lists.map((each) => each.scroll));
  const filter = statistics(lists.map((each) => each.filter));
  console.log(
    `${lists[0]?.count} nodes: longest task while scrolling ${task(scroll)}, while filtering ${task(filter)}`,
  );
  console.log(`others keep ${loadavg()[0]?.toFixed(1)} processors busy now`);

  const { bytes: byteGoal, paintSeconds, taskMilliseconds } = goals;
  result('console-bytes', `${(bytes / 1000).toFixed(0)}kB`, `<=${byteGoal / 1000}kB`, bytes <= byteGoal);
  result('console-useful-paint', `${useful.median.toFixed(2)}s`, `<=${paintSeconds}s`, useful.median <= paintSeconds);
  const longest = Math.max(scroll.max, filter.max);
  const isShort = longest <= taskMilliseconds;
  result('console-longest-task', milliseconds(longest), `<=${taskMilliseconds}ms`, isShort);
} finally {
  await browser.close();
  await site.close();
  await rm(dirname(folder), { recursive: true });
}

function seconds({ median, min, max }: Statistics): string {
  return `${median.toFixed(2)} s (${min.toFixed(2)}–${max.toFixed(2)})`;
}

function task({ median, min, max }: Statistics): string {
  return `${milliseconds(median)} (${milliseconds(min)}–${milliseconds(max)})`;
}

/** Browsers report only tasks of at least 50 ms. */
function milliseconds(longest: number): string {
  return longest === 0 ? '<50ms' : `${longest.toFixed(0)}ms`;
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function fresh(browser: Browser, address: string, cookies: Cookies): Promise<Page> {
  const context = await openContext(browser, address);
  await context.addCookies(cookies);
  return context.newPage();
}

/** The size of all scripts and styles loaded until the clusters are visible. */
async function loadedBytes(browser: Browser, address: string, cookies: Cookies): Promise<number> {
  const page = await fresh(browser, address, cookies);
  const files: string[] = [];
  page.on('request', (request) => {
    if (/\.(js|css)$/.test(request.url())) files.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  await page.locator('.nova-cluster-card').first().waitFor();
  await page.context().close();
  return files.reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0);
}

async function paint(browser: Browser, address: string, cookies: Cookies): Promise<{ first: number; useful: number }> {
  const page = await fresh(browser, address, cookies);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const started = performance.now();
  await page.goto('/', { waitUntil: 'commit' });
  await page.locator('.nova-cluster-card').first().waitFor();
  const useful = (performance.now() - started) / 1000;
  const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  await page.context().close();
  return { first: first / 1000, useful };
}

/** Milliseconds of the longest task while a long list is scrolled, and while it is searched. */
async function longList(page: Page): Promise<{ count: number; scroll: number; filter: number }> {
  await page.goto('/nodes');
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ entryTypes: ['longtask' as 'function'] });
  });
  await page.locator('.nova-scroller-long').waitFor();
  const count = Number(await page.locator('.nova-table').getAttribute('aria-rowcount')) - 1;
  await page.waitForTimeout(1000);
  const longest = () =>
    page.evaluate(() => {
      const { tasks } = globalThis as unknown as { tasks: number[] };
      return Math.max(0, ...tasks.splice(0));
    });
  await longest();
  await page.locator('.nova-scroller-long').hover();
  for (let turn = 0; turn < scrolls; turn += 1) {
    await page.mouse.wheel(0, turn % 3 === 0 ? 8000 : 700);
    await page.waitForTimeout(30);
  }
  const scroll = await longest();
  await page.getByRole('textbox').first().pressSequentially('billing-msk-work', { delay: 60 });
  await page.waitForTimeout(500);
  for (let turn = 0; turn < 16; turn += 1) await page.keyboard.press('Backspace', { delay: 40 });
  await page.waitForTimeout(500);
  return { count, scroll, filter: await longest() };
}
