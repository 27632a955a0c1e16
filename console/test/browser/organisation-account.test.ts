import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { startLever } from './support/lever.ts';
import { expectLivable } from './support/page-checks.ts';
import { signInWithKey } from './support/team.ts';

const browser = openBrowser();

/** Ann may record the account of the hiring team. */
async function startWithAccount() {
  const lever = await startLever();
  const account = lever.nango.add({
    id: 'hiring-team',
    integration: 'lever',
    credentials: { type: 'OAUTH2', access_token: 'token-1234567890' },
    endUser: { id: 'ann' },
  });
  return { ...lever, account };
}

const layout = (element: Locator) =>
  element.evaluate((one) => {
    const { textAlign, whiteSpace, fontSize } = getComputedStyle(one);
    return `${textAlign} ${whiteSpace} ${fontSize}`;
  });

it('an admin connects the account of the organisation, which counts for everybody, and connects it again once it ended', async () => {
  const { running, account, admin, key } = await startWithAccount();
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/sources?show=connections`);
  await page.getByRole('button', { name: 'Connect an account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Whose').selectOption('The organisation’s');
  await dialog.getByLabel('Connection id').fill('hiring-team');
  await expectLivable(page, 'connections-organisation');
  await dialog.getByRole('button', { name: 'Record it' }).click();
  await page.getByRole('cell', { name: 'The organisation’s' }).waitFor();

  const ben = await running.client(key);
  account.breakRefresh(424);
  const answer = await ben.callTool({ name: 'lever_list_opportunities', arguments: {} });
  expect(JSON.stringify(answer)).toContain('reconnect_required');
  // from the call that failed to the account that it needs
  await page.goto(`${running.url}/calls`);
  await page.getByRole('grid').getByText('reconnect_required').click();
  await page.getByRole('article').getByRole('link', { name: 'Go to the connections' }).click();
  await page.getByRole('cell', { name: /^to be connected again\s*first found by a call/ }).waitFor();
  await page.getByRole('button', { name: /^Reconnect/ }).click();
  const again = page.getByRole('dialog', { name: 'Connect lever again' });
  await again.getByRole('link', { name: 'Open the page of the provider' }).waitFor();
  // a dialog is laid out as one, whatever it was opened from
  expect(await layout(again)).toBe('start normal 15px');
  await expectLivable(page, 'connections-again');
});

it('what may be done with the organisation’s account is offered to its admins alone', async () => {
  const { running, admin, key } = await startWithAccount();
  const made = await fetch(`${running.url}/api/v1/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source: 'lever',
      credentials: { nango: { integration: 'lever', connection: 'hiring-team' } },
    }),
  });
  expect(made.status).toBe(201);
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/sources?show=connections`);
  await page.getByRole('cell', { name: 'The organisation’s' }).waitFor();
  expect(await page.getByRole('button', { name: /^(Reconnect|Switch off|Remove)/ }).count()).toBe(0);
  // nor one to choose that would be refused
  await page.getByRole('button', { name: 'Connect an account' }).click();
  expect(await page.getByRole('dialog').getByLabel('Whose').count()).toBe(0);

  // the operator sees of which organisation
  const operator = await browser.page('about:blank');
  await signInAsOwner(operator, running, '/sources?show=connections');
  await operator.getByRole('cell', { name: 'All of Acme' }).waitFor();
});

it('why a change of an account was refused is read as a text, and at 320 px what can be done with it is in sight', async () => {
  const { running, admin } = await startLever();
  const page = await browser.page('about:blank');
  await page.route(/\/api\/v1\/connections\/one$/, (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: {
          code: 'access_denied',
          message:
            'This is refused, with a sentence that is as long as sentences of a gateway sometimes are. '.repeat(
              2,
            ),
          next: 'Ask somebody else, who may be able to do what this person may not do at this time.',
        },
      },
    }),
  );
  await page.route(/\/api\/v1\/connections$/, (route) =>
    route.fulfill({
      json: {
        connections: [
          {
            ...{ id: 'one', organisation: 'acme', user: null, source: 'lever', name: 'lever' },
            ...{
              status: 'connected',
              reconnectSince: null,
              region: null,
              credentials: { nango: {} },
              updatedAt: '2026-11-21T10:00:00.000Z',
            },
          },
        ],
      },
    }),
  );
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/sources?show=connections`);
  await page.getByRole('button', { name: /^Switch off/ }).click();
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  expect(await layout(refusal)).toMatch(/^start normal/);
  await expectLivable(page, 'connections-refused');
  await page.keyboard.press('Escape');
  await refusal.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Switch off');
  // 1280 pixels at 400 %
  await page.setViewportSize({ width: 320, height: 256 });
  const table = page.getByRole('table').locator('..');
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(1);
});
