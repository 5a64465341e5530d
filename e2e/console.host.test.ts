import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openContext } from './console/browser.ts';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { novaCtl, type Outcome, temporaryFolder } from './nova-ctl.ts';

// The whole lifecycle of a cluster in the console, in a real browser, with real machines.
const folder = temporaryFolder();
const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config'), NOVA_CONTEXT: '' };
const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';
const minute = 60_000;

async function done(...args: string[]): Promise<Outcome> {
  const outcome = await novaCtl(args, { env });
  expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome;
}

describe('a cluster in the console', () => {
  let browser: Browser;
  let page: Page;
  let failures: string[];
  let address: string;
  beforeAll(async () => {
    const { server, link } = JSON.parse((await done('up', '-o', 'json')).stdout) as { server: string; link: string };
    await done('component', 'build', 'nettest');
    await done('registry', 'import', 'nettest');
    address = server;
    browser = await openBrowser();
    const context = await openContext(browser, server);
    failures = context.failures;
    page = await context.newPage();
    await page.goto(link);
  });
  afterAll(async () => {
    await browser?.close();
    await novaCtl(['down', '--purge', '--yes'], { env });
    folder.remove();
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const act = async (action: string) => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const operationDone = async () => {
    await page
      .locator('.nova-head')
      .getByText('Done', { exact: true })
      .waitFor({ timeout: 5 * minute });
  };

  test('the link printed by up logs in', async () => {
    await heading('Overview').waitFor();
    await page.locator('.nova-clusters').getByText('Ready').waitFor({ timeout: minute });
    expect(page.url()).not.toContain('code');
  });

  test('is created in the wizard even when Universe is killed meanwhile', {
    timeout: 10 * minute,
  }, async () => {
    await page.getByRole('button', { name: 'Create cluster' }).click();
    await page.getByLabel('Base domain').fill('shop.nova.local');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('#spec-nodeGroups-0-memory').fill('2Gi');
    await page.getByRole('button', { name: 'Add to nodeGroups' }).click();
    await page.locator('#spec-nodeGroups-1-name').fill('work');
    await page.locator('#spec-nodeGroups-1-count').fill('0');
    await page.locator('#spec-nodeGroups-1-memory').fill('1Gi');
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Nothing has been created yet.').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading('Create shop').waitFor();

    await page.locator('.nova-step-running').first().waitFor();
    await done('machine', 'exec', 'universe', '--', 'systemctl', 'kill', '-s', 'KILL', 'nova-universe');
    await page.getByText('Universe is unreachable.').waitFor();
    await page.getByText('Universe is unreachable.').waitFor({ state: 'detached', timeout: minute });
    await operationDone();
    expect(await page.locator('.nova-step-done').count()).toBeGreaterThan(8);
    const shown = JSON.parse((await done('operation', 'list', '-o', 'json')).stdout) as {
      operations: { state: string }[];
    };
    expect(shown.operations[0]).toMatchObject({ state: 'done' });
  });

  test('runs workloads deployed with the downloaded kubeconfig', { timeout: 3 * minute }, async () => {
    await page.goto('/clusters/shop');
    await page.locator('.nova-head').getByText('Ready').waitFor({ timeout: minute });
    await expect
      .poll(() => page.locator('.nova-finding, .nova-fine').allInnerTexts(), { timeout: minute })
      .toEqual([expect.stringContaining('No problems found.')]);
    await page.getByRole('button', { name: 'kubeconfig' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    ]);
    const kubectl: Kubectl = await kubectlWith(folder.path, readFileSync(await file.path(), 'utf8'));
    expect(await kubectl(['create', 'deployment', 'web', '--image', image])).toMatchObject({ exitCode: 0 });
    const ready = await kubectl(['rollout', 'status', 'deployment/web', '--timeout', '100s']);
    expect(ready.stdout).toContain('successfully rolled out');
  });

  test('is scaled', { timeout: 5 * minute }, async () => {
    await act('Scale');
    await page.getByRole('button', { name: 'More nodes in work' }).click();
    await page.getByText('+ shop-work-1').first().waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await heading('Scale shop: work 0 → 1').waitFor();
    await operationDone();
    await page.goto('/clusters/shop/nodes');
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'shop-work-1' }).getByText('Ready').count(), {
        timeout: minute,
      })
      .toBe(1);
  });

  test('shows its modules, events and actual network', { timeout: 4 * minute }, async () => {
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await page.goto('/clusters/shop/modules');
    for (const module of ['local-path', 'ingress', 'nova-dns'])
      await row(module).getByText('Ready').first().waitFor({ timeout: minute });
    await page.getByRole('link', { name: 'Events' }).click();
    await row('Scheduled').filter({ hasText: 'web-' }).first().waitFor();
    await row('Scale shop: work 0 → 1').first().waitFor();
    await page.getByRole('link', { name: 'Topology' }).click();
    await page.getByText('The network is as declared.').waitFor({ timeout: minute });
    await done('machine', 'stop', 'shop-work-1');
    await row('shop-work-1').getByText('Down').waitFor({ timeout: minute });
    await done('machine', 'restart', 'shop-work-1');
    await page.getByText('The network is as declared.').waitFor({ timeout: minute });
  });

  test('shows the reports of its nodes', async () => {
    await page.goto('/nodes/shop-main-1/reports');
    await page.locator('.nova-reports > li').first().waitFor();
    expect(await page.locator('.nova-reports').textContent()).toMatch(/\d+ of \d+ resources changed/);
    await page.getByRole('link', { name: 'Console' }).click();
    await page
      .getByRole('log')
      .getByText(/systemd|Welcome|Reached target/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Run agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/\d+ changed, 0 failed/)
      .waitFor({ timeout: minute });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  });

  test('offers a viewer no changes', async () => {
    await page.goto('/users');
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('ann', { exact: true }).waitFor();
    const context = await openContext(browser, address);
    const other = await context.newPage();
    await other.goto('/clusters/shop');
    await other.locator('#user').fill('ann');
    await other.locator('#password').fill('correct horse battery');
    await other.keyboard.press('Enter');
    await other.locator('.nova-head').getByText('Ready').waitFor({ timeout: minute });
    expect(await other.getByRole('button', { name: 'Actions' }).count()).toBe(0);
    const refused = await other.evaluate(async () => {
      const ask = async (path: string, method: string) =>
        (await fetch(`/api/v1/clusters/shop${path}`, { method })).status;
      return Promise.all([ask('', 'DELETE'), ask('/start', 'POST'), ask('/stop', 'POST')]);
    });
    expect(refused).toEqual([403, 403, 403]);
    await context.close();
  });

  test('is destroyed after its name is typed', { timeout: 5 * minute }, async () => {
    await page.goto('/clusters/shop');
    await act('Destroy');
    const destroy = page.getByRole('dialog').getByRole('button', { name: 'Destroy' });
    expect(await destroy.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill('shop');
    await destroy.click();
    await heading('Destroy shop').waitFor();
    await operationDone();
    await page.getByRole('link', { name: 'Clusters' }).click();
    await page.getByText('demo').first().waitFor();
    expect(await page.getByRole('table').getByText('shop').count()).toBe(0);
    const { stdout } = await done('machine', 'list', '-o', 'json');
    expect(stdout).not.toContain('shop-');
    expect(failures).toEqual([]);
  });
});
