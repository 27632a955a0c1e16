import { expect, it, onTestFinished } from 'vitest';
import { startGreenhouseV3 } from '../../../gateway/test/doubles/greenhouse-v3.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

const browser = openBrowser();

it('arguments within arguments are in sight before they are agreed to', async () => {
  const running = await startGateway(
    { name: 'acme', policy: { approvals: { write: 'ask' } } },
    {
      functions: {
        shop: {
          tools: [
            {
              name: 'place_order',
              description: 'Places an order.',
              access: 'write',
              input: { type: 'object' },
              handler: (args) => args,
            },
          ],
        },
      },
    },
  );
  const client = await running.client();
  const line = { sku: 'bolt', quantity: 20, price: { amount: 9, currency: 'EUR' } };
  await client.callTool({
    name: 'place_order',
    arguments: { order: { lines: [line], ship: { to: 'Berlin' } } },
  });
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/approvals');
  const card = page.getByRole('article');
  for (const text of ['"Berlin"', '"bolt"', '20', '"EUR"'])
    await card.getByText(text, { exact: true }).waitFor();
  await expectLivable(page, 'approvals-nested');
});

it('a proxied request shows its path in one piece, and offers no edit that would be refused', async () => {
  const double = await startGreenhouseV3();
  process.env['PROXIED_TEST_TOKEN'] = 'a-token-of-the-provider';
  onTestFinished(async () => {
    delete process.env['PROXIED_TEST_TOKEN'];
    await double.close();
  });
  const running = await startGateway({
    name: 'acme',
    sources: {
      'greenhouse-v3': {
        manifest: 'greenhouse-v3',
        rawProxy: true,
        baseUrl: double.url,
        credentials: { bearer: { env: 'PROXIED_TEST_TOKEN' } },
      },
    },
  });
  const answer = await fetch(`${running.url}/api/v1/ats/proxy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'greenhouse-v3', method: 'DELETE', path: '/houses/17/rooms/3' }),
  });
  expect(answer.status).toBe(409);
  const page = await browser.page(running.url);
  await signInAsOwner(page, running, '/approvals');
  const card = page.getByRole('article');
  await card.getByText('"houses/17/rooms/3"').waitFor();
  await card.getByRole('button', { name: /^Reject/ }).waitFor();
  expect(await card.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  await card.press('e');
  expect(await page.getByLabel('Arguments as JSON').count()).toBe(0);
  // no tool of that name has a page
  expect(await card.getByRole('link', { name: 'ats-proxy' }).count()).toBe(0);
  await expectLivable(page, 'approvals-proxied');
});
