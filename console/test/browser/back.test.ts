import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, startTeam, withDirectory } from './support/team.ts';

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

it.each(['with the Navigation API', 'without it'])(
  'what is half written outlasts Back however often it is pressed, %s',
  async (which) => {
    const running = await startTeam();
    await addAcme(running);
    const page = await browser.page('about:blank');
    if (which === 'without it') {
      await page.context().addInitScript(() => {
        delete (globalThis as { navigation?: unknown }).navigation;
        delete (globalThis as { Navigation?: unknown }).Navigation;
      });
    }
    await signInAsOwner(page, running, '/usage');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'People and keys' }).click();
    const form = page.getByRole('dialog', { name: 'Add a person' });
    const question = page.getByRole('dialog', { name: 'Give up what stands here?' });
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await form.getByLabel('Name').fill('Dora Dune');
    for (const shown of ['attached', 'detached', 'attached'] as const) {
      await pressBack(page);
      await question.waitFor({ state: shown });
      expect(page.url()).toBe(`${running.url}/people`);
    }
    await question.getByRole('button', { name: 'Go on with it' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Dora Dune');
    await form.getByRole('button', { name: 'Cancel' }).press('Enter');
    await pressBack(page);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  },
);

it('what is looked for in a dialog is nothing that is written', async () => {
  const running = await startTeam();
  await withDirectory(running, async ({ organisations, users, roles }) => {
    await organisations.create(LOCAL_PRINCIPAL, { id: 'acme', name: 'Acme' });
    for (let n = 0; n < 30; n++) {
      await roles.set(LOCAL_PRINCIPAL, { organisation: 'acme', name: `role-${n}`, permissions: [] });
    }
    await users.create(LOCAL_PRINCIPAL, { id: 'ann', organisation: 'acme', name: 'Ann Alder' });
  });
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await page.getByRole('button', { name: 'Add a person' }).press('Enter');
  await form.getByLabel('Filter roles').fill('role-2');
  await form.getByRole('button', { name: 'Close' }).click();
  await form.waitFor({ state: 'detached' });
});

it('Back closes the menu of a narrow page, and leaves the page where it is', async () => {
  const running = await startTeam();
  const page = await browser.page('about:blank', { width: 380 });
  await signInAsOwner(page, running, '/usage');
  const menu = page.getByRole('button', { name: 'Menu' });
  const settings = page.getByRole('link', { name: 'Settings' });
  await menu.click();
  await settings.click();
  await page.waitForURL(/settings$/);
  await menu.click();
  await settings.waitFor();
  await pressBack(page);
  await settings.waitFor({ state: 'hidden' });
  expect(page.url()).toBe(`${running.url}/settings`);
  expect(await focused(page)).toBe('Menu');
  await pressBack(page);
  await page.waitForURL(/usage$/);
});
