import { engineView } from '@nova-platform/console/testing';
import { documentsOf } from '@nova-platform/universe/testing';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled } from './console/browser.ts';
import { browser, describeInBrowser, site } from './console/harness.ts';
import { cut } from './console/inspect.ts';
import { focused } from './console/keyboard.ts';
import { testPassword } from './console/site.ts';
import { type Visit, visitAs } from './console/visit.ts';

// How the console guides its users, in a real browser against a real Universe without machines.
describeInBrowser('the console', () => {
  const visit: Visit = (role, work, look) => visitAs(browser, site.address, role, work, look);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  /** The numbers of pixels that the content is scrolled and can be scrolled. */
  const scrolling = (page: Page) =>
    page.locator('#content').evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
      now: scrollTop,
      most: scrollHeight - clientHeight,
    }));
  const scrollDown = (page: Page) => page.locator('#content').evaluate((content) => content.scrollTo(0, 10_000));

  /** A preview as of a Universe that reaches its engine. */
  const withResources = async (route: Route) => {
    const gibibyte = 1024 ** 3;
    const resources = {
      memory: { needed: 4 * gibibyte, available: 16 * gibibyte },
      disk: { needed: 2 * gibibyte, available: 60 * gibibyte },
      processors: { needed: 2, available: 8 },
    };
    await route.fulfill({ json: { ...(await (await route.fetch()).json()), resources } });
  };

  test('each wizard step starts at the top', async () => {
    await visit(
      'operator',
      async (page) => {
        await page.goto('/clusters/new');
        await settled(page);
        await scrollDown(page);
        expect((await scrolling(page)).now).toBeGreaterThan(50);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('valid', { exact: true }).waitFor();
        expect((await scrolling(page)).now).toBe(0);
        await scrollDown(page);
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByText('Nothing has been created yet.').waitFor();
        expect((await scrolling(page)).now).toBe(0);
      },
      { width: 900, height: 700 },
    );
  });

  test('the name of a new cluster is a field, and is not taken from the domain', async () => {
    await visit('operator', async (page) => {
      await page.goto('/clusters/new');
      await settled(page);
      await page.locator('#cluster-name').fill('demo');
      await page.getByText('There is a cluster demo already.').waitFor();
      await page.locator('#cluster-name').fill('web');
      await page.locator('#domain').fill('localdomain');
      await page.getByText('A domain usually has several parts.').waitFor();
      await page.locator('#domain').fill('k8s.company.local');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('valid', { exact: true }).waitFor();
      await page.getByText('web · Kubernetes').waitFor();
      await page.route('**/api/v1/clusters/web/preview', withResources);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByText(/^Memory: 4.GiB · 16.GiB available on the host$/).waitFor();
      await page.getByText(/^Disk: 2.GiB · 60.GiB available on the host$/).waitFor();
    });
  });

  test('the draft of a cluster survives a reload, without secrets, until it is discarded', async () => {
    await visit('operator', async (page) => {
      await page.goto('/clusters/new');
      await settled(page);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.locator('#spec-nodeGroups-0-memory').fill('7Gi');
      const text = page.locator('.cm-content');
      await expect.poll(() => text.textContent()).toContain('memory: 7Gi');
      await text.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('---\nkind: Proxy\nspec:\n  httpProxy:\n    password: swordfish\n');
      await expect.poll(() => text.textContent()).toContain('swordfish');
      await page.reload();
      await page.getByText('This is your draft.').waitFor();
      expect(await page.locator('#spec-nodeGroups-0-memory').inputValue()).toBe('7Gi');
      const stored = await page.evaluate(() =>
        JSON.stringify((globalThis as unknown as { sessionStorage: object }).sessionStorage),
      );
      expect(stored).toContain('7Gi');
      expect(stored).not.toContain('swordfish');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('button', { name: 'Next' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Next' }).waitFor();
    });
  });

  test('the YAML shows the focused field, and hints do not look like values', async () => {
    await visit('operator', async (page) => {
      await page.goto('/clusters/new');
      await settled(page);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.locator('#spec-clusterConfiguration-nodeNetwork').focus();
      await expect.poll(() => page.locator('.cm-activeLine').textContent()).toMatch(/nodeNetwork/);
      await page.locator('#spec-nodeGroups-0-memory').focus();
      await expect.poll(() => page.locator('.cm-activeLine').textContent()).toMatch(/memory/);
      // The focus stays in the form.
      expect((await focused(page))?.id).toBe('spec-nodeGroups-0-memory');
      await page.locator('#spec-nodeGroups-0-count').fill('');
      expect(await page.locator('#spec-nodeGroups-0-count').getAttribute('placeholder')).toBe('Example: 3');
    });
  });

  test('a dialog focuses its first field, or Cancel if it has none', async () => {
    await visit('admin', async (page) => {
      const opened = async (path: string, button: string) => {
        await page.goto(path);
        await settled(page);
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        return expect.poll(async () => (await focused(page))?.name);
      };
      await (await opened('/users', 'Add user')).toMatch(/^Name/);
      await (await opened('/tokens', 'Create token')).toMatch(/^Purpose/);
      await (await opened('/nodes/demo-main-1', 'Run agent')).toMatch(/^Dry run/);
      await (await opened('/registry', 'Clean up')).toBe('Cancel');
    });
  });

  test('the page of a node shows Kubernetes first, and its findings offer actions', async () => {
    await visit('operator', async (page) => {
      await page.goto('/nodes/demo-main-1');
      await page.locator('.nova-head').getByText('Ready', { exact: true }).waitFor();
      const headings = page.getByRole('main').getByRole('heading', { level: 2 });
      await expect
        .poll(() => headings.allTextContents())
        .toEqual(['Health', 'Conditions', 'Resources', 'Pods: 1 of 110', 'Details', 'Configuration', 'Recent runs']);
      await page.getByText('kube-apiserver is not running on demo-main-1').waitFor();
      await page.getByText('0.5 of 2 CPU').waitFor();
      await page.getByText(/^1.GiB of 3.GiB$/).waitFor();
      await page.getByRole('table', { name: 'Pods of the node' }).getByText('ImagePullBackOff').waitFor();
      await page.getByRole('button', { name: 'Run agent of demo-main-1' }).first().click();
      await page.getByRole('dialog', { name: 'Run the agent of demo-main-1' }).waitFor();

      await page.goto('/nodes/demo-work-2');
      await page.locator('.nova-head').getByText('Not ready').waitFor();
      await page.getByText('container runtime is down').first().waitFor();
      await page.goto('/nodes');
      await page.getByRole('row').filter({ hasText: 'demo-work-2' }).getByText('Not ready').waitFor();
    });
  });

  test('the topology warns about unready nodes although their network is as declared', async () => {
    await visit('viewer', async (page) => {
      const { plan } = await site.local.showCluster({ params: { cluster: 'demo' } });
      await page.route('**/api/v1/clusters/demo/network', (route) =>
        route.fulfill({ json: { network: engineView(plan) } }),
      );
      await page.goto('/clusters/demo/topology');
      await page.getByText('The network is as declared. 1 node is not ready.').waitFor();
    });
  });

  test('modules warn that their states may be out of date while no node is ready', async () => {
    await visit('viewer', async (page) => {
      await page.route('**/api/v1/clusters/demo/health', async (route) => {
        const health = await (await route.fetch()).json();
        for (const node of health.nodes) node.isReady = false;
        await route.fulfill({ json: { ...health, state: 'failed' } });
      });
      await page.goto('/clusters/demo/modules');
      await page.getByText('No node is ready, so these states may be out of date.').waitFor();
    });
  });

  test('pages of missing objects keep their heading, and a destroyed cluster keeps its operations', async () => {
    await visit('operator', async (page) => {
      await page.goto('/operations/987654');
      await heading(page, 'Operation 987654');
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Operations' }).waitFor();
      const params = { cluster: 'short' };
      const documents = documentsOf('short', { network: '10.20.81.0/24' });
      const { operation } = await site.local.declareCluster({ params, body: { documents } });
      await site.universe.parts.operations.ended(operation?.id ?? 0);
      await page.goto('/operations');
      await page
        .getByRole('row')
        .filter({ hasText: 'short' })
        .getByRole('link', { name: 'short', exact: true })
        .click();
      await heading(page, 'short');
      await page.route('**/api/v1/clusters/short', (route) =>
        route.fulfill({ status: 404, json: { code: 'NOVA8321', problems: [] } }),
      );
      await page.goto('/clusters/short');
      await page.getByRole('heading', { name: 'Earlier operations' }).waitFor();
      await page.getByRole('row').filter({ hasText: 'short' }).first().waitFor();
    });
  });

  test('a completed operation leads to its cluster, a running one shows its usual time', async () => {
    await visit('operator', async (page) => {
      const operation = await site.local.showOperation({ params: { id: 1 } });
      const { failure: _failure, ...rest } = operation;
      const done = { ...rest, state: 'done', createdAt: '2026-11-15T10:00:00Z', endedAt: '2026-11-15T10:01:30Z' };
      await page.route('**/api/v1/operations?*', (route) => route.fulfill({ json: { operations: [done] } }));
      await page.route('**/api/v1/operations/1', (route) =>
        route.fulfill({ json: { ...rest, state: 'running', createdAt: new Date().toISOString() } }),
      );
      await page.goto('/operations/1');
      await page.getByText(/^Usually takes 1.min 30.s\. About 1.min \d+.s left\.$/).waitFor();
      await page.unroute('**/api/v1/operations/1');
      await page.route('**/api/v1/operations/1', (route) => route.fulfill({ json: done }));
      await page.reload();
      await page.getByRole('button', { name: 'kubeconfig' }).waitFor();
      await page.getByRole('button', { name: 'Open demo' }).click();
      await heading(page, 'demo');
    });
  });

  test('the audit log has sentences, filters and details', async () => {
    await visit('admin', async (page) => {
      await site.local.createUser({ body: { name: 'auditee', role: 'viewer', password: testPassword } });
      await page.goto('/audit');
      const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody').getByRole('row');
      await page.getByRole('textbox', { name: 'Filter by object' }).fill('auditee');
      await expect.poll(() => rows.count()).toBe(1);
      await rows.getByText('Add user auditee').click();
      await rows.getByText('createUser users/auditee').waitFor();
      await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Remove user …' });
      await page.getByText('No matching entries').waitFor();
      await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Any action' });
      await page.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Last hour' });
      await expect.poll(() => rows.count()).toBe(1);
    });
  });

  test('a phone shows the state and the actions of every row', async () => {
    const phone = { width: 400, height: 860 };
    await visit(
      'admin',
      async (page) => {
        for (const [path, content] of [
          ['/nodes', 'Not ready'],
          ['/clusters', 'Degraded'],
          ['/users', 'Remove'],
          ['/clusters/demo/modules', 'Enable'],
        ] as const) {
          await page.goto(path);
          await settled(page);
          const box = await page.getByRole('main').getByText(content, { exact: true }).first().boundingBox();
          expect(box, path).not.toBeNull();
          expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(phone.width);
        }
      },
      phone,
    );
  });

  test('a phone shows the state of every row of a long list, and renders only the visible ones', async () => {
    const many = 3000;
    const phone = { width: 400, height: 860 };
    await visit(
      'viewer',
      async (page) => {
        const { steps: _steps, ...operation } = await site.local.showOperation({ params: { id: 1 } });
        const operations = Array.from({ length: many }, (_each, index) => ({
          ...operation,
          id: many - index,
          title: { en: `Operation ${many - index}`, ru: '' },
          steps: [],
        }));
        await page.route('**/api/v1/operations?*', (route) => route.fulfill({ json: { operations } }));
        await page.goto('/operations');
        await settled(page);
        const cards = page.getByRole('main').locator('tbody tr[data-index]');
        const cardOf = (id: number) =>
          cards.filter({ has: page.getByRole('link', { name: `Operation ${id}`, exact: true }) });
        const isShown = async (id: number) => {
          const box = await cardOf(id).getByText('Failed', { exact: true }).boundingBox();
          expect((box?.x ?? phone.width) + (box?.width ?? 0), `operation ${id}`).toBeLessThanOrEqual(phone.width);
        };
        await isShown(many);
        // The end is reached although the heights of the cards above were only estimated.
        const list = page.getByRole('region', { name: 'Operations' });
        await list.focus();
        await expect
          .poll(async () => {
            await page.keyboard.press('End');
            return cardOf(1).count();
          })
          .toBe(1);
        await isShown(1);
        expect(await cards.count()).toBeLessThan(60);
      },
      phone,
    );
  });

  test('a small window cuts no cell of a long list', async () => {
    await visit(
      'viewer',
      async (page) => {
        const { nodes } = await site.localNodes.listNodes({ query: { cluster: 'demo' } });
        const many = Array.from({ length: 100 }, (_each, index) => ({ ...nodes[0], name: `demo-main-${index + 1}` }));
        await page.route('**/api/v1/nodes?*', (route) => route.fulfill({ json: { nodes: many } }));
        await page.goto('/nodes');
        await settled(page);
        await page.getByText('100 entries').waitFor();
        expect(await cut(page)).toEqual([]);
      },
      { width: 900, height: 700 },
    );
  });

  test('a change shows what it needs on the host, and the overview what the host uses and allocates', async () => {
    const [gibibyte, totalBytes] = [1024 ** 3, 64 * 1024 ** 3];
    await visit('operator', async (page) => {
      const capacity = {
        processors: { total: 8, used: 1.26 },
        memory: { totalBytes, freeBytes: 32 * gibibyte, availableBytes: 2 * gibibyte },
        disk: { totalBytes, freeBytes: 60 * gibibyte },
        machines: { count: 3, running: 3, cpu: 12, memoryBytes: 12 * gibibyte, diskBytes: 4 * gibibyte },
      };
      await page.route('**/api/v1/capacity', (route) => route.fulfill({ json: capacity }));
      await page.route('**/api/v1/clusters/demo/scale/preview', withResources);
      await page.goto('/clusters/demo');
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Scale' }).click();
      await page.getByRole('button', { name: 'More nodes in work' }).click();
      const dialog = page.getByRole('dialog', { name: 'Scale demo' });
      await dialog.getByText(/^Additional CPU: 2 · 8 available on the host$/).waitFor();
      await dialog.getByText(/^Additional memory: 4.GiB · 16.GiB available on the host$/).waitFor();
      await page.goto('/');
      await page.getByText('1.3 of 8 used').waitFor();
      await page.getByText('12 allocated to machines, 8 physical').waitFor();
    });
  });

  test('no page scrolls into blank space', async () => {
    await visit(
      'admin',
      async (page) => {
        for (const path of ['/operations/1', '/clusters/demo', '/nodes/demo-main-1']) {
          await page.goto(path);
          await settled(page);
          const blank = await page.locator('#content').evaluate((content) => {
            const bottoms = [...content.querySelectorAll('section > div > *')].map(
              (each) => each.getBoundingClientRect().bottom,
            );
            return content.scrollHeight - content.scrollTop - Math.max(...bottoms);
          });
          expect(blank, path).toBeLessThan(100);
        }
      },
      { width: 1400, height: 500 },
    );
  });
});
