import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

const signInOn = async (page: Page, key: string) => {
  await page.getByLabel('Key or token').fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

it('a removal that is under way stays in sight until it is answered, and its refusal says nothing of another one', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'DELETE') asked++;
  });
  await page.getByRole('button', { name: 'Remove Ann Alder' }).click();
  const answer = await held(page, /\/api\/v1\/users\/ann$/);
  const ann = page.getByRole('dialog', { name: 'Remove Ann Alder?' });
  await ann.getByRole('button', { name: 'Remove', exact: true }).dblclick();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await ann.getByRole('button', { name: 'Close' }).click();
  await ann.getByRole('button', { name: 'Keep it' }).click({ force: true });
  expect(await ann.isVisible()).toBe(true);
  await page.unroute(/\/api\/v1\/users\/ann$/);
  await page.route(/\/api\/v1\/users\/ben$/, (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 'internal_error', message: 'The disk is full.', next: 'Make room.' } },
    }),
  );
  answer.resolve();
  await ann.waitFor({ state: 'detached' });
  expect(asked).toBe(1);

  await page.getByRole('button', { name: 'Remove Ben Birch' }).click();
  const ben = page.getByRole('dialog', { name: 'Remove Ben Birch?' });
  await ben.getByRole('button', { name: 'Remove', exact: true }).click();
  await ben.getByText('Nobody was removed').waitFor();
  await expectAccessible(page);
  await shoot(page, 'people-not-removed');
  await ben.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Remove Cleo Cedar' }).click();
  const cleo = page.getByRole('dialog', { name: 'Remove Cleo Cedar?' });
  await cleo.getByText('What was called stays in').waitFor();
  expect(await cleo.getByRole('alert').count()).toBe(0);
});

it('a browser that could not be signed out is not said to be', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const other = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(other, running, key);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/settings');
  await page.route(/\/api\/v1\/sessions\/.+/, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: /^Sign out Key/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign this browser out?' });
  await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
  await dialog.getByText('The browser was not signed out').waitFor();
});

it('a form outlasts the end of its session: signed in again in another tab, it is sent as it was written', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people`);
  await page.getByRole('button', { name: 'Add a person' }).click();
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByLabel('Name').fill('Dora Dune');
  await page.context().clearCookies();
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('You are signed out').waitFor();
  await form.getByText('Your session has ended.').waitFor();
  // whoever comes to this browser does not see what was read for the one before
  expect(await page.getByText('Cleo Cedar').first().isVisible()).toBe(false);
  await expectAccessible(page);
  await shoot(page, 'form-signed-out');
  const opened = page.waitForEvent('popup');
  await form.getByRole('link', { name: 'Sign in in another tab' }).click();
  await signInOn(await opened, admin);
  await form.getByText('You are signed out').waitFor({ state: 'detached' });
  expect(await form.getByLabel('Name').inputValue()).toBe('Dora Dune');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Remove Dora Dune' }).waitFor();

  // given up, it leads to where one signs in
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.context().clearCookies();
  await form.getByLabel('Name').fill('Eve');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('You are signed out').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(/\/sign-in\?back=%2Fpeople/);
});

it('a key that is shown goes with its session: another tab signs out, or somebody else in', async () => {
  const running = await startTeam();
  const { key: ben, admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people`);
  const dialog = page.getByRole('dialog', { name: 'Key laptop' });
  const make = async () => {
    await page.getByRole('button', { name: 'New key for Cleo Cedar' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Make the key' }).click();
  };
  const shownKey = async () => (await dialog.locator('[data-key]').textContent()) ?? '';
  await make();
  const first = await shownKey();
  const other = await page.context().newPage();
  await other.goto(`${running.url}/settings`);
  await other.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByText('It is no longer shown').waitFor();
  expect(await page.content()).not.toContain(first);
  // what happened is said to whoever comes back
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('DIALOG');
  await expectAccessible(page);
  await shoot(page, 'key-gone');
  await other.waitForURL(/sign-in/);
  await signInOn(other, admin);
  await other.waitForURL(/settings|calls/);
  expect(await dialog.locator('[data-key]').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).click();

  // its answer comes late
  const answer = Promise.withResolvers<void>();
  const made = page.waitForEvent('request', (request) => request.url().endsWith('/keys'));
  await page.route(/\/api\/v1\/keys$/, async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await make();
  await made;
  await other.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  answer.resolve();
  await dialog.getByText('It is no longer shown').waitFor();
  await page.unroute(/\/api\/v1\/keys$/);
  await other.waitForURL(/sign-in/);
  await signInOn(other, admin);
  await other.waitForURL(/settings|calls/);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await make();
  const second = await shownKey();
  await signInWithKey(other, running, ben);
  await other.evaluate(() => new BroadcastChannel('toolcrib-session').postMessage('changed'));
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(second);
});

it('a form goes where somebody else signs in, who does not see what is written there', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/sources');
  await page.getByRole('button', { name: 'Add a source' }).click();
  const form = page.getByRole('dialog', { name: 'Add a source' });
  await form.getByLabel('Name').fill('crm');
  const other = await page.context().newPage();
  await other.goto(`${running.url}/settings`);
  await signInWithKey(other, running, admin);
  await other.evaluate(() => new BroadcastChannel('toolcrib-session').postMessage('changed'));
  await page.getByRole('banner').getByText('Ann Alder').waitFor();
  await form.waitFor({ state: 'detached' });
});

it('what is written on a page is found again by who signs in again, and by nobody else', async () => {
  const running = await startTeam();
  const { key, admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/tools/list_tickets`);
  const asJson = page.getByRole('button', { name: 'As JSON' });
  const text = page.getByLabel('Arguments as JSON');
  const end = async () => {
    await page.context().clearCookies();
    // at once: a request of the page itself may come before
    await page.evaluate(() =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Dry run')?.click(),
    );
    await page.waitForURL(/\/sign-in\?back=/);
  };
  await asJson.click();
  await text.fill('{ "of": "Ann" }');
  await end();
  await signInOn(page, admin);
  await expect.poll(() => text.inputValue()).toContain('Ann');
  await end();
  await signInOn(page, key);
  await asJson.waitFor();
  expect(await page.locator('main').textContent()).not.toContain('Ann');
  expect(await asJson.getAttribute('aria-pressed')).toBe('false');
});

it('the way back leads to the part of the page that was left', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  const away = async () => {
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.goBack();
  };
  await page.getByRole('tab', { name: 'Keys' }).click();
  await away();
  await page.getByRole('tab', { name: 'Keys', selected: true }).waitFor();
  await page.goto(`${running.url}/tools/list_tickets`);
  await page.getByRole('tab', { name: 'Access' }).click();
  await away();
  await page.getByRole('tab', { name: 'Access', selected: true }).waitFor();
});
