import { documentsOf } from '@nova-platform/universe/testing';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { logIn, openContext, settled } from './console/browser.ts';
import { browser, describeInBrowser, site } from './console/harness.ts';
import { focused, goTo } from './console/keyboard.ts';
import { testPassword } from './console/site.ts';
import { type Visit, visitAs } from './console/visit.ts';

// The console in a real browser, against a real Universe without machines.
describeInBrowser('the console', () => {
  const visit: Visit = (role, work, look) => visitAs(browser, site.address, role, work, look);

  test('a password logs in, a wrong one does not, and logging out ends the session', async () => {
    const context = await openContext(browser, site.address);
    const page = await context.newPage();
    await page.goto('/operations/1');
    await page.locator('#user').fill('admin');
    await page.locator('#password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong user name or password.').waitFor();
    await page.locator('#password').fill(testPassword);
    await page.keyboard.press('Enter');
    // The requested page, not the start page.
    await page.getByRole('heading', { level: 1, name: 'Create demo' }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: '__Host-nova_session', httpOnly: true, secure: true, sameSite: 'Strict' });
    const kept = await page.evaluate(() =>
      JSON.stringify((globalThis as unknown as { localStorage: object }).localStorage),
    );
    expect(JSON.parse(kept)).toEqual({ 'nova.language': 'en', 'nova.theme': 'system' });
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await context.close();
  });

  test('a login link works once and leaves no trace of its code', async () => {
    const { code } = await site.local.createLoginLink({ body: { user: 'operator' } });
    const enter = async () => {
      const context = await openContext(browser, site.address);
      const requests: string[] = [];
      context.on('request', (request) => requests.push(request.url()));
      const page = await context.newPage();
      await page.goto(`/login#code=${code}`);
      return { context, page, requests };
    };
    const first = await enter();
    await first.page.getByRole('button', { name: 'operator' }).waitFor();
    expect(first.page.url()).not.toContain(code);
    expect(first.requests.map((url) => url.split('#')[0]).join(' ')).not.toContain(code);
    await first.context.close();
    const second = await enter();
    await second.page.getByText('This login link is no longer valid.').waitFor();
    await second.context.close();
  });

  test('pages have a strict content policy; assets are compressed and cached forever', async () => {
    const page = await site.send('/', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(page.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const rules = String(page.headers['content-security-policy']);
    expect(rules).toContain("default-src 'none'");
    expect(rules).not.toMatch(/unsafe|https?:|\*/);
    const { text } = await site.send('/clusters/anything');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/assets\/[\w.-]+-[\w-]{8}\.(js|css|svg)$/);
      const answer = await site.send(file, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    for (const path of ['/api/v1/nothing', '/assets/nothing.js', '/assets/../index.html', '/v2x/../api/x'])
      expect((await site.send(path)).status, path).toBe(path.startsWith('/v2x') ? 200 : 404);
  });

  test('the wizard keeps fields and YAML in step, shows problems from the server, and creates only after a review', async () => {
    await visit('operator', async (page) => {
      await page.goto('/clusters/new');
      await page.getByLabel('Base domain').fill('shop.nova.local');
      await page.getByRole('button', { name: 'Next' }).click();
      const domain = page.locator('#spec-clusterConfiguration-dnsBaseDomain');
      const next = page.getByRole('button', { name: 'Review' });
      await page.getByText('valid', { exact: true }).waitFor();

      await domain.fill('Shop_1');
      await page.getByText('1 problem').waitFor();
      await page.getByText('Use a DNS name').first().waitFor();
      expect(await next.isDisabled()).toBe(true);
      expect(await page.locator('.cm-content').textContent()).toContain('dnsBaseDomain: Shop_1');

      await domain.fill('shop.nova.local');
      // Only the server knows that another cluster uses the network.
      const network = page.locator('#spec-clusterConfiguration-nodeNetwork');
      await network.fill(site.network);
      await page.getByText(/demo/).first().waitFor();
      await page.getByText('1 problem').waitFor();
      await network.fill('10.20.77.0/24');
      await page.getByText('valid', { exact: true }).waitFor();

      // Edits in the text appear in the fields.
      await page.locator('.cm-line', { hasText: 'memory: 4Gi' }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('3Gi');
      await expect.poll(() => page.locator('#spec-nodeGroups-0-memory').inputValue()).toBe('3Gi');

      await next.click();
      await page.getByText('Nothing has been created yet.').waitFor();
      await page.getByText('shop-main-1').first().waitFor();
      expect((await site.local.listClusters({ query: {} })).clusters.map(({ name }) => name)).not.toContain('shop');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Create shop' }).waitFor();
      await page.getByText('Failed at network').waitFor();
      await page.getByRole('link', { name: 'Change', exact: true }).click();
      await page.getByRole('region', { name: 'Machines' }).getByText('shop-main-1').waitFor();
      const { documents } = await site.local.showCluster({ params: { cluster: 'shop' } });
      expect(documents).toContain('memory: 3Gi');
    });
  });

  test('editing documents shows the change first, keeps hidden secrets, and warns if someone else saved first', async () => {
    const documents = documentsOf('edited', { network: '10.20.76.0/24', proxyPassword: 'swordfish' });
    const params = { cluster: 'edited' };
    const { operation } = await site.local.declareCluster({ params, body: { documents } });
    await site.universe.parts.operations.ended(operation?.id ?? 0);
    await visit('operator', async (page) => {
      await page.goto('/clusters/edited/documents');
      await page.getByRole('button', { name: 'Edit' }).click();
      const lines = page.locator('.cm-content');
      await expect.poll(() => lines.textContent()).toContain('******');
      expect(await page.content()).not.toContain('swordfish');
      const memory = page.locator('#spec-nodeGroups-0-memory');
      await memory.fill('5Gi');
      await expect.poll(() => lines.textContent()).toContain('memory: 5Gi');
      const look = page.getByRole('button', { name: 'Review changes' });
      const apply = page.getByRole('button', { name: 'Apply' });
      await page.getByText('valid', { exact: true }).waitFor();
      await look.click();
      await page.getByText('Nothing has changed yet.').waitFor();
      await page.getByText(`operation ${operation?.id} is incomplete`).waitFor();
      expect((await site.local.showCluster({ params })).documents).not.toContain('5Gi');

      // Another user saves first.
      const other = documentsOf('edited', { network: '10.20.76.0/24', proxyPassword: 'marlin', workers: 1 });
      const faster = await site.local.declareCluster({ params, body: { documents: other } });
      await site.universe.parts.operations.ended(faster.operation?.id ?? 0);
      await apply.click();
      await page.getByText('The change is not possible.').waitFor();
      expect((await site.local.showCluster({ params })).documents).not.toContain('5Gi');

      await page.goto('/clusters/edited/edit');
      await memory.fill('6Gi');
      await expect.poll(() => lines.textContent()).toContain('memory: 6Gi');
      await page.getByText('valid', { exact: true }).waitFor();
      await look.click();
      await apply.click();
      await page.getByRole('heading', { level: 1, name: 'Create edited' }).waitFor();
      expect((await site.local.showCluster({ params })).documents).toMatch(/memory: 6Gi.*name: work/s);
      const { clusters } = site.universe.parts;
      const { secrets } = await clusters.read('edited', await clusters.scaled('edited', {}));
      expect(secrets.proxy?.http?.password).toBe('marlin');
    });
  });

  test('an operation updates live, and the page reconnects after the server restarts', async () => {
    await visit('operator', async (page) => {
      const documents = documentsOf('watched', { network: '10.20.78.0/24' });
      const { operation } = await site.local.declareCluster({ params: { cluster: 'watched' }, body: { documents } });
      await site.universe.parts.operations.ended(operation?.id ?? 0);
      const agent = await site.enrolled('watched-main-1');
      const { id } = await site.local.runAgents({ params: { cluster: 'watched' }, body: { isNoop: false } });
      await page.goto(`/operations/${id}`);
      await page.getByText('Running').first().waitFor();
      const order = await agent.order(10);
      const log = agent.openLog(order.id);
      log.write('Notice: the first line\n');
      await page.getByText('Notice: the first line').waitFor();

      await site.stop();
      await page.getByText('Universe is unreachable.').waitFor();
      await site.start();
      await expect.poll(() => page.getByText('Universe is unreachable.').count(), { timeout: 20_000 }).toBe(0);
      await log.end().catch(() => undefined);
      const again = await agent.order(20);
      const second = agent.openLog(again.id);
      second.write('Notice: the second line\nexit 0\n');
      await second.end();
      await page.getByText('Done', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Log', exact: true }).click();
      await page.getByText('Notice: the first line').waitFor();
      await page.getByText('Notice: the second line').waitFor();
      await page.reload();
      await page.getByText('Notice: the second line').waitFor();
    });
  });

  test('events missed while disconnected appear after reconnecting', async () => {
    await visit('operator', async (page) => {
      const documents = documentsOf('missed', { network: '10.20.79.0/24' });
      const { operation } = await site.local.declareCluster({ params: { cluster: 'missed' }, body: { documents } });
      await site.universe.parts.operations.ended(operation?.id ?? 0);
      const agent = await site.enrolled('missed-main-1');
      const { id } = await site.local.runAgents({ params: { cluster: 'missed' }, body: { isNoop: false } });
      await page.goto(`/operations/${id}`);
      await page.getByText('Running').first().waitFor();
      // Existing connections break with the server, and new ones are blocked.
      await page.context().route('**/api/**', (route) => route.abort());
      await site.restart();
      await page.getByText('Universe is unreachable.').waitFor();
      const log = agent.openLog((await agent.order(20)).id);
      log.write('Notice: written while Universe was unreachable\nexit 0\n');
      await log.end();
      expect(await site.universe.parts.operations.ended(id)).toMatchObject({ state: 'done' });
      await page.context().unroute('**/api/**');
      await page.getByText('Done', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Log', exact: true }).click();
      await page.getByText('Notice: written while Universe was unreachable').waitFor();
    });
  });

  test('a removed user sees the login page at once', async () => {
    await visit('admin', async (page) => {
      await site.local.createUser({ body: { name: 'guest', role: 'viewer', password: testPassword } });
      const context = await openContext(browser, site.address);
      const other = await context.newPage();
      await logIn(other, 'guest', testPassword);
      await page.goto('/users');
      await page.getByRole('button', { name: 'Remove guest' }).click();
      const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
      expect(await remove.isDisabled()).toBe(true);
      await page.getByRole('dialog').getByRole('textbox').fill('guest');
      await remove.click();
      await expect.poll(() => page.getByText('guest').count()).toBe(0);
      await other.getByRole('link', { name: 'Nodes' }).click();
      await other.getByRole('heading', { name: 'Log in' }).waitFor();
      await context.close();
    });
  });

  test('modules show what they wait for, and enabling one shows the change first', async () => {
    await visit('operator', async (page) => {
      await page.goto('/clusters/demo/modules');
      const row = (module: string) => page.getByRole('row').filter({ has: page.getByText(module, { exact: true }) });
      const states = { ingress: 'no image for traefik', 'nova-dns': 'is not ready', 'local-path': 'Ready' };
      for (const [module, state] of Object.entries(states)) await row(module).getByText(state).first().waitFor();
      // Base modules cannot be switched.
      expect(await row('local-path').getByRole('button').count()).toBe(0);
      await page.getByRole('button', { name: 'Enable metrics-server' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('+ metrics-server').waitFor();
      // Without machines, no change on this site ever completes.
      await dialog.getByText('is incomplete; this change completes it').waitFor();
      const declared = async () => (await site.local.showCluster({ params: { cluster: 'demo' } })).documents;
      expect(await declared()).not.toContain('metrics-server');
      await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Create demo' }).waitFor();
      expect(await declared()).toContain('metrics-server');
      // The cluster's overview also shows the problem.
      await page.goto('/clusters/demo');
      await page.getByText('The module ingress is not ready: no image for traefik').waitFor();
      await page.getByText(/^[\d.]+ shop\.demo\.nova\.local$/).waitFor();
    });
  });

  test('a release shows its content and its clusters', async () => {
    await visit('viewer', async (page) => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Releases' }).click();
      const release = page.getByRole('row').filter({ hasText: '0.1.0' });
      await release.getByText('newest').waitFor();
      await release.getByRole('link', { name: 'demo' }).waitFor();
      await release.getByRole('link', { name: '0.1.0' }).click();
      const images = page.getByRole('table', { name: 'Images' });
      const traefik = images.getByRole('row').filter({ hasText: 'traefik' });
      await traefik.getByText('ingress').waitFor();
      await traefik.getByText('sha256:').first().waitFor();
      await page.goto('/releases/9.9.9');
      await page.getByText('NOVA8404').waitFor();
    });
  });

  test('events of a cluster arrive live and can be filtered and searched', async () => {
    await visit('viewer', async (page) => {
      await page.goto('/clusters/demo/events');
      const rows = page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');
      await rows.filter({ hasText: 'Back-off pulling image "traefik" × 14' }).waitFor();
      await rows.filter({ hasText: 'Operation 1' }).first().waitFor();
      site.kubernetes.addEvent('Pod', 'web-1', 'shop', 'Warning', 'OOMKilled', 'it took too much', 0);
      await rows.first().getByText('OOMKilled').waitFor();
      await page.getByRole('button', { name: 'Warnings' }).click();
      await expect.poll(() => rows.filter({ hasText: 'Pulled' }).count()).toBe(0);
      await page.getByRole('textbox', { name: 'Search' }).fill('shop/web');
      await expect.poll(() => rows.count()).toBe(1);
    });
  });

  test('a cluster without delivery or without a reachable API says so', async () => {
    await visit('viewer', async (page) => {
      // No server listens in this network.
      const documents = documentsOf('bare', { network: '127.255.254.0/24' }).replace(
        '"clusterConfiguration":{',
        '$&"delivery":"none",',
      );
      const { operation } = await site.local.declareCluster({ params: { cluster: 'bare' }, body: { documents } });
      await site.universe.parts.operations.ended(operation?.id ?? 0);
      await page.goto('/clusters/bare/modules');
      await page.getByText('This cluster has no modules').waitFor();
      await page.goto('/clusters/bare/events');
      await page.getByText('Kubernetes events are not available.').waitFor();
      await page.getByText('The API of bare does not respond').waitFor();
      await page
        .getByRole('link', { name: `Operation ${operation?.id}` })
        .first()
        .waitFor();
    });
  });

  test('a token is shown once', async () => {
    await visit('viewer', async (page) => {
      await page.goto('/tokens');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByLabel('Purpose').fill('monitoring');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const shown = page.getByRole('dialog').getByRole('textbox', { name: 'Token' });
      const token = await shown.inputValue();
      expect((await site.send('/api/v1/whoami', { token })).json).toEqual({ user: 'viewer', role: 'viewer' });
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('monitoring', { exact: true }).waitFor();
      expect(await page.content()).not.toContain(token);
    });
  });

  // Only keys from here on: no clicks, and no filled fields.
  describe('by keyboard alone', () => {
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

    test('a user logs in, skips the menu and opens a page', async () => {
      const context = await openContext(browser, site.address);
      const page = await context.newPage();
      await page.goto('/');
      await expect.poll(async () => (await focused(page))?.id).toBe('user');
      expect(await page.title()).toBe('Log in · Nova');
      await page.keyboard.type('admin');
      await page.keyboard.press('Tab');
      await page.keyboard.type(testPassword);
      await page.keyboard.press('Enter');
      await heading(page, 'Overview');

      const skip = await goTo(page, 'Skip to content', 'Tab', 1);
      expect(skip.isSeen).toBe(true);
      await page.keyboard.press('Enter');
      expect(await focused(page)).toMatchObject({ id: 'content' });
      // The first control of the page itself, after the navigation.
      await goTo(page, 'Create cluster', 'Tab', 1);

      await goTo(page, 'Nodes', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await heading(page, 'Nodes');
      expect(await focused(page)).toMatchObject({ id: 'content' });
      expect(await page.title()).toBe('Nodes · Nova');
      await settled(page);
      await goTo(page, 'Search', 'Tab', 1);
      await goTo(page, 'Overview', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await heading(page, 'Overview');
      expect(await focused(page)).toMatchObject({ id: 'content' });
      expect(await page.title()).toBe('Overview · Nova');
      expect(context.failures).toEqual([]);
      await context.close();
    });

    test('a user walks the wizard: template, fields, YAML, review, and back', async () => {
      await visit('operator', async (page) => {
        await page.goto('/clusters/new');
        await settled(page);
        await goTo(page, /^One node for everything/);
        await page.keyboard.press('ArrowDown');
        expect((await focused(page))?.id).toBe('template-ha');
        await page.keyboard.press('ArrowUp');
        await goTo(page, /^Machine provider/);
        await goTo(page, /^Base domain/);
        await page.keyboard.type('keys.nova.local');
        await goTo(page, 'Next');
        await page.keyboard.press('Enter');

        // The focus is in the next step.
        await expect.poll(async () => (await focused(page))?.name).toBe('Documents');
        expect(await goTo(page, /^dnsBaseDomain/)).toMatchObject({ isSeen: true });
        await goTo(page, /^nodeNetwork/);
        await page.keyboard.press('Control+a');
        await page.keyboard.type('10.20.90.0/24');
        await page.getByText('valid', { exact: true }).waitFor();

        const next = page.getByRole('button', { name: 'Review' });
        /** Waits until the server has checked the last change. */
        const checked = async () => {
          await page.waitForTimeout(1500);
          await expect.poll(() => next.isEnabled(), { timeout: 20_000 }).toBe(true);
        };
        const editor = await goTo(page, 'Documents as YAML');
        // The page explains how to leave the editor, visibly and for screen readers.
        const wayOut = 'To leave the editor press Escape, then Tab.';
        await page.getByText(wayOut).waitFor();
        expect(editor.html).toContain(wayOut);
        await page.keyboard.press('Control+End');
        await page.keyboard.type('# keys');
        await page.keyboard.press('Tab');
        expect((await focused(page))?.name).toBe('Documents as YAML');
        await page.getByText('valid', { exact: true }).waitFor();
        await page.keyboard.press('Escape');
        // The user may take any time; the library allows only two seconds.
        await page.waitForTimeout(2500);
        await checked();
        await goTo(page, 'Review', 'Tab', 2);
        // The same backwards, into the editor and out of it; Escape is valid only once.
        await goTo(page, 'Documents as YAML', 'Shift+Tab', 2);
        await page.keyboard.press('Shift+Tab');
        expect((await focused(page))?.name).toBe('Documents as YAML');
        await checked();
        await page.keyboard.press('Escape');
        await goTo(page, 'Review', 'Tab', 2);
        await page.keyboard.press('Enter');
        await page.getByText('Nothing has been created yet.').waitFor();
        await page.getByText('10.20.90.0/24').first().waitFor();
        await expect.poll(async () => (await focused(page))?.name).toBe('Review');
        await goTo(page, 'Back');
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await focused(page))?.name).toBe('Documents');
        await goTo(page, 'Documents as YAML');
        await page.keyboard.press('Escape');
        await goTo(page, 'Back', 'Tab', 3);
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await focused(page))?.name).toBe('Template');
      });
    });

    test('arrows walk a menu; a dialog keeps the focus and returns it', async () => {
      await visit('operator', async (page) => {
        await page.goto('/clusters/demo');
        await settled(page);
        const openMenu = async () => {
          await page.keyboard.press('Enter');
          await expect.poll(async () => (await focused(page))?.name).toMatch(/^Scale/);
        };
        await goTo(page, 'Actions');
        await openMenu();
        await page.keyboard.press('Escape');
        await expect.poll(async () => (await focused(page))?.name).toBe('Actions');

        await openMenu();
        await goTo(page, /^Destroy/, 'ArrowDown', 5);
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.waitFor();
        const isInside = () => dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement));
        await expect.poll(isInside).toBe(true);
        // Forwards and backwards, around the whole cycle.
        for (const key of ['Tab', 'Shift+Tab']) {
          const stops = new Set<string>();
          for (let press = 0; press < 8; press += 1) {
            await page.keyboard.press(key);
            const stop = await focused(page);
            expect(await isInside()).toBe(true);
            expect(stop).toMatchObject({ isSeen: true });
            stops.add(stop?.name ?? '');
          }
          expect([...stops].toSorted()).toEqual(['Cancel', 'Close', 'Type demo to confirm']);
        }
        await page.keyboard.press('Escape');
        await expect.poll(() => dialog.count()).toBe(0);
        expect((await focused(page))?.name).toBe('Actions');

        // The scale dialog is loaded on demand.
        await openMenu();
        await page.keyboard.press('Enter');
        await dialog.waitFor();
        await expect.poll(isInside).toBe(true);
        await goTo(page, 'More nodes in work');
        await page.keyboard.press('Enter');
        await dialog.getByText('demo-work-3').first().waitFor();
        await goTo(page, 'Cancel');
        await page.keyboard.press('Enter');
        await expect.poll(() => dialog.count()).toBe(0);
        expect((await focused(page))?.name).toBe('Actions');
      });
    });

    test('an irreversible action is confirmed by typing, and the focus survives its row', async () => {
      await visit('admin', async (page) => {
        await site.local.createUser({ body: { name: 'leaver', role: 'viewer', password: testPassword } });
        await page.goto('/users');
        await settled(page);
        await goTo(page, 'Remove leaver');
        await page.keyboard.press('Enter');
        await goTo(page, 'Type leaver to confirm');
        await page.keyboard.type('leaver');
        await page.keyboard.press('Enter');
        await expect.poll(() => page.getByText('leaver').count()).toBe(0);
        await expect.poll(async () => (await focused(page))?.name).toBe('Users');
      });
    });

    test('a user searches and sorts a list and opens a row', async () => {
      await visit('viewer', async (page) => {
        await page.goto('/nodes');
        await settled(page);
        const names = () => page.locator('tbody tr td:first-child').allTextContents();
        const all = (await names()).filter((name) => name.startsWith('demo-'));
        expect(all).toEqual(['demo-main-1', 'demo-work-1', 'demo-work-2']);
        await goTo(page, 'Search');
        await page.keyboard.type('demo-');
        await expect.poll(names).toEqual(all);
        await goTo(page, 'Node↕');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Space');
        await expect.poll(names).toEqual(all.toReversed());
        expect((await focused(page))?.name).toMatch(/^Node/);
        expect(await page.locator('th[aria-sort=descending]').textContent()).toMatch(/^Node/);
        await goTo(page, 'Clear', 'Shift+Tab');
        await page.keyboard.press('Enter');
        expect((await focused(page))?.name).toBe('Search');
        await goTo(page, 'demo-main-1');
        await page.keyboard.press('Enter');
        await heading(page, 'demo-main-1');
        expect(await focused(page)).toMatchObject({ id: 'content' });
        expect(await page.title()).toBe('Overview · demo-main-1 · Nova');
      });
    });

    test('arrows move between tabs, and each tab has its own title', async () => {
      await visit('viewer', async (page) => {
        await page.goto('/clusters/demo');
        await settled(page);
        await goTo(page, 'Topology');
        await goTo(page, 'Nodes', 'ArrowRight', 1);
        await page.keyboard.press('Enter');
        await page.getByRole('columnheader', { name: 'Roles' }).waitFor();
        expect(await page.title()).toBe('Nodes · demo · Nova');
        expect((await focused(page))?.name).toBe('Nodes');
        await goTo(page, 'Overview', 'Home', 1);
        await goTo(page, 'Documents', 'ArrowLeft', 1);
        await page.keyboard.press('Enter');
        // The editor is loaded on demand.
        await page.locator('.cm-content').waitFor();
        await goTo(page, 'Documents of the cluster');
        expect(await page.title()).toBe('Documents · demo · Nova');
        // A read-only editor does not capture keys.
        await page.keyboard.press('Tab');
        expect((await focused(page))?.name).not.toBe('Documents of the cluster');
        await page.goto('/nowhere');
        await heading(page, 'Page not found');
        expect(await page.title()).toBe('Page not found · Nova');
      });
    });
  });
});
