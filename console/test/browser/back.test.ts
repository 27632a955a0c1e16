import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, startTeam } from './support/team.ts';

const browser = openBrowser();
/** The button of the browser; it need not lead anywhere. */
const pressBack = async (page: Page) => {
  const engine = await page.context().newCDPSession(page);
  const { currentIndex, entries } = await engine.send('Page.getNavigationHistory');
  await engine.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]!.id });
  await engine.detach();
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

it('Back closes a dialog as Escape does, asks where something is written, and leaves the page where it is', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/usage');
  await page.getByRole('link', { name: 'People and keys' }).click();
  const add = page.getByRole('button', { name: 'Add a person' });
  const form = page.getByRole('dialog', { name: 'Add a person' });
  const question = page.getByRole('dialog', { name: 'Give up what stands here?' });
  const stays = () => expect(page.url()).toBe(`${running.url}/people`);

  await page.getByRole('button', { name: 'Keys of this page' }).click();
  await pressBack(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  stays();
  await add.press('Enter');
  await pressBack(page);
  await form.waitFor({ state: 'detached' });
  stays();

  await add.press('Enter');
  await form.getByLabel('Name').fill('Dora Dune');
  for (const leave of [() => pressBack(page), () => page.keyboard.press('Escape')]) {
    await leave();
    await question.waitFor();
    await question.getByRole('button', { name: 'Go on with it' }).press('Enter');
    expect(await form.getByLabel('Name').inputValue()).toBe('Dora Dune');
    expect(await form.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  }
  await form.getByRole('button', { name: 'Close' }).click();
  await expectLivable(page, 'dialog-give-up');
  // the question is what Back answers: no
  await pressBack(page);
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Give it up' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Add a person');
  stays();
  // what says itself that it gives up is not asked
  await add.press('Enter');
  await form.getByLabel('Name').fill('Dora Dune');
  await form.getByRole('button', { name: 'Cancel' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  await pressBack(page);
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
});

it('a key that is shown once is not put away by one Back or Escape, and the browser asks before it is left', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/usage');
  await page.getByRole('link', { name: 'People and keys' }).click();
  await page.getByRole('button', { name: 'New key for Cleo Cedar' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('laptop');
  await page.getByRole('button', { name: 'Make the key' }).press('Enter');
  const shown = page.getByRole('dialog', { name: 'Key laptop' });
  const question = page.getByRole('dialog', { name: 'Give up what stands here?' });
  await shown.getByText(/^tck_/).waitFor();
  expect(await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(
    true,
  );
  for (const leave of [() => pressBack(page), () => page.keyboard.press('Escape')]) {
    await leave();
    await question.getByRole('button', { name: 'Go on with it' }).click();
    expect(await shown.getByText(/^tck_/).isVisible()).toBe(true);
  }
  await shown.getByRole('button', { name: 'I have it' }).click();
  await shown.waitFor({ state: 'detached' });
});
