import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectAccessible } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();

it('who corrects a name takes nothing back that somebody else changed of the person meanwhile', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people`);
  await page.getByRole('button', { name: 'Change Ben Birch' }).click();
  const form = page.getByRole('dialog', { name: 'Ben Birch' });
  await form.getByLabel('Name').fill('Benjamin Birch');
  await withDirectory(running, ({ users }) =>
    users.update(LOCAL_PRINCIPAL, 'ben', { status: 'disabled', roles: [] }),
  );
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Benjamin Birch.*none.*disabled/ }).waitFor();
  // nothing is changed by a form in which nothing was
  await page.getByRole('button', { name: 'Change Benjamin Birch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('a role is not added over one of its name', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people?show=roles`);
  await page.getByRole('button', { name: 'Add a role' }).click();
  const form = page.getByRole('dialog', { name: 'Add a role' });
  await form.getByLabel('Name').fill('support');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText('There is a role support already: change that one.').waitFor();
  await expectAccessible(page);
  await form.getByLabel('Name').fill('support-2');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'support-2' }).waitFor();
  await page.getByRole('row', { name: /support tickets/ }).waitFor();
});

it('an organisation that is removed elsewhere leaves the page of access', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/access');
  const cell = page.getByRole('button', { name: /^Ben Birch, desk/ });
  await cell.waitFor();
  await withDirectory(running, ({ organisations }) => organisations.remove(LOCAL_PRINCIPAL, 'acme'), true);
  await page.getByText('There is no organisation yet').waitFor();
  expect(await cell.count()).toBe(0);
});
