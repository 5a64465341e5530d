import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '@nova-platform/console';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The path in Debian. */
const program = '/usr/bin/chromium';

/** Between two looks at a page. */
const moment = 50;

export type Theme = 'light' | 'dark';
export type Language = 'en' | 'ru';

export interface Look {
  theme?: Theme;
  language?: Language;
  width?: number;
  height?: number;
}

/** A real browser. As root, it cannot use its own sandbox. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  });
}

/** A fresh browser context that collects the errors of its pages. */
export async function openContext(
  browser: Browser,
  address: string,
  look: Look = {},
): Promise<BrowserContext & { failures: string[] }> {
  const { theme = 'light', language = 'en', width = 1440, height = 900 } = look;
  const context = await browser.newContext({
    baseURL: address,
    // The server's certificate comes from the platform's own CA.
    ignoreHTTPSErrors: true,
    colorScheme: theme,
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'UTC',
    viewport: { width, height },
    acceptDownloads: true,
  });
  // Longer than its own default: on a busy machine, a page takes longer.
  context.setDefaultTimeout(100_000);
  await countRequests(context);
  const failures: string[] = [];
  context.on('weberror', (error) => failures.push(String(error.error())));
  context.on('console', (message) => {
    // The browser also logs refused requests and unreachable servers, and noVNC consoles that end at once.
    if (
      message.type() === 'error' &&
      !/Failed to load resource|ERR_|WebSocket connection|Failed when connecting/.test(message.text())
    )
      failures.push(message.text());
  });
  return Object.assign(context, { failures });
}

export async function logIn(page: Page, user: string, password: string): Promise<void> {
  await page.goto('/');
  await page.locator('#user').fill(user);
  await page.locator('#password').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('.nova-preferences').waitFor();
}

/**
 * Waits until the page has loaded, no request waits for its response, colours and places have stopped changing, and the
 * content stays the same for a moment.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async (pause) => {
    // Runs in the page; DOM types are not available here.
    const { document, waiting } = globalThis as unknown as {
      document: {
        fonts: { status: string };
        querySelector: (selector: string) => object | null;
        body: { innerHTML: string };
        getAnimations: () => {
          playState: string;
          effect: { getComputedTiming: () => { iterations?: number } } | null;
        }[];
      };
      waiting: { requests: number };
    };
    const has = (selector: string) => document.querySelector(selector) !== null;
    const isMoving = () =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        );
    const isLoaded = () =>
      waiting.requests === 0 &&
      !isMoving() &&
      document.fonts.status === 'loaded' &&
      has('#content h1, #content h2') &&
      !has('.nova-loading, [aria-busy=true]');
    for (let before = ''; ; ) {
      await new Promise((wake) => setTimeout(wake, pause));
      const now = isLoaded() ? document.body.innerHTML : '';
      if (now !== '' && now === before) return;
      before = now;
    }
  }, moment);
}

/** Counts the requests of the pages of a context that have no response yet. */
async function countRequests(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const waiting = { requests: 0 };
    const { fetch: send } = globalThis;
    const counting: typeof fetch = async (...request) => {
      waiting.requests += 1;
      try {
        return await send(...request);
      } finally {
        waiting.requests -= 1;
      }
    };
    Object.assign(globalThis, { waiting, fetch: counting });
  });
}

/** Builds the console as it is served, into a separate folder. */
export async function builtConsole(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'nova-console-')), 'console');
  await buildConsole(folder);
  return folder;
}
