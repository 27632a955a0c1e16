import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam, withDirectory } from './support/team.ts';

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

/** All that is written in it stands within its borders. */
async function expectWhole(place: Locator): Promise<void> {
  const beside = await place.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect();
    const range = document.createRange();
    return [one, ...one.querySelectorAll('*:not(.visually-hidden)')]
      .flatMap(({ childNodes }) => [...childNodes])
      .filter((node) => {
        range.selectNode(node);
        const drawn = node instanceof Text ? [...range.getClientRects()] : [];
        return drawn.some((line) => line.left < left - 1 || line.right > right + 1);
      })
      .map(({ textContent }) => textContent);
  });
  expect(beside).toEqual([]);
}

it('a name without end is whole where one is asked about it, and leaves what can be done in sight', async () => {
  const running = await startTeam({ policy: { approvals: { write: 'ask' } } });
  await addAcme(running);
  const name = `Maximiliana${'lang'.repeat(20)}`;
  const key = await withDirectory(running, async ({ users, keys }) => {
    await users.create(LOCAL_PRINCIPAL, { id: 'max', organisation: 'acme', name });
    await keys.create(LOCAL_PRINCIPAL, { user: 'ann', name: 'desk'.repeat(15) });
    return (await keys.create(LOCAL_PRINCIPAL, { user: 'max', name: 'laptop'.repeat(10) })).key;
  });
  const max = await running.client(key);
  await max.callTool({ name: 'answer_ticket', arguments: {} });
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/approvals');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('button', { name: /^Always/ }).click();
    await expectWhole(page.getByRole('group', { name: 'Confirm' }));
    await shoot(page, `names-always-${width}`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: /^Always/ }).click();
  await page.getByRole('button', { name: /^Yes/ }).click();
  const right = (of: Locator) => of.evaluate((one) => one.getBoundingClientRect().right);
  await page.getByRole('tab', { name: 'From now on' }).click();
  await expect.poll(() => right(page.getByRole('button', { name: /^Revoke/ }))).toBeLessThan(360);
  await shoot(page, 'names-standing-narrow');
  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('table');
  await history.getByText('approved').waitFor();
  await expectWhole(history);
  await page.goto(`${running.url}/people?show=keys`);
  await page.getByRole('button', { name: /^Revoke laptoplap/ }).click();
  await expectWhole(page.getByRole('dialog'));
  await shoot(page, 'names-revoke-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectWhole(page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${running.url}/changes`);
  await page.getByRole('cell', { name: /Maximiliana/ }).waitFor();
  await expectWhole(page.getByRole('table'));
  await shoot(page, 'names-changes-narrow');
});
