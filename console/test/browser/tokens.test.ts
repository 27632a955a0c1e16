import { afterEach, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { expectLivable } from './support/page-checks.ts';
import { startToolGateway, type ToolGateway } from './support/tool-gateway.ts';

const browser = openBrowser();
let open: ToolGateway | undefined;
afterEach(() => open?.close());

it('measures every topology, and says what auto takes for any budget', async () => {
  open = await startToolGateway();
  const page = await browser.page(`${open.url}/tokens`);
  const verdict = page.getByRole('heading', { name: /auto/ });
  await expect.poll(() => verdict.textContent()).toMatch(/^With 20,000 tokens auto takes flat: 4 tools/);
  const table = page.getByRole('table', { name: 'Tools and tokens of every topology' });
  for (const name of ['flat', 'hybrid', 'search', 'base'])
    await table.getByRole('rowheader', { name: new RegExp(`^${name}`) }).waitFor();
  await expectLivable(page, 'tokens');

  const slider = page.getByRole('slider', { name: 'Token budget' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => verdict.textContent()).toMatch(/^Nothing fits 100 tokens/);
  expect(await page.getByRole('spinbutton', { name: 'Tokens' }).inputValue()).toBe('100');
  await page.getByRole('spinbutton', { name: 'Tokens' }).fill('550');
  await expect.poll(() => verdict.textContent()).toMatch(/^With 550 tokens auto takes (?!flat)/);
  await page.getByText('flat: 4 tools').waitFor();
  await page.getByRole('button', { name: 'As configured: 20,000' }).click();
  await expect.poll(() => verdict.textContent()).toMatch(/^With 20,000 tokens auto takes flat/);

  const dearest = page.getByRole('table', { name: 'Tokens of tools in flat' });
  await dearest.getByRole('link', { name: 'getForecast' }).waitFor();
  await page.getByLabel('Topology', { exact: true }).selectOption('search');
  await page.getByRole('table', { name: 'Tokens of tools in search' }).getByText('call_tool').waitFor();
});

it('follows the catalog: a tool that is switched on is counted', async () => {
  open = await startToolGateway();
  const page = await browser.page(`${open.url}/tokens`);
  await page.getByRole('heading', { name: /auto takes flat: 4 tools/ }).waitFor();
  const response = await page.request.put(`${open.url}/api/v1/features/weather.air`, {
    data: { enabled: true },
  });
  expect(response.status()).toBe(200);
  await page.getByRole('heading', { name: /auto takes flat: 5 tools/ }).waitFor();
});
