import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

const browser = openBrowser();
process.env['CONSOLE_SETTINGS_TOKEN'] = 'a-token-that-nobody-may-read';

const start = (more: object = {}) =>
  startGateway({
    name: 'acme',
    sources: { toolcrib: { self: {} } },
    server: { token: { env: 'CONSOLE_SETTINGS_TOKEN' } },
    policy: { approvals: { write: 'ask', expires: '15m' } },
    ...more,
  });

it('shows who one is, and the configuration without its secrets', async () => {
  const running = await start();
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/settings');
  const keys = page.getByRole('list', { name: 'Keys of the configuration' });
  await keys.getByText('server', { exact: true }).click();
  await keys.getByText('token: ').waitFor();
  const text = (await page.textContent('main')) ?? '';
  expect(text).toContain('"(secret)"');
  expect(text).not.toContain('a-token-that-nobody-may-read');
  await expectLivable(page, 'settings');
});

it('is read by keyboard alone: a key opens, a theme is chosen and stays', async () => {
  const running = await start();
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/settings');
  const summary = page.locator('summary', { hasText: 'policy' });
  // its mark is seen and not said, and its number says of what
  expect(await summary.evaluate((element) => getComputedStyle(element, '::before').content)).toBe('"▸" / ""');
  await summary.getByText(/^\d+ keys$/).waitFor();
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.getByText('expiresMs').waitFor();
  await page.getByRole('radio', { name: 'As the system' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  const paper = () => page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor);
  const dark = await paper();
  await page.reload();
  await page.getByText('Configuration in force').waitFor();
  expect(await paper()).toBe(dark);
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: 'Light' }).check();
  expect(await paper()).not.toBe(dark);
});

it('is the operator’s: a user sees the own session, and adds the key that decides', async () => {
  const running = await start({ auth: { mode: 'team' } });
  const operator = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, running.url), {
      method,
      headers: {
        authorization: 'Bearer a-token-that-nobody-may-read',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const organisation = await operator('POST', '/api/v1/orgs', { name: 'Acme' });
  const ann = await operator('POST', '/api/v1/users', { name: 'Ann', organisation: organisation.id });
  const bob = await operator('POST', '/api/v1/users', { name: 'Bob', organisation: organisation.id });
  const keyOf = async (user: { id: string }, more: object = {}) =>
    (await operator('POST', '/api/v1/keys', { user: user.id, name: 'laptop', ...more })).key as string;
  const page = await browser.page(`${running.url}/sign-in?back=%2Fsettings`);
  await operator('PATCH', `/api/v1/users/${ann.id}`, { roles: ['admin'] });
  await page.getByLabel('Key or token').fill(await keyOf(ann));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The configuration is the operator’s').waitFor();
  const may = page.getByText('May', { exact: true }).locator('+ dd');
  const mayNot = page.getByText('May not', { exact: true }).locator('+ dd');
  await mayNot.getByText('decide approvals').waitFor();
  expect(await page.getByText('Configuration in force').count()).toBe(0);

  await page.getByText('Let me decide approvals, too').click();
  const field = page.getByLabel('Your key for deciding');
  await field.fill(await keyOf(bob, { purpose: 'approve' }));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').getByText('This does not let you decide').waitFor();
  await expectLivable(page, 'settings-user');
  // what the key is made for, the person may not do any more
  await operator('PATCH', `/api/v1/users/${ann.id}`, { roles: [] });
  await field.fill(await keyOf(ann, { purpose: 'approve' }));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').getByText('The key is added, and you are no approver').waitFor();
  await operator('PATCH', `/api/v1/users/${ann.id}`, { roles: ['admin'] });
  await page.reload();
  await may.getByText('decide approvals').waitFor();
  expect(await mayNot.textContent()).not.toContain('decide approvals');
});

it('says what was changed in the file and waits for a restart', async () => {
  const running = await start();
  const { gateway } = running;
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/settings');
  await page.getByText('Configuration in force').waitFor();
  expect(await page.getByText('Some changes count after a restart').count()).toBe(0);
  await gateway.reconfigure({ ...gateway.configuration, name: 'another' });
  await page.reload();
  await page.getByText('Some changes count after a restart').waitFor();
});

it('signs another browser out, which the owner alone can', async () => {
  const running = await start();
  const other = await browser.page(`${running.url}/sign-in?back=%2Fsettings`);
  await other.getByLabel('Token').fill('a-token-that-nobody-may-read');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByText('Configuration in force').waitFor();
  expect(await other.getByText('Browsers that are signed in').count()).toBe(0);
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/settings');
  await page.getByRole('table', { name: 'Browsers that are signed in' }).getByText('this one').waitFor();
  // told from others that came in the same way
  await page.getByRole('button', { name: /^Sign out Server token, used .*\d/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.locator('[data-said]').getByText('The browser is signed out').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Sign out Server token' }).count()).toBe(0);
  // the row that was acted on is gone, and the keyboard goes on where it was
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('th')?.parentElement?.textContent))
    .toContain('this one');
  await other.reload();
  await other.waitForURL(`${running.url}/sign-in?back=%2Fsettings`);
});
