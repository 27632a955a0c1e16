import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL as BY } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable, shoot } from './support/page-checks.ts';
import { signInWithKey, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();

/** Acme by the id that it would have in use, and Ben, whose call waits. */
async function startWaiting() {
  const running = await startTeam({ policy: { approvals: { write: 'ask', approvers: ['admin', 'lead'] } } });
  const { key } = await withDirectory(running, async ({ organisations, users, keys }) => {
    await organisations.create(BY, { id: 'org_0af3', name: 'Acme Rockets' });
    await users.create(BY, { id: 'ben', organisation: 'org_0af3', name: 'Ben Birch' });
    return keys.create(BY, { user: 'ben', name: 'laptop' });
  });
  const ben = await running.client(key);
  const page = await browser.page(`${running.url}/sign-in`);
  return { running, key, ben, page };
}

it('an organisation has its name wherever it is shown, for the operator and for its people', async () => {
  const { running, key, ben, page } = await startWaiting();
  await ben.callTool({ name: 'answer_ticket', arguments: {} });
  const named = async (path: string, within = page.getByRole('main')) => {
    await page.goto(`${running.url}${path}`);
    const organisation = within.getByText('Organisation', { exact: true }).locator('+ dd').first();
    await expect.poll(() => organisation.textContent()).toBe('Acme Rockets');
    expect(await page.content()).not.toContain('org_0af3');
  };
  await signInAsOwner(page, running, '/calls');
  await page.getByRole('grid').getByText('Ben Birch').click();
  await page.waitForURL(/\/calls\/[0-9a-f]+$/);
  const story = new URL(page.url()).pathname;
  await named(story);
  await named('/approvals');
  // a new name counts at once
  const rename = (name: string) =>
    withDirectory(running, ({ organisations }) => organisations.update(BY, 'org_0af3', { name }), true);
  await rename('Acme Balloons');
  await page.getByRole('article').getByText('Acme Balloons', { exact: true }).waitFor();
  await rename('Acme Rockets');
  await signInWithKey(page, running, key);
  await named(story);
  await named('/approvals');
  await named('/settings');
  await page.getByRole('banner').getByTitle('Ben Birch, Acme Rockets').waitFor();
});

it('who is no approver reads who decides, and is asked for no key that would not help', async () => {
  const { running, key, ben, page } = await startWaiting();
  await ben.callTool({ name: 'answer_ticket', arguments: {} });
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/approvals`);
  const card = page.getByRole('article');
  await card.waitFor();
  await page.getByText('You are no approver', { exact: true }).waitFor();
  const main = page.getByRole('main');
  await main.getByText('whoever has the role admin or lead in your organisation').waitFor();
  expect(await card.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
  expect(await main.textContent()).not.toMatch(/made for deciding|approving key|Sign in/);
  await expectLivable(page, 'approvals-member');
  await page.goto(`${running.url}/settings`);
  await main.getByText('whoever has the role admin or lead').waitFor();
  expect(await page.getByText('Let me decide approvals, too').count()).toBe(0);
  // with the role, a key is what is missing
  await withDirectory(running, async ({ roles, users }) => {
    await roles.set(BY, { organisation: 'org_0af3', name: 'lead', permissions: [] });
    await users.update(BY, 'ben', { roles: ['lead'] });
  });
  await page.reload();
  await page.getByText('Let me decide approvals, too').waitFor();
  expect(await page.getByText('You are no approver').count()).toBe(0);
});

it('where nobody has called anything yet, a member is led to what a client needs, and to the tools', async () => {
  const { running, key, page } = await startWaiting();
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/calls`);
  await page.getByText('No calls yet').waitFor();
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'tool' }).waitFor();
  expect(await main.textContent()).not.toContain('npx');
  await expectLivable(page, 'calls-empty-member');
  await main.getByRole('link', { name: 'Connect a client' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await main.getByText(`${running.url}/mcp`, { exact: true }).waitFor();
  await main.getByText(`--remote ${running.url}`).waitFor();
  await shoot(page, 'settings-connect-member');
  await main.getByRole('link', { name: 'key of yours' }).click();
  await page.getByRole('tab', { name: 'Keys', selected: true }).waitFor();
});
