import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Look, openContext, settled } from './console/browser.ts';
import { browser, describeOnHost, site } from './console/harness.ts';
import { addAxe, cut, overflow, textsOf, unreached, violations } from './console/inspect.ts';
import { hostPages, pages as otherPages } from './console/pages.ts';
import { type Role, type Visit, visitAs } from './console/visit.ts';

const pages = [...hostPages, ...otherPages];

// Every page of the console in a real browser, against a real Universe with an engine in memory.
describeOnHost('every console page', () => {
  const visit: Visit = (role, work, look) => visitAs(browser, site.address, role, work, look);
  type PageWork = (page: Page, which: (typeof pages)[number]) => Promise<void>;
  const visitAll = (role: Role, work: PageWork, look?: Look) =>
    visit(role, (page) => inTabs(page.context(), work), look);

  /** Visits every page, two at a time: a visit waits more than it computes. */
  async function inTabs(context: BrowserContext, work: PageWork): Promise<void> {
    const waiting = [...pages];
    const tabs = Array.from({ length: 2 }, async () => {
      const page = await context.newPage();
      for (let each = waiting.shift(); each; each = waiting.shift()) {
        await page.goto(each.path);
        await settled(page);
        await work(page, each);
      }
      await page.close();
    });
    await Promise.all(tabs);
  }

  interface Seen {
    name: string;
    light: string[];
    texts: string[];
    unreached: string[];
    overflow: number;
    cut: string[];
  }
  let seen: Seen[];

  // Opening a page costs most, so each is opened once for several tests.
  beforeAll(async () => {
    seen = [];
    await visitAll('admin', async (page, { name }) => {
      const [texts, light] = [await textsOf(page), await violations(page)];
      const left = await unreached(page, 70);
      await page.setViewportSize({ width: 820, height: 1180 });
      await settled(page);
      const exceeding = await overflow(page);
      await page.setViewportSize({ width: 900, height: 1180 });
      await settled(page);
      seen.push({ name, texts, light, unreached: left, overflow: exceeding, cut: await cut(page) });
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    expect(seen.map(({ name }) => name).toSorted()).toEqual(pages.map(({ name }) => name).toSorted());
  }, 900_000);

  test('pages have no serious accessibility violation, light', () => {
    for (const { name, light } of seen) expect(light, name).toEqual([]);
  });

  test('pages have no serious accessibility violation, dark', { timeout: 300_000 }, async () => {
    const theme = 'dark';
    await visitAll('admin', async (page, { name }) => expect(await violations(page), name).toEqual([]), { theme });
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

  test.for(['light', 'dark'] as const)(
    'dialogs have no serious accessibility violation, %s',
    { timeout: 300_000 },
    async (theme) => {
      await visit(
        'admin',
        async (page) => {
          for (const [path, ...presses] of dialogs) {
            await page.goto(path);
            await settled(page);
            for (const name of presses)
              await page
                .getByRole('button', { name, exact: true })
                .or(page.getByRole('menuitem', { name }))
                .first()
                .click();
            await page.getByRole('dialog').waitFor();
            await settled(page);
            expect(await violations(page), presses.join(' → ')).toEqual([]);
          }
        },
        { theme },
      );
    },
  );

  test.for(['light', 'dark'] as const)('the login page has no serious accessibility violation, %s', async (theme) => {
    const context = await openContext(browser, site.address, { theme });
    await addAxe(context);
    const page = await context.newPage();
    await page.goto('/');
    await page.locator('#user').waitFor();
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  test('pages in Russian show no English text', { timeout: 300_000 }, async () => {
    const english = new Map(seen.map(({ name, texts }) => [name, new Set(texts)]));
    /** Names that are the same in both languages. */
    const names =
      /^(Nova|Universe|(· )?Kubernetes|Flux|ingress|API|DNS|EN|RU|git|kubeconfig|zVirt|oVirt|VMware vSphere|admin|local|CNI, kube-proxy|YAML|CPU|IPVS|nftables|cgroup|Ctrl\+Alt\+Del)$/;
    /** Clusters, machines, networks, images and packages of the site. */
    const objects = new Set(
      'demo basic web db batch alone lab quiet debian node'.split(' ').concat('libssl3, openssl'),
    );
    /** Identifiers, and events of Kubernetes. */
    const isData = (text: string) => (!/\s/.test(text) && /[-._/:\d]/.test(text)) || /^[A-Z]\w+\/\S+: \w+: /.test(text);
    await visitAll(
      'admin',
      async (page, { name }) => {
        const same = (await textsOf(page)).filter((text) => english.get(name)?.has(text));
        expect(
          same.filter((text) => !names.test(text) && !isData(text) && !objects.has(text)),
          name,
        ).toEqual([]);
      },
      { language: 'ru' },
    );
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
    await visit('viewer', async (page) => {
      const refused: string[] = [];
      page.context().on('response', (response) => {
        if (response.status() === 403) refused.push(response.url());
      });
      await inTabs(page.context(), async (tab, { name, needs }) => {
        const offered = await tab.getByRole('button').allTextContents();
        const changes =
          /^(create |edit( |$)|actions|start$|run( |$)|resume|cancel|remove|delete|destroy|scale|enable|disable|clean up|add |attach|detach|grow|restore)/i;
        expect(
          offered.filter((text) => changes.test(text)),
          name,
        ).toEqual([]);
        if (needs) await tab.getByText('Your role is viewer.').waitFor();
      });
      expect(refused).toEqual([]);
      await expect(page.getByRole('link', { name: 'Users' }).count()).resolves.toBe(0);
      // The server also refuses actions that the page does not offer.
      const status = await page.evaluate(
        async () => (await fetch('/api/v1/clusters/demo', { method: 'DELETE' })).status,
      );
      expect(status).toBe(403);
    });
  });
});
