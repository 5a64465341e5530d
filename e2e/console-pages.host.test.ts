import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openContext, settled } from './console/browser.ts';
import { browser, describeOnHost, site } from './console/harness.ts';
import { addAxe, cut, overflow, textsOf, unreached, violationsInThemes } from './console/inspect.ts';
import { hostPages, pages as otherPages } from './console/pages.ts';
import { type Role, type Visit, visitAs } from './console/visit.ts';

const pages = [...hostPages, ...otherPages];

// Every page of the console in a real browser, against a real Universe with an engine in memory.
describeOnHost('every console page', () => {
  const visit: Visit = (role, work, look) => visitAs(browser, site.address, role, work, look);
  /** Visits every page in two browser contexts: a visit waits more than it computes. */
  async function visitAll(
    role: Role,
    work: (page: Page, which: (typeof pages)[number]) => Promise<void>,
    begin: (page: Page) => void = () => undefined,
  ) {
    const waiting = [...pages];
    const visitNext = async (page: Page) => {
      begin(page);
      for (let each = waiting.shift(); each; each = waiting.shift()) {
        await page.goto(each.path);
        await settled(page);
        await work(page, each);
      }
    };
    await Promise.all([visit(role, visitNext), visit(role, visitNext)]);
  }

  interface Seen {
    name: string;
    light: string[];
    dark: string[];
    texts: string[];
    russian: string[];
    unreached: string[];
    overflow: number;
    cut: string[];
  }
  let seen: Seen[];

  // Opening a page costs most, so each is opened once for several tests.
  beforeAll(async () => {
    seen = [];
    await visitAll('admin', async (page, { name }) => {
      const texts = await textsOf(page);
      const themes = await violationsInThemes(page);
      // The navigation around the content is the same on all pages.
      const left = await unreached(page, name === 'overview' ? 'body' : '#content', 70);
      await page.setViewportSize({ width: 820, height: 1180 });
      await settled(page);
      const exceeding = await overflow(page);
      await page.setViewportSize({ width: 900, height: 1180 });
      await settled(page);
      const tooWide = await cut(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: 'RU, Русский' }).click();
      await settled(page);
      const russian = await textsOf(page);
      await page.getByRole('button', { name: 'EN, English' }).click();
      seen.push({ name, texts, russian, ...themes, unreached: left, overflow: exceeding, cut: tooWide });
    });
    expect(seen.map(({ name }) => name).toSorted()).toEqual(pages.map(({ name }) => name).toSorted());
  }, 900_000);

  test.for(['light', 'dark'] as const)('pages have no serious accessibility violation, %s', (theme) => {
    for (const { name, [theme]: found } of seen) expect(found, name).toEqual([]);
  });

  /** Each dialog: its page, and the buttons to press until it opens. */
  const dialogs: readonly (readonly [path: string, ...presses: string[]])[] = [
    ['/clusters/demo', 'kubeconfig'],
    ['/clusters/demo', 'Actions', 'Scale'],
    ['/clusters/demo', 'Actions', 'Run agents'],
    ['/clusters/demo', 'Actions', 'Stop'],
    ['/clusters/demo', 'Actions', 'Destroy'],
    ['/clusters/demo/modules', 'Enable metrics-server'],
    ['/machines/web', 'Actions', 'Stop'],
    ['/machines/web', 'Actions', 'Resize'],
    ['/machines/web', 'Actions', 'Delete'],
    ['/machines/batch', 'Actions', 'Disconnect from the network'],
    ['/machines/batch', 'Actions', 'Make template'],
    ['/machines/alone', 'Actions', 'Connect to a network'],
    ['/machines/db/disks', 'Create disk'],
    ['/machines/web/disks', 'Attach disk'],
    ['/machines/batch/snapshots', 'Create snapshot'],
    ['/machines/batch/snapshots', 'Restore before-upgrade'],
    ['/machines/batch/snapshots', 'Delete before-upgrade'],
    ['/storage', 'Create disk'],
    ['/storage', 'Attach archive'],
    ['/storage', 'Grow archive'],
    ['/storage', 'Detach db-data'],
    ['/storage', 'Delete archive'],
    ['/templates', 'Delete web-server'],
    ['/networks', 'Create network'],
    ['/networks/quiet', 'Delete network'],
    ['/registry', 'Clean up'],
    ['/users', 'Add user'],
    ['/users', 'Edit viewer'],
    ['/users', 'Remove viewer'],
    ['/tokens', 'Create token'],
    ['/', 'admin', 'Change password'],
  ];

  test('dialogs have no serious accessibility violation in either theme', { timeout: 300_000 }, async () => {
    await visit('admin', async (page) => {
      const dialog = page.getByRole('dialog');
      let shown: string | undefined;
      for (const [path, ...presses] of dialogs) {
        if (path === shown) {
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        } else {
          await page.goto(path);
          await settled(page);
        }
        shown = path;
        for (const name of presses)
          await page
            .getByRole('button', { name, exact: true })
            .or(page.getByRole('menuitem', { name }))
            .first()
            .click();
        await dialog.waitFor();
        await settled(page);
        expect(await violationsInThemes(page, '[role=dialog]'), presses.join(' → ')).toEqual({ light: [], dark: [] });
      }
    });
  });

  test('the login page has no serious accessibility violation in either theme', async () => {
    const context = await openContext(browser, site.address);
    await addAxe(context);
    const page = await context.newPage();
    await page.goto('/');
    await page.locator('#user').waitFor();
    expect(await violationsInThemes(page)).toEqual({ light: [], dark: [] });
    await context.close();
  });

  test('pages in Russian show no English text', () => {
    /** Names that are the same in both languages. */
    const names =
      /^(Nova|Universe|(· )?Kubernetes|Flux|ingress|API|DNS|EN|RU|git|kubeconfig|zVirt|oVirt|VMware vSphere|admin|local|CNI, kube-proxy|YAML|CPU|IPVS|nftables|cgroup|Ctrl\+Alt\+Del)$/;
    /** Clusters, machines, networks, images, packages and certificates of the site. */
    const objects = new Set(
      'demo basic web db batch alone lab quiet debian node engine'.split(' ').concat('libssl3, openssl'),
    );
    /** Identifiers, and events of Kubernetes. */
    const isData = (text: string) => (!/\s/.test(text) && /[-._/:\d]/.test(text)) || /^[A-Z]\w+\/\S+: \w+: /.test(text);
    for (const { name, texts, russian } of seen) {
      const same = russian.filter((text) => texts.includes(text));
      expect(
        same.filter((text) => !names.test(text) && !isData(text) && !objects.has(text)),
        name,
      ).toEqual([]);
    }
  });

  test('every control is reachable with the keyboard', () => {
    // Tab reaches one radio button of a group; arrows move to the others.
    for (const { name, unreached: left } of seen)
      expect(
        left.filter((html) => !html.includes('type="radio"')),
        name,
      ).toEqual([]);
  });

  test('pages fit a tablet', () => {
    for (const { name, overflow: found } of seen) expect(found, name).toBe(0);
  });

  test('tables and tabs show all of their columns and entries on a small window', () => {
    expect(seen.flatMap(({ name, cut: found }) => found.map((each) => `${name}: ${each}`))).toEqual([]);
  });

  test('a viewer sees no action that the server would refuse', { timeout: 300_000 }, async () => {
    const refused: string[] = [];
    await visitAll(
      'viewer',
      async (page, { name, needs }) => {
        const offered = await page.getByRole('button').allTextContents();
        const changes =
          /^(create (cluster|machine|disk|network|snapshot)|edit( |$)|actions|start$|run( |$)|resume|cancel|remove|delete|destroy|scale|enable|disable|clean up|add |attach|detach|grow|restore)/i;
        expect(
          offered.filter((text) => changes.test(text)),
          name,
        ).toEqual([]);
        expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
        if (needs) await page.getByText('Your role is viewer.').waitFor();
      },
      (page) =>
        page.on('response', (response) => {
          if (response.status() === 403) refused.push(response.url());
        }),
    );
    expect(refused).toEqual([]);
    // The server also refuses actions that the page does not offer.
    await visit('viewer', async (page) => {
      const status = await page.evaluate(
        async () => (await fetch('/api/v1/clusters/demo', { method: 'DELETE' })).status,
      );
      expect(status).toBe(403);
    });
  });
});
