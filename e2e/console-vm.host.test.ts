import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openContext } from './console/browser.ts';
import { litPixels } from './console/inspect.ts';
import { wordsOf } from './console/words.ts';
import { temporaryFolder } from './nova-ctl.ts';
import { clusterManifest, platformOf } from './platform.ts';

// A VM in the console: a real browser, a real Universe and a real engine. Without KVM a VM boots in about half a minute.

const minute = 60_000;
const folder = temporaryFolder();
const { ctl, done } = platformOf(folder.path);
const note = '/root/note';

let browser: Browser;
let address: string;

beforeAll(async () => {
  address = JSON.parse(await done('up', '--no-cluster', '-o', 'json')).server;
  await done('registry', 'import', 'pause', 'coredns');
  await done('network', 'create', 'lab', '--cidr', '10.30.0.0/24');
  browser = await openBrowser();
}, 10 * minute);

afterAll(async () => {
  await browser?.close();
  await ctl('down', '--purge', '--yes');
  folder.remove();
}, 10 * minute);

describe.each(['en', 'ru'] as const)('in the language %s', (language) => {
  const t = wordsOf(language);
  const [source, template, name] = [`source-${language}`, `ready-${language}`, `web-${language}`];
  const snapshot = `fresh-${language}`;
  let context: BrowserContext & { failures: string[] };
  let page: Page;

  beforeAll(async () => {
    context = await openContext(browser, address, { language });
    page = await context.newPage();
    await page.goto(JSON.parse(await done('console', '-o', 'json')).link);
    await page.locator('.nova-preferences').waitFor();
  }, minute);
  afterAll(() => context?.close());

  const heading = (title: string) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  const button = (title: string) => page.getByRole('button', { name: title, exact: true });
  const link = (title: string) => page.getByRole('link', { name: title, exact: true });
  const dialog = () => page.getByRole('dialog');
  const confirm = async (action: string) => {
    await dialog().getByRole('button', { name: action, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const act = async (action: string) => {
    await button(t('common.actions')).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click();
  };
  const head = (text: string, timeout = minute) =>
    page.locator('.nova-head').getByText(text, { exact: true }).waitFor({ timeout });
  const create = async (machine: string) => {
    await page.getByText(t('declare.nothingCreated')).waitFor();
    await button(t('declare.create')).click();
    await button(t('clusters.openCluster', { name: machine })).click({ timeout: 5 * minute });
    await heading(machine);
  };
  /** Waits until an operation of the machine has ended. */
  const ended = async (title: string) => {
    await link(t('common.operations')).last().click();
    const operation = page.getByRole('row').filter({ hasText: title });
    await operation.getByText(t('common.done'), { exact: true }).waitFor({ timeout: 5 * minute });
  };
  const openSerial = async () => {
    await link(t('nodes.console')).click();
    await button(t('machines.serial')).click();
    await page.getByText(t('nodes.agentConnected'), { exact: true }).waitFor();
    await button(t('machines.enterConsole')).click();
  };
  /** Types into the serial console, whose shell needs no password, until the output appears. */
  const inSerial = async (command: string, output: string) => {
    const shown = page.locator('.xterm-rows').getByText(output, { exact: true }).first();
    await expect
      .poll(
        async () => {
          await page.keyboard.type(`clear; ${command}\n`);
          return shown
            .waitFor({ timeout: 5000 })
            .then(() => true)
            .catch(() => false);
        },
        { timeout: 5 * minute },
      )
      .toBe(true);
  };

  test('a stopped machine becomes a template, and the template a running VM', { timeout: 10 * minute }, async () => {
    await link(t('machines.title')).click();
    await button(t('machines.create')).first().click();
    await page.locator('#machine-name').fill(source);
    await page.locator('#machine-image').selectOption('vm');
    await page.locator('#machine-network').selectOption('lab');
    await page.locator('#machine-start').uncheck();
    await create(source);
    await head(t('machines.stopped'));
    await act(t('machines.makeTemplate'));
    await page.locator('#template-name').fill(template);
    await confirm(t('declare.create'));
    await head(t('common.done'), 5 * minute);

    await link(t('storage.templates')).click();
    const row = page.getByRole('row').filter({ hasText: template });
    await row.getByRole('link', { name: t('machines.create') }).click();
    await page.locator('#machine-name').fill(name);
    await page.locator('#machine-network').selectOption('lab');
    await create(name);
    await head(t('machines.running'));
    const machines = JSON.parse(await done('machine', 'list', '-o', 'json')) as object[];
    expect(machines).toContainEqual(expect.objectContaining({ name, kind: 'vm', image: template }));
  });

  test('its screen shows a picture and takes keys', { timeout: 10 * minute }, async () => {
    await link(t('nodes.console')).click();
    await page.getByText(t('nodes.agentConnected'), { exact: true }).waitFor();
    const canvas = page.getByRole('application', { name: t('machines.screenOf', { name }) });
    // The prompt of a login.
    await expect.poll(() => litPixels(canvas), { timeout: 5 * minute }).toBeGreaterThan(500);
    const before = await litPixels(canvas);
    await button(t('machines.enterConsole')).click();
    await expect
      .poll(
        async () => {
          await page.keyboard.type('ann\n');
          return litPixels(canvas);
        },
        { timeout: 5 * minute },
      )
      .toBeGreaterThan(before + 100);
    await page.keyboard.press('Shift+Escape');
  });

  test('its serial console is a shell', { timeout: 10 * minute }, async () => {
    await openSerial();
    await inSerial('echo answer-$((6 * 7))', 'answer-42');
    await inSerial(`echo kept > ${note}; sync; cat ${note}`, 'kept');
    await page.keyboard.press('Shift+Escape');
  });

  test('a restored snapshot has the old content of a file', { timeout: 15 * minute }, async () => {
    await link(t('machines.snapshots')).click();
    await button(t('machines.createSnapshot')).click();
    await page.locator('#snapshot-name').fill(snapshot);
    await confirm(t('declare.create'));
    const restore = button(t('machines.restoreNamed', { name: snapshot }));
    await restore.waitFor({ timeout: 2 * minute });
    await openSerial();
    await inSerial(`echo lost > ${note}; sync; cat ${note}`, 'lost');
    await page.keyboard.press('Shift+Escape');

    await act(t('clusters.stop'));
    await confirm(t('clusters.stop'));
    await head(t('machines.stopped'), 3 * minute);
    await link(t('machines.snapshots')).click();
    await restore.click();
    await confirm(t('machines.restore'));
    await ended(`${t('machines.restore')} `);
    await button(t('clusters.start')).click();
    await ended(`${t('clusters.start')} `);
    await openSerial();
    await inSerial(`cat ${note}`, 'kept');
    await page.keyboard.press('Shift+Escape');
    await act(t('machines.delete'));
    await page.locator('#typed-name').fill(name);
    await confirm(t('machines.delete'));
    await head(t('common.done'));
  });

  test('a cluster is created in the same console', { timeout: 15 * minute }, async () => {
    const cluster = `shop-${language}`;
    await link(t('common.clusters')).first().click();
    await button(t('common.createCluster')).first().click();
    await page.locator('#cluster-name').fill(cluster);
    await button(t('declare.next')).click();
    await page.getByText(t('declare.valid'), { exact: true }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(clusterManifest(cluster, '10.48.0.0/24'));
    await page.getByText(t('declare.valid'), { exact: true }).waitFor();
    await button(t('declare.toReview')).click();
    await page.getByText(t('declare.nothingCreated')).waitFor();
    await button(t('declare.create')).click();
    await head(t('common.done'), 5 * minute);
    await button(t('clusters.openCluster', { name: cluster })).click();
    await head(t('common.ready'), 2 * minute);
    expect(context.failures).toEqual([]);
    await done('destroy', cluster, '--yes');
  });
});
