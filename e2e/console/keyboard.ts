import type { Page } from 'playwright-core';

/** The parts of the DOM that the page scripts use; DOM types are not available here. */
interface Element {
  id: string;
  textContent: string | null;
  outerHTML: string;
  parentElement: Element | null;
  nextElementSibling: Element | null;
  shadowRoot: { activeElement: Element | null } | null;
  labels?: Iterable<Element>;
  getAttribute: (name: string) => string | null;
  getRootNode: () => { host?: Element; elementFromPoint: (x: number, y: number) => Element | null };
  getBoundingClientRect: () => { left: number; top: number; right: number; bottom: number };
  contains: (other: Element | null) => boolean;
  matches: (selector: string) => boolean;
  closest: (selector: string) => Element | null;
}
interface PageGlobals {
  document: { activeElement: Element | null; body: Element };
  getComputedStyle: (element: Element) => { outlineStyle: string; outlineWidth: string; outlineColor: string };
  innerWidth: number;
  innerHeight: number;
}

/** Editors draw their outline shortly after they get the focus. */
const moment = 200;

export interface Focus {
  id: string;
  /** Its accessible name, approximately. */
  name: string;
  html: string;
  /** The focus is visible: inside the viewport, not covered, with an outline. */
  isSeen: boolean;
}

/** The focused element; undefined if it is the page as a whole. */
export function focused(page: Page): Promise<Focus | undefined> {
  return page.evaluate(() => {
    const { document, getComputedStyle, innerWidth, innerHeight } = globalThis as unknown as PageGlobals;
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return undefined;
    const above = (each: Element) => each.parentElement ?? each.getRootNode().host ?? null;
    const hasLine = (each: Element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
      const isClear = outlineColor.startsWith('rgba') && outlineColor.endsWith(', 0)');
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && !isClear;
    };
    // The outline of an editor is around its container; that of a switch or of a machine's console is around its visible part.
    const drawn = element.matches('.cm-content')
      ? above(above(element) ?? element)
      : element.matches('.pf-v6-c-switch__input')
        ? element.nextElementSibling
        : element.closest('.nova-console');
    const shown = drawn ?? element;
    const box = shown.getBoundingClientRect();
    const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
    const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    const hit = shown.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isOnTop = hit !== null && (shown.contains(hit) || hit.contains(shown));
    const labels = [...(element.labels ?? [])].map(({ textContent }) => textContent ?? '').join(' ');
    return {
      id: element.id,
      name: (element.getAttribute('aria-label') ?? (labels || (element.textContent ?? ''))).trim(),
      html: element.outerHTML.slice(0, 400),
      isSeen: right > left && bottom > top && isOnTop && hasLine(shown),
    };
  });
}

/** Retries shortly after if the focus is not visible at once. */
export async function noticed(page: Page): Promise<Focus | undefined> {
  const focus = await focused(page);
  if (focus?.isSeen !== false) return focus;
  await page.waitForTimeout(moment);
  return focused(page);
}

/** Presses a key until the element with that name has the focus; the focus must be visible at every stop. */
export async function goTo(page: Page, name: string | RegExp, key = 'Tab', most = 80): Promise<Focus> {
  const passed: string[] = [];
  for (let press = 0; press < most; press += 1) {
    await page.keyboard.press(key);
    const focus = await noticed(page);
    if (!focus) continue;
    if (!focus.isSeen) throw new Error(`it cannot be seen that this has the focus: ${focus.html}`);
    passed.push(focus.name);
    if (typeof name === 'string' ? focus.name === name : name.test(focus.name)) return focus;
  }
  throw new Error(`${key} does not lead to ${name}, only to ${passed.join(' | ')}`);
}
