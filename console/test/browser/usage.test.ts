import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { expectLivable, shoot } from './support/page-checks.ts';
import { type Stock, startStock } from './support/stock.ts';

const browser = openBrowser();

const call = async (stock: Stock, name: string, times: number) => {
  const client = await stock.client();
  for (let made = 0; made < times; made++) await client.callTool({ name, arguments: {} });
};

it('says so where nothing was called', async () => {
  const { url } = await startStock();
  const page = await browser.page(`${url}/usage`);
  await page.getByText('No calls in these days').first().waitFor();
  await page.getByText('No budget has begun').waitFor();
  await expectLivable(page, 'usage-empty');
});

it('adds up calls, failures and time; draws them, and says the same as numbers', async () => {
  const stock = await startStock({
    policy: { budgets: [{ name: 'a day', source: 'stock', per: 'principal', window: '1d', calls: 10 }] },
  });
  await call(stock, 'count_items', 7);
  await call(stock, 'break_item', 2);
  const page = await browser.page(`${stock.url}/usage`);
  const chart = page.getByRole('img', { name: /^9 calls from .+ 2 of them failed; / });
  await chart.waitFor();
  await chart.locator('canvas').waitFor();
  // something is drawn on it, in the colours of the theme
  await expect.poll(() => chart.locator('canvas').evaluate(drawnColours)).toBeGreaterThan(1);
  const sums = page.getByRole('definition');
  expect(await sums.nth(0).textContent()).toBe('9');
  expect(await sums.nth(1).textContent()).toBe('2 22.2%');

  await page.getByText('The same as numbers').click();
  const today = new Date().toISOString().slice(0, 10);
  const day = page.getByRole('table', { name: 'Usage by day' }).getByRole('row', { name: today });
  expect((await day.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['9', '2']);
  await page.getByText('9 calls of 10 calls').waitFor();
  await page.getByText('nearly').waitFor();
  await expectLivable(page, 'usage');

  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByRole('heading', { name: 'Mean time a day' }).waitFor();
  await shoot(page, 'usage-time');
  await page.getByRole('tab', { name: 'By operation' }).click();
  const table = page.getByRole('table', { name: 'Usage by operation' });
  await table.getByRole('row', { name: /break_item/ }).waitFor();
  expect(await table.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Operation'),
    expect.stringMatching(/^count_items70/),
    expect.stringMatching(/^break_item22/),
  ]);
});

it('shows the numbers alone where the language of the browser is none', async () => {
  const stock = await startStock();
  await call(stock, 'count_items', 3);
  const page = await browser.page('about:blank');
  // as WebKit says it on a machine without a locale
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'C' }));
  await page.goto(`${stock.url}/usage`);
  await page.getByText('This browser cannot draw the chart').waitFor();
  await page.getByText('The same as numbers').click();
  await page.getByRole('table', { name: 'Usage by day' }).getByRole('cell', { name: '3' }).first().waitFor();
});

it('keeps days and filters in the address', async () => {
  const stock = await startStock();
  await call(stock, 'count_items', 3);
  await call(stock, 'break_item', 1);
  const page = await browser.page(`${stock.url}/usage`);
  await page.getByRole('tab', { name: 'By operation' }).click();
  await page.getByRole('button', { name: 'count_items' }).click();
  await page.getByRole('img', { name: /^3 calls/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('operation')).toBe('count_items');
  await page.getByRole('button', { name: '7 days' }).click();
  expect(await page.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed')).toBe('true');
  await page.reload();
  await page.getByRole('img', { name: /^3 calls/ }).waitFor();
  await page.getByRole('button', { name: /^Only operation count_items/ }).click();
  await page.getByRole('img', { name: /^4 calls/ }).waitFor();

  await page.getByLabel('Last day').fill('2020-01-31');
  await page.getByText('No calls in these days').first().waitFor();
  expect(new URL(page.url()).searchParams.get('from')! <= '2020-01-31').toBe(true);
});

/** How many colours a canvas has, beside what is not drawn on. */
function drawnColours(canvas: Element): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 255) colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
  }
  return colours.size;
}
