import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { startStock } from './support/stock.ts';

const browser = openBrowser();

it('a decision whose answer takes its time is seen and heard to go on, and moves nothing', async () => {
  const stock = await startStock();
  const client = await stock.client();
  void client.callTool({ name: 'add_item', arguments: { id: 1 } }).catch(() => undefined);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, stock, '/approvals');
  const card = page.getByRole('article');
  await card.waitFor();
  const height = () => card.evaluate((one) => one.getBoundingClientRect().height);
  const before = await height();
  const sent = await held(page, '**/decision');
  await card.getByRole('button', { name: /^Approve/ }).press('Enter');
  await card.getByText('being sent …').waitFor();
  await page.locator('[data-said]').getByText('The decision is being sent').waitFor();
  expect(await height()).toBe(before);
  await expectAccessible(page);
  await shoot(page, 'approvals-being-sent');
  sent.resolve();
  await page.getByText('carried out').first().waitFor();
  expect(await page.getByText('being sent …').count()).toBe(0);
});
