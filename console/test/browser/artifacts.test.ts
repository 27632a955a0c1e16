import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable, shoot } from './support/page-checks.ts';
import { type Stock, startStock } from './support/stock.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

/** 2 × 2 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP8z8DAwMDAxAADCAAAHhkBAeBdfR8AAAAASUVORK5CYII=',
  'base64',
);
const ROWS = Array.from({ length: 450 }, (_, id) => ({
  id,
  name: `Item ${id}`,
  price: id * 1.5,
  sold: id % 2 === 0,
}));

const keep = async (stock: Stock, mimeType: string, name: string, content: string | Uint8Array) =>
  (await stock.gateway.artifacts()).put(Buffer.from(content), { mimeType, name });
const open = (stock: Stock, path: string): Promise<Page> => browser.page(`${stock.url}${path}`);

it('lists what is kept page by page, and removes one when asked twice', async () => {
  const stock = await startStock();
  const empty = await open(stock, '/artifacts');
  await empty.getByText('Nothing is kept').waitFor();
  await shoot(empty, 'artifacts-empty');
  for (let made = 0; made < 53; made++) await keep(stock, 'text/plain', `note-${made}.txt`, `note ${made}`);
  const owner = { kind: 'user', id: 'ann', organisation: 'north', maxAccess: 'read', roles: [] } as const;
  const own = await (await stock.gateway.artifacts(owner)).put(Buffer.from('[]'), {
    mimeType: 'application/json',
    name: 'stock_list_all_the_items_of_every_warehouse_with_a_long_name.json',
  });

  const page = await open(stock, '/artifacts');
  const rows = page.getByRole('row');
  await rows.nth(50).waitFor();
  await page.getByText('ann (north)').waitFor();
  await expectLivable(page, 'artifacts-list');
  await page.getByRole('button', { name: 'Older ones' }).press('Enter');
  await rows.nth(54).waitFor();
  expect(await rows.count()).toBe(55);
  expect(await page.getByRole('button', { name: 'Older ones' }).count()).toBe(0);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  // at the first of those that came: the button went with the last of them
  await expect.poll(focused).toBe(await rows.nth(51).getByRole('link').first().textContent());

  await page.getByRole('button', { name: /^Remove stock_list_all/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  expect(await (await stock.gateway.artifacts()).open(own.id)).toBeDefined();
  await page.getByRole('button', { name: /^Remove stock_list_all/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect.poll(() => rows.count()).toBeLessThan(55);
  await expect.poll(focused).toBe('note-52.txt');
  expect(await (await stock.gateway.artifacts()).open(own.id)).toBeUndefined();
});

it('finds what is kept by its name, and by person for the operator', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const put = async (id: string, name: string) => {
    const owner = { kind: 'user', id, organisation: 'acme', maxAccess: 'read', roles: [] } as const;
    const kept = await running.gateway.artifacts(owner);
    await kept.put(Buffer.from(name), { mimeType: 'application/json', name });
  };
  for (const name of ['listTickets.json', 'listEvents.json']) await put('ben', name);
  await put('cleo', 'listTickets.json');
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/artifacts');
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  await page.getByLabel('Text in the name').fill('TICKETS');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('Owner').selectOption({ label: 'Ben Birch' });
  await page.waitForURL(/q=TICKETS&user=ben$/);
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('cell', { name: 'Ben Birch' }).waitFor();
  await expectLivable(page, 'artifacts-filters');
  await page.getByLabel('Owner').selectOption({ label: 'Ann Alder' });
  await page.getByText('Nothing that is kept fits these filters').waitFor();

  const own = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(own, running, key);
  await own.goto(`${running.url}/artifacts`);
  await expect.poll(() => own.getByRole('row').count()).toBe(3);
  expect(await own.getByLabel('Owner').count()).toBe(0);
});

it('shows JSON as a table, a tree and its text', async () => {
  const stock = await startStock();
  const { id } = await keep(stock, 'application/json', 'items.json', JSON.stringify(ROWS));
  const page = await open(stock, `/artifacts/${id}`);
  await page.getByRole('cell', { name: 'Item 199' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(201);
  await page.getByText('200 of 450 rows').waitFor();
  await expectLivable(page, 'artifacts-table');
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('cell', { name: 'Item 449' }).waitFor();

  await page.getByRole('tab', { name: 'Table' }).press('ArrowRight');
  await page.getByText('450 items').waitFor();
  await page.getByText('4 members').first().click();
  await page.getByText('"Item 0"').waitFor();
  await expectLivable(page, 'artifacts-tree');
  await page.getByRole('tab', { name: 'Tree' }).press('ArrowRight');
  await page.getByText('[{"id":0,"name":"Item 0"').waitFor();
});

it('shows separated values, images, and bytes', async () => {
  const stock = await startStock();
  const csv = await keep(stock, 'text/csv', 'people.csv', 'name;note\n"Ann; Lee";"says ""hi"""\n');
  const png = await keep(stock, 'image/png', 'pixels.png', PNG);
  const pdf = await keep(stock, 'application/pdf', 'report.pdf', '%PDF-1.7\u0000 rest');
  const page = await open(stock, `/artifacts/${csv.id}`);
  await page.getByRole('cell', { name: 'Ann; Lee' }).waitFor();
  await page.getByRole('cell', { name: 'says "hi"' }).waitFor();

  await page.goto(`${stock.url}/artifacts/${png.id}`);
  const image = page.getByRole('img', { name: 'pixels.png' });
  await expect.poll(() => image.evaluate((drawn: HTMLImageElement) => drawn.naturalWidth)).toBe(2);
  expect(await image.getAttribute('src')).toMatch(/^blob:/);

  await page.goto(`${stock.url}/artifacts/${pdf.id}`);
  await page.getByText('00000000  25 50 44 46 2d 31 2e 37').waitFor();
  await expectLivable(page, 'artifacts-bytes');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report.pdf');
});

it('never draws or runs what is a document: SVG and HTML are text', async () => {
  const stock = await startStock();
  const hostile = '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hacked = 1</script></svg>';
  const page = await open(stock, '/artifacts');
  for (const [type, name] of [
    ['image/svg+xml', 'a.svg'],
    ['text/html', 'a.html'],
  ] as const) {
    const { id } = await keep(stock, type, name, hostile);
    await page.goto(`${stock.url}/artifacts/${id}`);
    await page.getByText('<script>parent.hacked = 1</script>').waitFor();
    expect(await page.locator('main svg, main iframe, main img').count()).toBe(0);
  }
  // bytes that are none of what their type says
  const { id } = await keep(stock, 'image/png', 'b.png', hostile);
  await page.goto(`${stock.url}/artifacts/${id}`);
  await page.getByText('This browser cannot read the image').waitFor();
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
});

it('reads one megabyte of fifty, and stays usable', async () => {
  const stock = await startStock();
  const line = `${JSON.stringify({ id: 1, text: 'x'.repeat(980) })},\n`;
  const size = 50_000_000;
  const content = Buffer.alloc(size, line);
  const { id } = await keep(stock, 'application/json', 'large.json', content);
  const page = await browser.page('about:blank');
  const read: number[] = [];
  page.on('response', async (response) => {
    if (!new URL(response.url()).pathname.endsWith(`/artifacts/${id}`) || !response.url().includes('/api/'))
      return;
    expect(response.status()).toBe(206);
    read.push((await response.request().sizes()).responseBodySize);
  });
  await page.goto(`${stock.url}/artifacts/${id}`);
  await page.getByText('The first 1.0 MB of 50.0 MB').waitFor();
  await page.getByText('960,000 more characters').waitFor();
  await shoot(page, 'artifacts-large');
  await expect.poll(() => read).toEqual([1_000_000]);
});

it('says which call left an artifact', async () => {
  const stock = await startStock();
  const client = await stock.client();
  await client.callTool({ name: 'list_items', arguments: {} });
  const [kept] = await (await stock.gateway.artifacts()).list();
  const page = await open(stock, `/artifacts/${kept!.id}`);
  const link = page.getByRole('link', { name: 'list_items', exact: true });
  await link.waitFor();
  await shoot(page, 'artifacts-of-a-call');
  const [ended] = await stock.gateway.events(undefined, { type: 'call-completed' });
  expect(ended).toMatchObject({ artifact: kept!.id });
  expect(await link.getAttribute('href')).toBe(`/calls/${(ended as { call: string }).call}`);
});

it('says so where one is gone', async () => {
  const stock = await startStock();
  const { id } = await keep(stock, 'text/plain', 'gone.txt', 'x');
  await (await stock.gateway.artifacts()).remove(id);
  const page = await open(stock, `/artifacts/${id}`);
  await page.getByText('The artifact could not be read').waitFor();
  await page.getByText('not_found').waitFor();
  await shoot(page, 'artifacts-gone');
});
