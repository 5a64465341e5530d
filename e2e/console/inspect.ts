import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
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
    documentElement: Element;
    body: Element;
    querySelectorAll: (selector: string) => Iterable<Element>;
    createTreeWalker: (root: Element, what: number) => { nextNode: () => Element | null };
  };
  axe: { run: (options: object) => Promise<AxeResults> };
}

/** Adds axe to the pages of a context up front: our content security policy forbids adding scripts later. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(axe.source);
}

/** Serious and critical violations, one per line. */
export async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as PageGlobals;
    return (await tool.run({ resultTypes: ['violations'] })).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ').slice(0, 200)}`,
      ),
    );
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

/** Controls that the Tab key does not reach, or reaches without a visible focus. */
export async function unreached(page: Page, presses: number): Promise<string[]> {
  const unseen = new Set<string>();
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab');
    const focus = await noticed(page);
    if (focus?.isSeen === false) unseen.add(`not seen: ${focus.html}`);
    // In an editor, Tab indents; after Escape, the next Tab leaves it.
    if (focus?.html.includes('cm-content')) await page.keyboard.press('Escape');
    const isFirstAgain = await page.evaluate((order) => {
      const { activeElement } = (globalThis as unknown as PageGlobals).document;
      const isFirst = activeElement?.getAttribute('data-reached') === '0';
      if (!isFirst) activeElement?.setAttribute('data-reached', String(order));
      return isFirst;
    }, press);
    if (isFirstAgain) break;
  }
  const left = await page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    const usable = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled])';
    return [...document.querySelectorAll(usable)]
      .filter(
        (element) =>
          element.checkVisibility() &&
          !element.hasAttribute('data-reached') &&
          !element.closest('[tabindex="-1"]:not(main):not(#content)'),
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 400));
  });
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
