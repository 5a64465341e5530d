import { expect, test } from 'vitest';
import { logIn, openContext, settled } from './console/browser.ts';
import { browser, describeInBrowser, site } from './console/harness.ts';
import { addAxe, violations } from './console/inspect.ts';
import { testPassword } from './console/site.ts';

// Console pages that break, in a real browser against a real Universe without machines.
describeInBrowser('a broken console page', () => {
  const open = async (language: 'en' | 'ru' = 'en') => {
    const context = await openContext(browser, site.address, { language });
    await addAxe(context);
    const page = await context.newPage();
    await logIn(page, 'admin', testPassword);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const navigate = (name: string) =>
      page.getByRole('navigation').first().getByRole('link', { name, exact: true }).click();
    return { context, page, heading, navigate };
  };
  /** A response that the page cannot render. */
  const brokenAnswer = { json: { nodes: [null] } };

  test('shows the error, keeps the navigation and reports to the browser console', async () => {
    const { context, page, heading, navigate } = await open();
    await page.route('**/api/v1/nodes*', (route) => route.fulfill(brokenAnswer));
    await navigate('Nodes');
    await heading('This page cannot be shown');
    await page.getByText(/^.*TypeError: Cannot destructure/).waitFor();
    expect(await page.title()).toBe('This page cannot be shown · Nova');
    expect(context.failures.join('\n')).toMatch(/TypeError: Cannot destructure/);
    expect(await violations(page)).toEqual([]);
    await navigate('Clusters');
    await heading('Clusters');
    await page.getByRole('link', { name: 'demo' }).first().waitFor();
    await context.close();
  });

  test('works again after a retry, and offers a link to the overview', async () => {
    const { context, page, heading, navigate } = await open();
    await page.route('**/api/v1/nodes*', (route) => route.fulfill(brokenAnswer));
    await navigate('Nodes');
    await heading('This page cannot be shown');
    await page.getByRole('main').getByRole('link', { name: 'Go to the overview' }).click();
    await heading('Overview');
    await page.goBack();
    await heading('This page cannot be shown');
    await page.unroute('**/api/v1/nodes*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await heading('Nodes');
    await page.getByRole('link', { name: 'demo-main-1' }).waitFor();
    await context.close();
  });

  test('reloads itself once the server responds again', async () => {
    const { context, heading, navigate } = await open();
    await heading('Overview');
    await context.setOffline(true);
    await navigate('Registry');
    await heading('This page could not be loaded');
    await context.setOffline(false);
    await heading('Registry');
    await context.close();
  });

  test('offers to reload when its files are gone after an update', async () => {
    const { context, page, heading, navigate } = await open('ru');
    const files = /\/assets\/registry-.*\.js$/;
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    // The first time, the page reloads itself.
    const reloaded = page.waitForEvent('load');
    await navigate('Реестр образов');
    await reloaded;
    await heading('Страницу не удалось загрузить');
    expect(await violations(page)).toEqual([]);
    await navigate('Кластеры');
    await heading('Кластеры');
    await navigate('Реестр образов');
    await page.unroute(files);
    await page.getByRole('button', { name: 'Перезагрузить' }).click();
    await heading('Реестр образов');
    await settled(page);
    await context.close();
  });
});
