import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

it('people are named wherever their calls are shown, and found by name', async () => {
  const running = await startTeam();
  const { key, admin } = await addAcme(running);
  const [ben, ann] = [await running.client(key), await running.client(admin)];
  await ben.callTool({ name: 'list_tickets', arguments: {} });
  await ben.callTool({ name: 'delete_ticket', arguments: {} });
  await ann.callTool({ name: 'list_events', arguments: {} });

  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/calls');
  const rows = page.getByRole('grid').getByRole('row');
  await rows.getByText('Ann Alder').waitFor();
  await page.getByRole('button', { name: 'More filters' }).click();
  const caller = page.getByLabel('Caller');
  await caller.fill('ben birch');
  await page.waitForURL(/principal=ben$/);
  await expect.poll(() => rows.count()).toBe(3);
  expect(await caller.inputValue()).toBe('Ben Birch');
  await rows.getByText('Ben Birch').first().click();
  const story = page.getByRole('article', { name: 'Call' });
  await story.getByText('by Ben Birch').waitFor();
  await story.getByRole('link', { name: 'Ben Birch (ben)' }).waitFor();
  await expectLivable(page, 'calls-people');

  await page.goto(`${running.url}/approvals`);
  await page.getByRole('article').getByText('Ben Birch (ben)', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('cell', { name: 'Ben Birch' }).waitFor();
  await page.getByRole('searchbox', { name: 'Caller' }).or(page.getByLabel('Caller')).fill('Ann Alder');
  await page.keyboard.press('Enter');
  await page.waitForURL(/principal=ann/);
  await page.getByText('Nothing fits these filters').waitFor();

  await page.goto(`${running.url}/usage`);
  await page
    .getByRole('button', { name: 'By caller' })
    .or(page.getByRole('tab', { name: 'By caller' }))
    .click();
  await page.getByRole('button', { name: 'Ben Birch' }).click();
  await page.getByRole('button', { name: /^Only caller Ben Birch/ }).waitFor();
  expect(page.url()).toContain('user=ben');
  await expectLivable(page, 'usage-people');

  // whoever may not list the others knows the own name, and no other
  const own = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(own, running, key);
  await own.goto(`${running.url}/calls`);
  await own.getByRole('grid').getByText('Ben Birch').first().waitFor();
  expect(await own.content()).not.toContain('Ann Alder');
});
