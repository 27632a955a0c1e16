import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { held } from './support/held.ts';
import { startStock } from './support/stock.ts';

const browser = openBrowser();
const PATHS = [
  'calls',
  'approvals',
  'tools',
  'tools/count_items',
  'tokens',
  'sources',
  'sources/stock',
  'access',
  'people',
  'changes',
  'artifacts',
  'artifacts/x',
  'usage',
  'doctor',
  'settings',
];

it('every page says what it is while what it shows is read', async () => {
  const { url } = await startStock();
  const page = await browser.page(`${url}/settings`);
  const answers = await held(page, /\/api\/v1\/(?!session$)/);
  const without: string[] = [];
  for (const path of PATHS) {
    await page.goto(`${url}/${path}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor({ timeout: 10_000 }).catch(() => without.push(path));
  }
  answers.resolve();
  expect(without).toEqual([]);
});
