import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Look, settled } from './console/browser.ts';
import { browser, describeOnHost, site } from './console/harness.ts';
import { violations } from './console/inspect.ts';
import { focused, goTo } from './console/keyboard.ts';
import { type Visit, visitAs } from './console/visit.ts';
import { wordsOf } from './console/words.ts';

// Machines in the console: a real browser and a real Universe, with an engine in memory.
describeOnHost('machines in the console', () => {
  const visit: Visit = (role, work, look) => visitAs(browser, site.address, role, work, look);
  const host = () => {
    if (!site.host) throw new Error('the site has no host');
    return site.host;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const act = async (page: Page, menu: string, entry: string) => {
    await button(page, menu).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click();
  };

  const restored = (name: string) =>
    expect
      .poll(async () => {
        const query = { cluster: `machine.${name}`, limit: 1 };
        const [newest] = (await site.local.listOperations({ query })).operations;
        return [newest?.kind, newest?.state];
      })
      .toEqual(['snapshot.restore', 'done']);

  const looks: Look[] = [
    { language: 'en', theme: 'light' },
    { language: 'ru', theme: 'dark' },
  ];
  test.for(looks)(
    'a template becomes a machine with a console, a snapshot of it is restored, and a cluster is next: %o',
    { timeout: 300_000 },
    async (look) => {
      const t = wordsOf(look.language ?? 'en');
      const name = `walk-${look.language}-${look.theme}`;
      const check = async (page: Page, step: string) => {
        await settled(page);
        expect(await violations(page), step).toEqual([]);
      };
      await visit(
        'admin',
        async (page) => {
          await page.getByRole('link', { name: t('storage.templates'), exact: true }).click();
          const row = page.getByRole('row').filter({ hasText: 'web-server' });
          await row.getByRole('link', { name: t('machines.create') }).click();
          await heading(page, t('machines.createTitle'));
          expect(await page.locator('#machine-image').inputValue()).toBe('web-server');
          // The template's content needs more than the usual disk.
          await expect.poll(() => page.locator('#machine-disk').inputValue()).toBe('12');
          await page.locator('#machine-name').fill(name);
          await page.locator('#machine-keys').fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ann');
          await page.getByText(t('declare.nothingCreated')).waitFor();
          await check(page, 'create');
          await button(page, t('declare.create')).click();
          await button(page, t('clusters.openCluster', { name })).click();
          await heading(page, name);
          expect(host().machines.get(name)).toMatchObject({ kind: 'vm', image: 'web-server', diskMebibytes: 12_288 });
          await check(page, 'overview');

          await page.getByRole('link', { name: t('nodes.console'), exact: true }).click();
          await page.getByText(t('nodes.agentConnected'), { exact: true }).waitFor();
          await page.getByRole('application', { name: t('machines.screenOf', { name }) }).click();
          await page.keyboard.press('q');
          await expect.poll(() => host().keys).toContain('q'.charCodeAt(0));
          await check(page, 'screen');
          await button(page, t('machines.serial')).click();
          await page.getByText(`${name} login:`).waitFor();
          await button(page, t('machines.enterConsole')).click();
          await page.keyboard.type('root');
          await page.getByText(`${name} login: root`).first().waitFor();
          await page.keyboard.press('Shift+Escape');
          await check(page, 'serial');

          await page.getByRole('link', { name: t('machines.snapshots'), exact: true }).click();
          await button(page, t('machines.createSnapshot')).click();
          await page.locator('#snapshot-name').fill('fresh');
          await button(page, t('declare.create')).click();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          const restore = button(page, t('machines.restoreNamed', { name: 'fresh' }));
          await restore.waitFor();
          // Only a stopped machine can be restored.
          expect(await restore.getAttribute('aria-disabled')).toBe('true');
          await page.getByText(t('machines.restoreStopped')).waitFor();
          await act(page, t('common.actions'), t('clusters.stop'));
          await page
            .getByRole('dialog')
            .getByRole('button', { name: t('clusters.stop') })
            .click();
          await page.getByText(t('machines.stopped'), { exact: true }).waitFor();
          await check(page, 'snapshots');
          await restore.click();
          await page.getByText(t('machines.restoreKeeps')).waitFor();
          await check(page, 'restore');
          await page
            .getByRole('dialog')
            .getByRole('button', { name: t('machines.restore'), exact: true })
            .click();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          await restored(name);

          await page.getByRole('link', { name: t('common.clusters'), exact: true }).click();
          await button(page, t('common.createCluster')).click();
          await heading(page, t('declare.createTitle'));
        },
        look,
      );
    },
  );

  test('the keyboard alone creates a machine, uses its console and leaves it, and restores a snapshot', async () => {
    await visit('admin', async (page) => {
      const press = async (name: string, key = 'Tab') => {
        await goTo(page, name, key);
        await page.keyboard.press('Enter');
      };
      const dialogEnds = () => page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto('/machines/new?image=debian');
      await settled(page);
      await goTo(page, 'Name');
      await page.keyboard.type('keys');
      await page.getByText('Nothing has been created yet.').waitFor();
      await press('Create');
      await button(page, 'Open keys').waitFor();
      await press('Open keys');
      await heading(page, 'keys');
      await settled(page);

      await goTo(page, 'Disks');
      await press('Console', 'ArrowRight');
      await page.getByText('Connected', { exact: true }).waitFor();
      await press('Type in the console');
      // The machine gets Tab too.
      await page.keyboard.press('Tab');
      await expect.poll(() => host().keys).toContain(0xff09);
      await page.keyboard.press('Shift+Escape');
      await goTo(page, 'Reconnect');

      await press('Snapshots');
      await button(page, 'Create snapshot').waitFor();
      await press('Create snapshot');
      await expect.poll(async () => (await focused(page))?.id).toBe('snapshot-name');
      await page.keyboard.type('fresh');
      await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Create' }).isEnabled()).toBe(true);
      await page.keyboard.press('Enter');
      await dialogEnds();
      await button(page, 'Restore fresh').waitFor();

      await press('Actions');
      await expect.poll(async () => (await focused(page))?.name).toMatch(/^Stop/);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await focused(page))?.name).toBe('Cancel');
      await press('Stop');
      await dialogEnds();
      await page.getByText('Stopped', { exact: true }).waitFor();
      await press('Restore fresh');
      await expect.poll(async () => (await focused(page))?.name).toBe('Cancel');
      await press('Restore');
      await dialogEnds();
      await restored('keys');
    });
  });

  test('the server checks a new machine, and problems are shown at their fields', async () => {
    await visit('admin', async (page) => {
      await page.goto('/machines/new');
      await page.getByText('Nothing has been created yet.').waitFor();
      const create = button(page, 'Create');
      await page.locator('#machine-name').fill('web');
      await page.locator('#machine-name-help').getByText('The machine web already exists').waitFor();
      expect(await create.isDisabled()).toBe(true);
      await page.locator('#machine-name').fill('other');
      await page.locator('#machine-memory').fill('400');
      await page.locator('#machine-memory-help').waitFor();
      await page.getByText('1 problem').waitFor();
      await page.locator('#machine-memory').fill('2');
      await page.locator('#machine-address').fill('10.30.0.1');
      await page.locator('#machine-address-help').waitFor();
      await page.locator('#machine-network').selectOption({ label: 'No network' });
      await page.getByText('Nothing has been created yet.').waitFor();
      expect(await create.isDisabled()).toBe(false);
      expect(await page.locator('.nova-summary').textContent()).toMatch(
        /Memory: 2.GiB · \d+.GiB available on the host/,
      );
    });
  });

  test('a machine of a cluster leads to its cluster, and its actions are disabled with the reason', async () => {
    await visit('admin', async (page) => {
      await page.goto('/machines/demo-main-1');
      await page.getByRole('link', { name: 'Open demo' }).waitFor();
      await button(page, 'Actions').click();
      for (const name of ['Stop', 'Resize', 'Delete']) {
        const entry = page.getByRole('menuitem', { name });
        expect(await entry.getAttribute('aria-disabled'), name).toBe('true');
        expect(await entry.textContent()).toContain('This machine belongs to the cluster demo');
      }
      await page.goto('/machines/demo-main-1/disks');
      await settled(page);
      expect(await button(page, 'Create disk').count()).toBe(0);
    });
  });

  test('disks are created, attached, grown, detached and deleted', async () => {
    host().addMachine('disky', 'lab');
    const { disks } = host();
    await visit('admin', async (page) => {
      const dialog = page.getByRole('dialog');
      const confirm = async (name: string) => {
        await dialog.getByRole('button', { name, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await page.goto('/machines/disky/disks');
      await button(page, 'Create disk').click();
      await page.locator('#disk-name').fill('logs');
      await page.locator('#disk-size').fill('5');
      await expect.poll(() => dialog.getByRole('button', { name: 'Create' }).isEnabled()).toBe(true);
      await confirm('Create');
      await page.getByText('/mnt/logs').waitFor();
      expect(disks.get('logs')).toMatchObject({ format: 'filesystem', sizeMebibytes: 5120, machine: 'disky' });
      await button(page, 'Grow logs').click();
      expect(await dialog.getByRole('button', { name: 'Grow' }).isDisabled()).toBe(true);
      await page.locator('#grow-size').fill('6');
      await confirm('Grow');
      await page.getByText(/^6.GiB$/).waitFor();
      await button(page, 'Detach logs').click();
      await confirm('Detach');
      await page.goto('/storage');
      await button(page, 'Delete logs').click();
      await page.locator('#typed-name').fill('logs');
      await confirm('Delete');
      await expect.poll(() => disks.has('logs')).toBe(false);
    });
  });

  test('a new network gets free addresses, and only an empty one is deleted', async () => {
    await visit('admin', async (page) => {
      await page.goto('/networks');
      await button(page, 'Create network').click();
      await page.locator('#network-name').fill('office');
      const proposed = /Default: (\S+)/;
      await expect.poll(() => page.locator('#network-addresses').getAttribute('placeholder')).toMatch(proposed);
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await heading(page, 'office');
      const taken = [...host().networks.values()].filter(({ name }) => name !== 'office').map(({ network }) => network);
      expect(taken).not.toContain(host().networks.get('office')?.network);
      await button(page, 'Delete network').click();
      await page.locator('#typed-name').fill('office');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete network' }).click();
      await heading(page, 'Networks');
      expect(host().networks.has('office')).toBe(false);
      await page.goto('/networks/lab');
      await button(page, 'Delete network').click();
      await page.locator('#typed-name').fill('lab');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete network' }).click();
      await page.getByText('NOVA7024').waitFor();
    });
  });

  test('a console tells why it ended and why it was refused', async () => {
    const { console: serve, addMachine } = host();
    addMachine('short', 'lab', { kind: 'vm' });
    host().console = (socket) => setTimeout(() => socket.end('bye'), 300);
    await visit('operator', async (page) => {
      await page.goto('/machines/short/console');
      await page.getByText('The machine or its console has stopped.').waitFor();
      await page.route('**/api/v1/machines/short', async (route) =>
        route.fulfill({ json: { ...(await (await route.fetch()).json()), state: 'running' } }),
      );
      addMachine('short', 'lab', { kind: 'vm', state: 'stopped' });
      await button(page, 'Reconnect').click();
      await page.getByText('NOVA7011').waitFor();
    });
    host().console = serve;
    await visit('viewer', async (page) => {
      await page.goto('/machines/web/console');
      await page.getByText('This page requires the role operator. Your role is viewer.').waitFor();
    });
  });

  test('an operator sees the log of a node, and only an administrator its console', async () => {
    host().addMachine('demo-vm', 'demo', { kind: 'vm' });
    await visit('operator', async (page) => {
      await page.goto('/machines/demo-vm/console');
      await page.getByText('This page requires the role administrator. Your role is operator.').waitFor();
      await button(page, 'Log').click();
      await page
        .getByRole('log')
        .or(page.getByRole('region', { name: 'Console' }))
        .first()
        .waitFor();
    });
    await visit('admin', async (page) => {
      await page.goto('/machines/demo-vm/console');
      await page.getByText('Connected', { exact: true }).waitFor();
    });
    host().machines.delete('demo-vm');
  });

  test('the libraries of consoles are loaded with the first console', async () => {
    await visit('operator', async (page) => {
      const files: string[] = [];
      page.on('request', (request) => files.push(request.url()));
      const isLibrary = (file: string) => /\/(screen|serial)-/.test(file);
      await page.goto('/machines/web');
      await settled(page);
      expect(files.filter(isLibrary)).toEqual([]);
      await page.goto('/machines/web/console');
      await page.getByText('Connected', { exact: true }).waitFor();
      expect(files.filter(isLibrary)).toEqual([expect.stringContaining('/screen-')]);
    });
  });

  test('a list of 1,000 machines renders only the visible ones, and filters and sorts them', async () => {
    for (let number = 1; number <= 1000; number += 1)
      host().addMachine(`many-${number}`, 'quiet', {
        cpu: (number % 8) + 1,
        ...(number % 10 === 0 && { kind: 'vm', state: 'stopped' }),
      });
    await visit('viewer', async (page) => {
      await page.goto('/machines');
      await settled(page);
      const rows = page.getByRole('main').locator('tbody tr[data-index]');
      expect(await rows.count()).toBeLessThan(60);
      await page
        .getByRole('searchbox', { name: 'Search' })
        .or(page.getByRole('textbox', { name: 'Search' }))
        .fill('many');
      await page.getByText('1,000 of').waitFor();
      await page.getByRole('combobox', { name: 'Filter by kind' }).selectOption({ label: 'VM' });
      await page.getByText('100 of').waitFor();
      await page.getByRole('combobox', { name: 'Filter by state' }).selectOption({ label: 'Running' });
      await page.getByText('No matches').waitFor();
      await page.getByRole('combobox', { name: 'Filter by state' }).selectOption({ label: 'Any state' });
      await button(page, 'Name').click();
      await button(page, 'Name').click();
      await expect.poll(() => rows.first().textContent()).toContain('many-1000');
    });
  });
});
