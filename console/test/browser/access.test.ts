import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, expectLivable, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startAlone, startTeam, withDirectory } from './support/team.ts';

type Client = Awaited<ReturnType<RunningGateway['client']>>;

const browser = openBrowser();

const cell = (page: Page, name: string): Locator => page.getByRole('button', { name });
const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

it('shows who may do what with each factor, edits, says what would change, saves; a client loses the tools', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const client = await running.client(key);
  expect(await toolNames(client)).toContain('answer_ticket');
  let listChanged = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void listChanged++);

  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  await page.getByRole('grid', { name: 'Access of people to sources' }).waitFor();
  await expectLivable(page, 'access');

  await cell(page, 'Ben Birch, desk').click();
  const dialog = page.getByRole('dialog', { name: 'Ben Birch: desk' });
  await dialog.getByText('answer_ticket').first().click();
  await dialog.getByRole('cell', { name: 'read-write (category:*)' }).first().waitFor();
  await dialog.getByText('purge_desk', { exact: true }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'access-cell');

  const editor = dialog.getByRole('group', { name: 'What Ben Birch chooses' });
  await editor.getByLabel('Level').selectOption('read-only');
  await dialog.getByRole('button', { name: 'Close' }).click();

  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText('Ben Birch, desk: Read only').waitFor();
  await bar.getByText('loses 2').click();
  await bar.getByText('Loses answer_ticket, delete_ticket').waitFor();
  await expectLivable(page, 'access-changes');
  // nothing was written by looking
  expect(await toolNames(client)).toContain('answer_ticket');

  await bar.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: in force at the next call.').waitFor();
  await cell(page, 'Ben Birch, desk: Read only 2 of 4').waitFor();
  await expect.poll(() => listChanged).toBeGreaterThan(0);
  await expect.poll(() => toolNames(client)).not.toContain('answer_ticket');
  const refused = await client.callTool({ name: 'answer_ticket', arguments: {} });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).toContain('tool_forbidden');
});

it('another person’s change is a conflict: nothing is lost, and saved once it was seen', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  await cell(page, 'Organisation, calendar').click();
  const dialog = page.getByRole('dialog', { name: 'Organisation: calendar' });
  await dialog.getByLabel('Level').selectOption('disabled');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText('loses 2').first().waitFor();
  await withDirectory(running, ({ levels }) =>
    levels.set(LOCAL_PRINCIPAL, { organisation: 'acme', user: 'cleo', scope: 'source:desk', level: 'none' }),
  );
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('Somebody else changed access meanwhile').waitFor();
  await expectAccessible(page);
  await shoot(page, 'access-conflict');
  // until it is read a save would meet the same conflict
  const reading = await held(page, '**/api/v1/access/matrix?*');
  const again = page.waitForRequest(/access\/matrix/);
  await bar.getByRole('button', { name: 'Read it again' }).click();
  await again;
  expect(await bar.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  reading.resolve();
  await bar.getByText('Somebody else changed access meanwhile').waitFor({ state: 'detached' });
  await bar.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: in force at the next call.').waitFor();
  await cell(page, 'Cleo Cedar, desk: None').waitFor();
  await cell(page, 'Ben Birch, calendar: Switched off').waitFor();
});

it('is walked through by keyboard alone', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await cell(page, 'Organisation, desk').focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toContain('Ann Alder, desk');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toContain('Ann Alder, calendar');
  await page.keyboard.press('Control+End');
  expect(await focused()).toContain('Cleo Cedar, calendar');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const person = page.getByRole('dialog', { name: 'Cleo Cedar' });
  await person.getByLabel('support').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await person.waitFor({ state: 'detached' });
  expect(await focused()).toContain('Cleo Cedar');
  await page.getByText('Cleo Cedar: roles support').waitFor();
  // one stop for the whole grid
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[role=grid]') === null)).toBe(true);
});

it('a user sees the own row and may choose for the own', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/access`);
  await cell(page, 'Ben Birch, desk').click();
  expect(await page.getByText('Cleo Cedar').count()).toBe(0);
  const dialog = page.getByRole('dialog', { name: 'Ben Birch: desk' });
  await dialog.getByRole('group', { name: 'What I choose' }).waitFor();
  expect(await dialog.getByRole('group', { name: 'What the organisation allows' }).count()).toBe(0);
  expect(await dialog.getByText('purge_desk').count()).toBe(0);
});

it('without a team, says what the configuration lets its caller do and how to make one', async () => {
  const running = await startAlone();
  const page = await browser.page(`${running.url}/access`);
  await page.getByRole('button', { name: 'desk' }).waitFor();
  await expectLivable(page, 'access-alone');
  await page.getByRole('button', { name: 'desk' }).click();
  await page.getByRole('dialog', { name: 'desk' }).getByText('purge_desk', { exact: true }).waitFor();
  await shoot(page, 'access-alone-source');
});

it('a cell at 380 px is a page of its own: factors, levels, every operation with its checks', async () => {
  const running = await startTeam();
  await addAcme(running);
  await withDirectory(running, ({ levels }) =>
    levels.set(LOCAL_PRINCIPAL, { organisation: 'acme', scope: 'source:desk', level: 'read-only' }),
  );
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  await cell(page, 'Cleo Cedar, desk: Read only 2 of 4').click();
  const dialog = page.getByRole('dialog', { name: 'Cleo Cedar: desk' });
  await dialog.getByText('answer_ticket').first().click();
  await dialog.getByText('An admin of the organisation sets the level').first().waitFor();
  await expectLivable(page, 'access-cell-hidden');
});

/** Cleo may no longer use the calendar, not saved. */
async function editCleo(page: Page): Promise<Locator> {
  await cell(page, 'Cleo Cedar, calendar').click();
  const dialog = page.getByRole('dialog', { name: 'Cleo Cedar: calendar' });
  await dialog
    .getByRole('group', { name: 'What Cleo Cedar chooses' })
    .getByLabel('Level')
    .selectOption('read-only');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText('loses 1').waitFor();
  return bar;
}

it('changes that could not be saved are saved later, without being made again', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  const bar = await editCleo(page);
  const path = '**/api/v1/access/changes';
  await page.route(path, (route) => route.abort());
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('It is not known whether this was done').waitFor();
  // nothing tries a change again by itself
  await bar.getByText('whether this was done before you do it again').waitFor();
  await page.unroute(path);
  await bar.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: in force at the next call.').waitFor();
  await cell(page, 'Cleo Cedar, calendar: Read only').waitFor();
});

it('changes that are not saved outlast a look at another page, and the browser asks before it drops them', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  const bar = await editCleo(page);
  await page.getByRole('link', { name: 'Doctor' }).click();
  await page.waitForURL('**/doctor');
  await page.goBack();
  await bar.getByText('Cleo Cedar, calendar: Read only').waitFor();
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await bar.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: in force at the next call.').waitFor();
  // now nothing is lost
  await page.reload();
  await cell(page, 'Cleo Cedar, calendar: Read only').waitFor();
});
