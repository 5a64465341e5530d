import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { noticed } from './keyboard.ts';

/** The parts of the DOM that the page scripts use; DOM types are not available here. */
interface Element {
  textContent: string | null;
  parentElement: Element | null;
  closest: (selector: string) => Element | null;
  checkVisibility: () => boolean;
  setAttribute: (name: string, value: string) => void;
  hasAttribute: (name: string) => boolean;
  getAttribute: (name: string) => string | null;
  outerHTML: string;
  scrollWidth: number;
  clientWidth: number;
}
interface PageGlobals {
  document: {
    activeElement: Element | null;
    getAnimations: () => { transitionProperty?: string; finished: Promise<unknown> }[];
    documentElement: Element;
    body: Element;
    querySelectorAll: (selector: string) => Iterable<Element>;
    createTreeWalker: (root: Element, what: number) => { nextNode: () => Element | null };
  };
  axe: { run: (within: string, options: object) => Promise<AxeResults> };
}

/** Adds axe to the pages of a context up front: our content security policy forbids adding scripts later. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(axe.source);
}

interface Inspection {
  /** The part of the page to check. */
  within?: string;
  /** The only rules to check. */
  rules?: string[];
}

/** Serious and critical violations, one per line. */
export async function violations(page: Page, { within = 'html', rules }: Inspection = {}): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate(
    async ([part, settings]) => {
      const { axe: tool } = globalThis as unknown as PageGlobals;
      return (await tool.run(part, settings)).violations;
    },
    [within, options] as const,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ').slice(0, 200)}`,
      ),
    );
}

/** Violations in the light theme, then those that the dark theme adds: only its colours differ. */
export async function violationsInThemes(page: Page, within = 'html'): Promise<{ light: string[]; dark: string[] }> {
  const light = await violations(page, { within });
  await useTheme(page, 'dark');
  const dark = await violations(page, { within, rules: ['color-contrast'] });
  await useTheme(page, 'light');
  return { light, dark };
}

/** Changes the theme of the system, and waits until the page has its colours. */
async function useTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(theme === 'dark' ? 'html.pf-v6-theme-dark' : 'html:not(.pf-v6-theme-dark)').waitFor();
  await page.evaluate(async () => {
    const { document } = globalThis as unknown as PageGlobals;
    const transitions = document.getAnimations().filter((each) => each.transitionProperty !== undefined);
    // A transition that is replaced by another one is cancelled.
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** The page's own texts, without code, names and user input. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    const data =
      'code, pre, time, td, svg, .nova-conditions strong, .nova-fieldset > legend, .nova-field label, .nova-choices, .nova-entry-head, .nova-log, .nova-role, .nova-step-name, .nova-code, .nova-leaf, .nova-branch .nova-branch, .nova-changes, .nova-subjects, .nova-editor';
    const walker = document.createTreeWalker(document.body, 4);
    const texts = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (parent?.checkVisibility() && !parent.closest(data) && /[A-Za-z]{2}/.test(text)) texts.add(text);
    }
    return [...texts];
  });
}

/** Controls of a part of the page that the Tab key does not reach, or reaches without a visible focus. */
export async function unreached(page: Page, within: string, presses: number): Promise<string[]> {
  const unseen = new Set<string>();
  if (within !== 'body') await page.locator(within).focus();
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab');
    const isNew = await page.evaluate(
      ([part, order]) => {
        const { activeElement: element } = (globalThis as unknown as PageGlobals).document;
        const isInside = part === 'body' || element?.closest(part);
        if (!element || !isInside || element.getAttribute('data-reached') === '0') return false;
        element.setAttribute('data-reached', String(order));
        return true;
      },
      [within, press] as const,
    );
    if (!isNew) break;
    const focus = await noticed(page);
    if (focus?.isSeen === false) unseen.add(`not seen: ${focus.html}`);
    // In an editor, Tab indents; after Escape, the next Tab leaves it.
    if (focus?.html.includes('cm-content')) await page.keyboard.press('Escape');
  }
  const left = await page.evaluate((part) => {
    const { document } = globalThis as unknown as PageGlobals;
    const usable = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled])';
    return [...document.querySelectorAll(usable)]
      .filter(
        (element) =>
          element.closest(part) &&
          element.checkVisibility() &&
          !element.hasAttribute('data-reached') &&
          !element.closest('[tabindex="-1"]:not(main):not(#content)'),
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 400));
  }, within);
  return [...unseen, ...left];
}

/** Tables, their cells and tabs that are wider than the page shows. */
export function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    return [...document.querySelectorAll('.nova-scroller, .nova-tabs, .nova-table td')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(
        (each) => `${each.getAttribute('aria-label') ?? each.textContent}: ${each.scrollWidth} of ${each.clientWidth}`,
      );
  });
}

/** How far the page exceeds the viewport's width. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { documentElement } = (globalThis as unknown as PageGlobals).document;
    return documentElement.scrollWidth - documentElement.clientWidth;
  });
}

/** How many pixels of a screen are not dark. */
export function litPixels(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    // DOM types are not available here.
    const screen = element as unknown as {
      width: number;
      height: number;
      getContext: (kind: '2d') => {
        getImageData: (x: number, y: number, width: number, height: number) => { data: Uint8ClampedArray };
      };
    };
    const { data } = screen.getContext('2d').getImageData(0, 0, screen.width, screen.height);
    let lit = 0;
    for (let at = 0; at < data.length; at += 4)
      if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 80) lit += 1;
    return lit;
  });
}
