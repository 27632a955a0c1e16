import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

const browser = openBrowser();
const TOKEN = 'a-token-of-the-server';
/** `environment` of the configuration is the one of this process. */
process.env['AWAY_TEST_TOKEN'] = TOKEN;
const CONFIGURATION = {
  name: 'acme',
  sources: { toolcrib: { self: {} } },
  server: { token: { env: 'AWAY_TEST_TOKEN' } },
};
const HOUR_MS = 3_600_000;
const start = () => startGateway(CONFIGURATION);

/** A page of whoever has the token, who came in by the sign-in. */
async function signedIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in?back=%2Fsettings`);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Configuration in force').waitFor();
}
const nothingIsLeft = async (page: Page) =>
  expect(await page.getByText('Configuration in force').count()).toBe(0);

it('says that the gateway is away and since when, wherever the page was scrolled to, in the title, and by ear', async () => {
  const { url, folder, port, close } = await start();
  const page = await browser.page('about:blank');
  await signedIn(page, url);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await close();
  const notice = page.getByText('nothing was heard since');
  await notice.waitFor();
  expect((await notice.boundingBox())!.y).toBeGreaterThan(0);
  await expect.poll(() => page.title()).toBe('(away) Settings · acme');
  await page.locator('[data-said]').getByText('The gateway does not answer').waitFor();
  await expectLivable(page, 'gateway-away');
  await startGateway(CONFIGURATION, { folder, port });
  await page.locator('[data-said]').getByText('The gateway answers again').waitFor();
  await notice.waitFor({ state: 'detached' });
  expect(await page.title()).toBe('Settings · acme');
});

it('a session that ended while the gateway was away leads to the sign-in once it is back', async () => {
  const { url, folder, port, close } = await start();
  const page = await browser.page('about:blank');
  await signedIn(page, url);
  await close();
  await page.getByText('nothing was heard since').waitFor();
  await page.context().clearCookies();
  await startGateway(CONFIGURATION, { folder, port });
  await page.waitForURL(`${url}/sign-in?back=%2Fsettings`);
  await nothingIsLeft(page);
  await page.getByText('Your session is over').waitFor();
  await expectLivable(page, 'session-over');
});

it('a session whose time is over while the gateway is away shows nothing of it any more', async () => {
  const { url, close } = await start();
  const page = await browser.page('about:blank');
  await page.clock.install();
  await signedIn(page, url);
  await close();
  await page.getByText('nothing was heard since').waitFor();
  await page.clock.fastForward(167 * HOUR_MS);
  await page.getByText('Configuration in force').waitFor();
  await page.clock.fastForward(2 * HOUR_MS);
  await page.waitForURL(`${url}/sign-in?back=%2Fsettings`);
  await nothingIsLeft(page);
});

it('whoever signs out while the gateway is away is signed out as soon as it is back', async () => {
  const { url, folder, port, close } = await start();
  const page = await browser.page('about:blank');
  await signedIn(page, url);
  await close();
  await page.getByText('nothing was heard since').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are not signed out yet').waitFor();
  await nothingIsLeft(page);
  await expectLivable(page, 'signs-out-later');
  await startGateway(CONFIGURATION, { folder, port });
  await page.waitForURL(`${url}/sign-in?back=%2Fsettings`);
  await page.getByLabel('Token').waitFor();
  expect(await page.getByText('Your session is over').count()).toBe(0);
  await page.goto(`${url}/settings`);
  await page.waitForURL(/\/sign-in/);
});
