import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { startStock } from './support/stock.ts';

const browser = openBrowser();
/** The browser asks before the page is closed or loaded again. */
const asks = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

it('what is written on a card outlasts a look at another page, is stored nowhere, and goes with its card', async () => {
  const stock = await startStock();
  const page = await browser.page(stock.url);
  await signInAsOwner(page, stock, '/approvals');
  const client = await stock.client();
  const answer = client.callTool({ name: 'add_item', arguments: { id: 7 } });
  const card = page.locator('article', { hasText: 'add_item' });
  const away = async () => {
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.goBack();
    await card.waitFor();
  };
  const editor = page.getByLabel('Arguments as JSON');
  await card.press('e');
  expect(await asks(page)).toBe(false);
  await editor.fill('{ "id": 8, "name": "hunter2" }');
  expect(await asks(page)).toBe(true);
  await away();
  await card.press('e');
  expect(await editor.inputValue()).toBe('{ "id": 8, "name": "hunter2" }');
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain('hunter2');
  // what is given up is gone
  await page.keyboard.press('Escape');
  expect(await asks(page)).toBe(false);
  await card.press('e');
  expect(await editor.inputValue()).toBe('{\n  "id": 7\n}');
  await page.keyboard.press('Escape');

  const reason = card.getByLabel('Reason');
  await card.press('r');
  await reason.fill('Not on a Friday');
  expect(await asks(page)).toBe(true);
  await away();
  await card.press('r');
  expect(await reason.inputValue()).toBe('Not on a Friday');
  await page.keyboard.press('Enter');
  expect(JSON.stringify(await answer)).toContain('Not on a Friday');
  await expect.poll(() => asks(page)).toBe(false);
});
