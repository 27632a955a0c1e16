import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectAccessible, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';

const browser = openBrowser();

/** What the page loads before a person can do anything, as it travels. */
const FIRST_LOAD_BYTES = 150_000;

const SELF = { toolcrib: { self: {} } };
const start = () => startGateway({ name: 'acme', sources: SELF });

/** The heading of the page, where it has the focus: a screen reader says where one is. */
const focusedHeading = (page: Page) =>
  page.evaluate(() => (document.activeElement?.tagName === 'H1' ? document.activeElement.textContent : ''));

it('leads from the address alone to the calls, and names the tab after page and gateway', async () => {
  const { url } = await start();
  const page = await browser.page(url);
  await page.waitForURL(`${url}/calls`);
  await expect.poll(() => page.title()).toBe('Calls · acme');
  await expectAccessible(page);
});

it('is walked through by keyboard: past the navigation, and into each page', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/calls`);
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.getByRole('link', { name: 'Doctor' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/doctor`);
  // a page that is read for the first time comes a moment later
  await expect.poll(() => focusedHeading(page)).toBe('Doctor');
  await page.getByRole('link', { name: 'Calls' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedHeading(page)).toBe('Calls');
});

it('gives the focus back where a dialog is closed, and to the page where what was followed is gone', async () => {
  const running = await start();
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/sources');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const add = page.getByRole('button', { name: 'Add a source' });
  await add.click();
  await page.getByRole('dialog').getByLabel('What it is').waitFor();
  // which says its title; its first button would say “Close”
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('DIALOG');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Add a source');
  await page.getByRole('link', { name: 'toolcrib' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'toolcrib' }).waitFor();
  await expect.poll(() => focusedHeading(page)).toBe('toolcrib');
});

it('lists the keys of each page by ?, and has none of single letters where somebody turns them off', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/calls`);
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  await page.keyboard.press('?');
  await keys.getByText('Holds the list').waitFor();
  await expectAccessible(page);
  await shoot(page, 'keys');
  // a key of the page does nothing below an open dialog
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByLabel('Find').waitFor();
  await page.keyboard.press('?');
  await keys.getByText('To the next tool').waitFor();
  expect(await keys.getByText('Holds the list').count()).toBe(0);
  await page.keyboard.press('Escape');

  await page.goto(`${url}/settings`);
  await page.getByLabel('Single letters act on a page').uncheck();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByLabel('Find').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT');
  expect(await keys.count()).toBe(0);
});

it('keeps its navigation behind a button at 380 px', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/calls`, { width: 380 });
  const settings = page.getByRole('link', { name: 'Settings' });
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  expect(await settings.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await shoot(page, 'menu-narrow');
  await settings.focus();
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Menu');
  await page.keyboard.press('Enter');
  await settings.click();
  await page.waitForURL(`${url}/settings`);
  expect(await settings.isVisible()).toBe(false);
});

it('its menu is seen wherever the page was scrolled to, and closes by every way on', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/settings`, { width: 380 });
  const menu = page.getByRole('button', { name: 'Menu' });
  const calls = page.getByRole('link', { name: 'Calls', exact: true });
  const here = page.getByRole('link', { name: 'Settings', exact: true });
  await page.getByText('Configuration in force').waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await menu.press('Enter');
  expect((await calls.boundingBox())!.y).toBeGreaterThan(0);
  expect((await calls.boundingBox())!.y).toBeLessThan(800);
  // the page that is shown: nothing comes, and it is still told where one is
  await here.press('Enter');
  await here.waitFor({ state: 'hidden' });
  await expect.poll(() => focusedHeading(page)).toBe('Settings');
  await menu.press('Enter');
  await here.focus();
  // what has the focus next would lie below it
  await page.keyboard.press('Tab');
  await here.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

it('forced colours leave what is chosen, and how long a bar is, to be seen', async () => {
  const running = await start();
  const page = await browser.page('about:blank', { context: { forcedColors: 'active' } });
  await signInAsOwner(page, running, '/tokens');
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.locator('[class*=fill]').first().waitFor();
  expect(await ground('[class*=fill]')).not.toBe(await ground('[class*=track]'));
  expect(await ground('nav [aria-current=page]')).not.toBe(await ground('nav a:not([aria-current])'));
  await page.route('**/api/v1/approvals/pending*', (route) => route.fulfill({ json: { pending: 3 } }));
  await page.goto(`${running.url}/approvals`);
  await page.getByRole('link', { name: 'Approvals 3 waiting' }).waitFor();
  // both are the system's: of colours of the page, Firefox takes the ground and leaves white on white
  const count = await page.locator('nav [aria-current=page] > span').evaluate((element) => {
    const probe = document.createElement('i');
    probe.style.cssText = 'background: Canvas; color: CanvasText';
    document.body.append(probe);
    const [own, system] = [element, probe].map((one) => {
      const { color, backgroundColor } = getComputedStyle(one);
      return `${color} on ${backgroundColor}`;
    });
    probe.remove();
    return { own, system };
  });
  expect(count.own).toBe(count.system);
  await page.goto(`${running.url}/usage`);
  await page.getByRole('tab', { name: 'By source' }).waitFor();
  for (const state of ['pressed', 'selected'])
    expect(await ground(`[aria-${state}=true]`)).not.toBe(await ground(`[aria-${state}=false]`));
});

it('has room for the way out and the menu beside a long name at 380 px', async () => {
  const running = await startGateway({ name: 'gateway-of-the-accounting-department', sources: SELF });
  const page = await browser.page(running.url, { width: 380 });
  await signInAsOwner(page, running);
  const box = async (name: string) => (await page.getByRole('button', { name }).boundingBox())!;
  const [out, menu] = [await box('Sign out'), await box('Menu')];
  expect(out.x + out.width).toBeLessThanOrEqual(menu.x);
  expect(menu.x + menu.width).toBeLessThanOrEqual(380);
});

it('says so where there is no such page', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/calls`);
  await page.evaluate(() => {
    history.pushState(null, '', '/nowhere');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByText('There is no such page').waitFor();
});

it('loads at most 150 kB before it can be used, and nothing twice', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank');
  const sizes: Promise<{ readonly responseBodySize: number }>[] = [];
  const measure = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (!response.url().startsWith(url) || pathname.startsWith('/api/')) return;
    sizes.push(response.request().sizes());
  };
  page.on('response', measure);
  await page.goto(`${url}/calls`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('load');
  // what comes later is not measured any more: the page may be closed before it is there
  page.off('response', measure);
  const total = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
});

it('a page that cannot be loaded leaves the others usable', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/calls`);
  await page.getByText('No calls yet').waitFor();
  await page.route('**/assets/doctor-page*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Doctor' }).click();
  await page.getByText('This page could not be shown').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

it('shows a page that was opened while the gateway was away once it is back', async () => {
  const { url, folder, port, close } = await start();
  const page = await browser.page(`${url}/calls`);
  await page.getByText('No calls yet').waitFor();
  await close();
  await page.getByText('What is shown here may be old').waitFor();
  await page.getByRole('link', { name: 'Doctor' }).click();
  await page.getByText('The gateway does not answer. The page is loaded again as soon as it does.').waitFor();
  await startGateway({ name: 'acme', sources: SELF }, { folder, port });
  await page.getByRole('heading', { level: 1, name: 'Doctor' }).waitFor();
});

it('says that the gateway does not answer while it is asked again, and goes on by itself after a long time', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank');
  await page.clock.install();
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.goto(`${url}/tokens`);
  await page.getByText('What is shown here may be old').waitFor();
  await page.getByRole('alert').getByText('The gateway does not answer.').waitFor();
  for (let round = 0; round < 60; round++) {
    await page.clock.runFor(5_000);
    await page.evaluate(() => fetch('/api/v1/session').catch(() => undefined));
  }
  await page.unroute('**/api/v1/**');
  await page.clock.runFor(20_000);
  await page.clock.resume();
  await page.getByText('What is shown here may be old').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Listed now' }).waitFor();
});

it('takes the page of a proxy that stands before a gateway which is away for that, and goes on by itself', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank');
  await page.route('**/api/v1/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.goto(`${url}/tokens`);
  await page.getByText('What is shown here may be old').waitFor();
  await page.getByRole('alert').getByText('The gateway does not answer.').waitFor();
  await page.unroute('**/api/v1/**');
  await page.getByRole('heading', { name: 'Listed now' }).waitFor();
});

it('says what broke and what to do next, and leaves the focus at the page once it was tried again', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank');
  const broken = { code: 'internal_error', message: 'Something broke.', next: 'See the log.' };
  await page.route('**/api/v1/tokens*', (route) => route.fulfill({ status: 500, json: { error: broken } }));
  await page.goto(`${url}/tokens`);
  const alert = page.getByRole('alert');
  await alert.getByText('See the log.').waitFor();
  const again = alert.getByRole('button', { name: 'Try again' });
  // the first answer must be another refusal: else the button is gone with what it brought
  const refused = page.waitForResponse('**/api/v1/tokens*');
  await again.press('Enter');
  await refused;
  await page.unroute('**/api/v1/tokens*');
  await again.press('Enter');
  await page.getByRole('heading', { name: 'Listed now' }).waitFor();
  await expect.poll(() => focusedHeading(page)).toBe('Tokens');
});

it('does not call the gateway away where it refuses the stream alone, and says what it said', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank');
  await page.route('**/api/v1/events*', (route) =>
    route.request().headers()['accept'] === 'text/event-stream'
      ? route.fulfill({ status: 429, json: { error: { code: 'too_busy', message: 'Too many streams.' } } })
      : route.continue(),
  );
  await page.goto(`${url}/calls`);
  await page.getByTitle('Too many streams.').waitFor();
  await page.getByText('No calls yet').waitFor();
  expect(await page.getByText('What is shown here may be old').count()).toBe(0);
});

it.each(['calls', 'tools', 'access', 'people', 'doctor', 'settings'])(
  'says that there is nothing yet on the page %s while the gateway is away, and shows it once it is back',
  async (name) => {
    const { url } = await start();
    const page = await browser.page('about:blank');
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.goto(`${url}/${name}`);
    const main = page.getByRole('main');
    await main.getByText('What is shown here may be old').waitFor();
    const nothing = main.getByText(/Nothing to show yet|could not be read/);
    await nothing.first().waitFor();
    await expect.poll(() => main.getByText(/^Loading/).count()).toBe(0);
    await page.unroute('**/api/v1/**');
    await nothing.first().waitFor({ state: 'detached' });
    await main.getByText('What is shown here may be old').waitFor({ state: 'detached' });
  },
);
