import { it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectAccessible, shoot } from './support/page-checks.ts';
import { startStock } from './support/stock.ts';
import { addAcme, startTeam } from './support/team.ts';

const browser = openBrowser();

it('a card leads to what its caller did before, and to what its tool does', async () => {
  const stock = await startStock({ policy: { approvals: { write: 'ask' } } });
  const client = await stock.client();
  await client.callTool({ name: 'count_items', arguments: {} });
  await client.callTool({ name: 'delete_item', arguments: { id: 7 } });
  const page = await browser.page(stock.url);
  await signInAsOwner(page, stock, '/approvals');
  const card = page.locator('article', { hasText: 'delete_item' });
  await card.getByRole('link', { name: 'delete_item' }).click();
  await page.getByRole('heading', { level: 1, name: 'delete_item' }).waitFor();
  await page.goBack();
  await card.getByRole('link', { name: 'local' }).click();
  await page.waitForURL(`${stock.url}/calls?principal=local`);
  await page.getByRole('row').filter({ hasText: 'count_items' }).waitFor();
  // commands are told from words in a story, as in every other refusal
  await page.getByRole('row').filter({ hasText: 'delete_item' }).click();
  await page
    .getByRole('article')
    .locator('code', { hasText: /^toolcrib approvals$/ })
    .waitFor();
  await expectAccessible(page);
});

it('of many accounts one is found by whose it is and by its state', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await page.route(/\/api\/v1\/connections$/, (route) =>
    route.fulfill({
      json: {
        connections: Array.from({ length: 300 }, (_, n) => ({
          id: `c${n}`,
          organisation: 'acme',
          user: n === 299 ? 'ben' : null,
          source: `department-${n}`,
          name: `department-${n}`,
          status: 'connected',
          region: null,
          updatedAt: '2026-11-21T10:00:00.000Z',
        })),
      },
    }),
  );
  await signInAsOwner(page, running, '/sources?show=connections');
  await page.getByLabel('Filter connections').fill('ben birch');
  await page.getByText('1 of 300 connections').waitFor();
  await page.getByRole('cell', { name: 'department-299' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'connections-found');
});

it('whoever looks for a tool that is not there is told where it may be', async () => {
  const running = await startTeam();
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/tools?q=zeppelin');
  await page.getByText('Nothing fits').waitFor();
  await page.getByText('could not be read stands with its').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'source' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
});
