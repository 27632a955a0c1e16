import type { Client } from '@modelcontextprotocol/client';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { defineTool } from '../../../gateway/src/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { startStock } from './support/stock.ts';
import { addAcme } from './support/team.ts';

const browser = openBrowser();

const asking = (name: string, access: 'write' | 'delete') =>
  defineTool({
    name,
    access,
    description: 'Changes one.',
    input: { type: 'object', properties: { id: { type: 'integer' } } },
    handler: () => ({}),
  });

/** Ben wants 30 tickets answered and 4 removed, Ann one removed and one event added. */
async function startBusy() {
  const running = await startGateway(
    {
      name: 'acme',
      auth: { mode: 'team' },
      policy: {
        approvals: { write: 'ask' },
        defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      },
    },
    {
      functions: {
        desk: { tools: [asking('answer_ticket', 'write'), asking('delete_ticket', 'delete')] },
        calendar: { tools: [asking('add_event', 'write')] },
      },
    },
  );
  const { key, admin } = await addAcme(running);
  const ask = async (client: Client, name: string, times: number) => {
    for (let id = 1; id <= times; id++) await client.callTool({ name, arguments: { id } });
  };
  const [ben, ann] = [await running.client(key), await running.client(admin)];
  await ask(ben, 'answer_ticket', 30);
  await ask(ben, 'delete_ticket', 4);
  await ask(ann, 'delete_ticket', 1);
  await ask(ann, 'add_event', 1);
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/approvals');
  const cards = page.getByRole('list', { name: 'Approvals' }).getByRole('article');
  await expect.poll(() => cards.count()).toBe(25);
  const waiting = async () =>
    (await (await running.gateway.approvals()).list({ kind: 'operator' })).filter(
      ({ state }) => state === 'pending',
    );
  return { running, page, cards, waiting, ann };
}

it('what more is shown takes the focus where the button for it goes', async () => {
  const { page, cards } = await startBusy();
  await page.getByRole('button', { name: /^Show more: 11 later ones/ }).press('Enter');
  await expect.poll(() => cards.count()).toBe(36);
  const isFocused = () => cards.nth(25).evaluate((card) => card === document.activeElement);
  await expect.poll(isFocused).toBe(true);
});

it('what waits is narrowed to a person, a source and a tool, and decided there', async () => {
  const { running, page, cards, waiting } = await startBusy();
  const choices = (label: string) => page.getByLabel(label).locator('option').allTextContents();
  expect(await choices('Caller')).toEqual(['Any', 'Ann Alder (2)', 'Ben Birch (34)']);
  expect(await choices('Source')).toEqual(['Any', 'calendar (1)', 'desk (35)']);
  await page.getByLabel('Tool', { exact: true }).selectOption('delete_ticket');
  await page.getByText('5 of 36 calls that wait').waitFor();
  expect(await choices('Caller')).toEqual(['Any', 'Ann Alder (1)', 'Ben Birch (4)']);
  await page.getByLabel('Caller').selectOption({ label: 'Ann Alder (1)' });
  await expect.poll(() => cards.count()).toBe(1);
  await page.getByText('1 of 36 calls that wait').waitFor();
  await expectLivable(page, 'approvals-filter');

  // the address holds it, and what others decide meanwhile shows no receipt here
  await page.reload();
  await cards.getByText('Ann Alder (ann)', { exact: true }).waitFor();
  const other = (await waiting()).find(({ tool }) => tool === 'add_event')!;
  await (await running.gateway.approvals()).decide(
    other.id,
    { decision: 'reject' },
    { kind: 'operator', channel: 'cli', id: 'root' },
  );
  await page.getByText('1 of 35 calls that wait').waitFor();
  expect(await cards.count()).toBe(1);
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing that waits fits these filters').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => cards.count()).toBe(25);
});

it('rejects at once what the filters leave, and nothing that came meanwhile', async () => {
  const { page, cards, waiting, ann } = await startBusy();
  expect(await page.getByRole('button', { name: /^Reject all/ }).count()).toBe(0);
  await page.getByLabel('Tool', { exact: true }).selectOption('delete_ticket');
  await page.getByRole('button', { name: 'Reject all 5' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject 5 calls?' });
  await dialog.getByLabel('Reason').fill('Nothing is removed today.');
  await expectLivable(page, 'approvals-reject-all');
  await ann.callTool({ name: 'delete_ticket', arguments: { id: 99 } });
  await page.getByText('6 of 37 calls that wait').waitFor();

  // one refusal in the middle: it says so, the rest comes back, and the next try ends it
  let sent = 0;
  await page.route('**/api/v1/approvals/*/decision', (route) =>
    ++sent === 3
      ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Full.' } } })
      : route.continue(),
  );
  await dialog.getByRole('button', { name: 'Reject them' }).click();
  await dialog.getByText('Not all of them were rejected').waitFor();
  await dialog.getByRole('button', { name: 'Reject them' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('1 of 32 calls that wait').waitFor();
  await expect.poll(() => cards.getByText('id: 99').count()).toBe(1);
  const left = await waiting();
  expect(left.filter(({ tool }) => tool === 'delete_ticket')).toMatchObject([{ preview: { id: 99 } }]);
  expect(left).toHaveLength(32);
});

it('nothing moves under the hand as a second call comes or the last but one is decided, on a telephone either', async () => {
  const stock = await startStock();
  const client = await stock.client();
  // its callers wait until somebody decides
  const ask = (id: number) =>
    void client.callTool({ name: 'delete_item', arguments: { id } }).catch(() => undefined);
  const page = await browser.page('about:blank', { width: 360 });
  await signInAsOwner(page, stock, '/approvals');
  const rejects = async (card: Locator) => {
    await card.getByRole('button', { name: 'Reject r' }).click();
    await card.getByRole('button', { name: 'Reject Enter' }).click();
  };
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    ask(width);
    const cards = page.getByRole('list', { name: 'Approvals' }).getByRole('article');
    await expect.poll(() => cards.count()).toBe(1);
    const top = () => cards.first().evaluate((card) => card.getBoundingClientRect().top + scrollY);
    const alone = await top();
    ask(width + 1);
    await expect.poll(() => cards.count()).toBe(2);
    expect(await top()).toBe(alone);
    await rejects(cards.last());
    await expect.poll(() => page.getByRole('button', { name: 'Reject r' }).count()).toBe(1);
    expect(await top()).toBe(alone);
    await rejects(cards.first());
    await page.getByText('Nothing waits').waitFor();
    await page.reload();
  }
});

it('on a telephone the filters stand behind a button, which says how many are in force', async () => {
  const { running, page, cards } = await startBusy();
  await page.setViewportSize({ width: 360, height: 800 });
  const top = (await cards.first().boundingBox())!.y;
  expect(top).toBeLessThan(400);
  const button = page.getByRole('button', { name: 'Filters' });
  expect(await page.getByLabel('Caller').isVisible()).toBe(false);
  await button.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await page.getByLabel('Caller').selectOption({ label: 'Ann Alder (2)' });
  await page.getByText('2 of 36 calls that wait').waitFor();
  await expectLivable(page, 'approvals-filter-open');
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Filters, 1 in force' }).click();
  expect(await page.getByLabel('Caller').isVisible()).toBe(false);
  await page.getByText('2 of 36 calls that wait').waitFor();
  await page.goto(`${running.url}/approvals?show=history`);
  const state = page.getByLabel('State', { exact: true });
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  expect(await state.isVisible()).toBe(false);
  // where there is room there is no button
  await page.setViewportSize({ width: 1280, height: 800 });
  await state.waitFor();
  expect(await page.getByRole('button', { name: 'Filters' }).count()).toBe(0);
});
