import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, expectLivable } from './support/page-checks.ts';
import { type Stock, startStock } from './support/stock.ts';

const browser = openBrowser();

async function startAsked(stock: Stock) {
  const client = await stock.client();
  void client.callTool({ name: 'add_item', arguments: { id: 1 } }).catch(() => undefined);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, stock, '/approvals');
  const card = page.getByRole('article', { name: 'Call: add_item' });
  await card.waitFor();
  return { page, card };
}

it('whose card is decided elsewhere or expires while they write on it goes on at what became of it', async () => {
  const stock = await startStock();
  const { page, card } = await startAsked(stock);
  await card.press('r');
  await page.getByLabel('Reason').fill('Not on a Friday');
  const approvals = await stock.gateway.approvals();
  const { id } = (await approvals.list({ kind: 'operator' }))[0]!;
  await approvals.decide(id, { decision: 'reject' }, { kind: 'operator', channel: 'cli', id: 'root' });
  await page.getByRole('article', { name: 'rejected: Call: add_item' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('rejected: Call: add_item');
  // what was written is still there, to be said elsewhere
  const unsent = page.getByRole('figure', { name: 'your reason' });
  await unsent.getByText('Not on a Friday').waitFor();
  await expectLivable(page, 'approvals-unsent');
  await page.getByRole('link', { name: 'Call: add_item' }).click();
  await page.getByRole('heading', { name: 'Arguments as asked' }).waitFor();
  await unsent.getByText('Not on a Friday').waitFor();
  await page.getByRole('button', { name: 'Put it away' }).click();
  await unsent.waitFor({ state: 'detached' });
});

it('arguments that could not be checked are not said to be refused, nor to be sent perhaps', async () => {
  const { page, card } = await startAsked(await startStock());
  await card.press('e');
  const editor = page.getByLabel('Arguments as JSON');
  await editor.fill('{ "id": 2 }');
  await page.route('**/check', (route) => route.abort());
  await page.keyboard.press('Control+Enter');
  const alert = page.getByRole('alert');
  await alert.getByText('They could not be checked').waitFor();
  expect(await alert.textContent()).not.toMatch(/does not take|whether this was done/);
  await expectAccessible(page);
  expect(await editor.inputValue()).toBe('{ "id": 2 }');
  await page.unroute('**/check');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Approve with 1 change' }).waitFor();
});

it('what was decided is counted no longer, however long the gateway takes to count again', async () => {
  const stock = await startStock();
  const { page, card } = await startAsked(stock);
  const link = page.getByRole('link', { name: /^Approvals/ });
  await expect.poll(() => link.textContent()).toBe('Approvals1 waiting');
  const counted = await held(page, '**/approvals/pending');
  await card.getByRole('button', { name: /^Approve/ }).press('Enter');
  await page.getByText('carried out').first().waitFor();
  await expect.poll(() => link.textContent()).toBe('Approvals');
  expect(await page.title()).toBe('Approvals · acme');
  counted.resolve();
});
