import { expect, it } from 'vitest';
import { defineTool } from '../../../gateway/src/index.ts';
import { LOCAL_PRINCIPAL as BY } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, startGateway } from './support/gateway.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, withDirectory } from './support/team.ts';

const browser = openBrowser();
const TOOLS = ['answer_ticket', 'close_ticket'];

/** Acme, whose Ben has called two tools that wait for Ann. */
async function startWaiting() {
  const levels = { '*': 'read-write' } as const;
  const running = await startGateway(
    {
      name: 'acme',
      topology: 'flat',
      auth: { mode: 'team' },
      policy: { approvals: { write: 'ask' }, defaults: { organisation: levels, user: levels } },
    },
    {
      functions: {
        desk: {
          tools: TOOLS.map((name) =>
            defineTool({ name, access: 'write', description: 'Writes.', handler: () => ({}) }),
          ),
        },
      },
    },
  );
  const { key, admin } = await addAcme(running);
  const made = await withDirectory(running, ({ keys }) =>
    keys.create(BY, { user: 'ann', name: 'deciding', purpose: 'approve' }),
  );
  for (const tool of TOOLS) {
    const response = await fetch(`${running.url}/api/v1/tools/${tool}/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: {} }),
    });
    expect(await response.text()).toContain('approval_required');
  }
  return { running, admin, deciding: made };
}

/** Ann at her approvals, in a page that hears of nothing. */
async function annAt(running: RunningGateway, key: string, second?: string) {
  const page = await browser.page(`${running.url}/sign-in`);
  await page.route('**/api/v1/events*', (route) => route.abort());
  await signInWithKey(page, running, key);
  if (second !== undefined) {
    await page.goto(`${running.url}/settings`);
    await page.getByText('Let me decide approvals, too').click();
    await page.getByLabel('Your key for deciding').fill(second);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Let me decide approvals, too').waitFor({ state: 'detached' });
  }
  await page.goto(`${running.url}/approvals`);
  await page.getByRole('heading', { name: /close_ticket/ }).waitFor();
  return page;
}

it('who is no approver any more is told at the first decision, and is offered none after it', async () => {
  const { running, deciding } = await startWaiting();
  const page = await annAt(running, deciding.key);
  // whoever decides knows who asks, also with a key for nothing else
  await page.locator('article', { hasText: 'close_ticket' }).getByText('Ben Birch (ben)').first().waitFor();
  await withDirectory(running, ({ users }) => users.update(BY, 'ann', { roles: [] }));
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByRole('alert').getByText('You may not decide any more').waitFor();
  await page.getByText('You are no approver').waitFor();
  // what others asked is no longer theirs to see
  await page.getByRole('heading', { name: /close_ticket/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await page.getByText('There is no approval').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^(Approve|Reject)/ }).count()).toBe(0);
  await expectAccessible(page);
  await shoot(page, 'approvals-no-approver');
});

it('a session whose key for deciding was revoked learns it by a refused decision, and the hand stays on the card', async () => {
  const { running, admin, deciding } = await startWaiting();
  const page = await annAt(running, admin, deciding.key);
  await withDirectory(running, ({ keys }) => keys.revoke(BY, deciding.record.id));
  const card = page.locator('article', { hasText: 'answer_ticket' });
  const other = page.locator('article', { hasText: 'close_ticket' });
  expect(await other.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(false);
  await card.getByRole('button', { name: /^Reject/ }).press('Enter');
  await page.keyboard.type('Not mine.');
  await page.keyboard.press('Enter');
  await card.getByText('You may not decide any more').waitFor();
  await page.getByText('This session shows approvals and decides none').waitFor();
  await page.getByRole('link', { name: 'Add such a key in Settings' }).waitFor();
  expect(await other.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
  expect(await card.getByLabel('Reason').inputValue()).toBe('Not mine.');
  expect(await card.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await shoot(page, 'approvals-key-revoked');
});
