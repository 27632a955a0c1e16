import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

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
