import { afterEach, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';
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

it('measures what somebody else is given, and says why a tool is missing there', async () => {
  const running = await startTeam();
  const { key, admin } = await addAcme(running);
  const response = await fetch(`${running.url}/api/v1/access`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'cleo', scope: 'source:desk', level: 'read-only' }),
  });
  expect(response.ok).toBe(true);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/tokens');
  const tools = () => page.getByText(/^flat: \d tools/).textContent();
  await expect.poll(tools).toMatch(/^flat: [67] tools/);
  await page.getByLabel('As seen by').selectOption({ label: 'Cleo Cedar' });
  await expect.poll(tools).toMatch(/^flat: 4 tools/);
  await page.getByText(/what Cleo Cedar sees/).waitFor();
  await expectLivable(page, 'tokens-person');

  await page.goto(`${running.url}/tools/answer_ticket`);
  await page.getByRole('tab', { name: 'Access' }).click();
  await page.getByText('It is offered, and a call is let through.').waitFor();
  await page.getByLabel('As seen by').selectOption({ label: 'Cleo Cedar' });
  await page.getByText(/^It is hidden by .*user-level/).waitFor();
  await expectLivable(page, 'tools-person');

  const own = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(own, running, key);
  await own.goto(`${running.url}/tokens`);
  await own.getByText(/^flat: \d tools/).waitFor();
  expect(await own.getByLabel('As seen by').count()).toBe(0);
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
