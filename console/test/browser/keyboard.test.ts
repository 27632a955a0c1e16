import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { startStock } from './support/stock.ts';
import { tabWalk } from './support/tab-walk.ts';
import { addAcme, startTeam } from './support/team.ts';

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

it('Tab alone leads through every page: seen, in order, to everything, and out again', async () => {
  const stock = await startStock();
  const client = await stock.client();
  for (const name of ['list_items', 'count_items']) await client.callTool({ name, arguments: {} });
  void client.callTool({ name: 'add_item', arguments: { id: 7 } }).catch(() => undefined);
  const team = await startTeam();
  await addAcme(team);
  const page = await browser.page('about:blank');
  const faults: string[] = [];
  const walk = async (path: string) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText(/^Loading /).count()).toBe(0);
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 800 });
      // a page hears of its new width with the next frame, and may draw something else then
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      faults.push(...(await tabWalk(page)).map((fault) => `${path} at ${width}: ${fault}`));
    }
  };
  await signInAsOwner(page, stock, '/approvals');
  await page.locator('article').first().waitFor();
  for (const path of PATHS) await walk(`${stock.url}/${path}`);
  await signInAsOwner(page, team, '/people');
  for (const path of ['people', 'people?show=keys', 'people?show=roles', 'access', 'sign-in'])
    await walk(`${team.url}/${path}`);
  expect(faults).toEqual([]);
});

it('arrows, Home and End choose a part, and a dialog gives the focus back to what opened it', async () => {
  const team = await startTeam();
  await addAcme(team);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, team, '/people');
  const chosen = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('tab', { name: 'People' }).focus();
  for (const [key, part] of [
    ['End', 'Organisations'],
    ['ArrowRight', 'People'],
    ['ArrowLeft', 'Organisations'],
    ['Home', 'People'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('tab', { name: part, selected: true }).waitFor();
    expect(await chosen()).toBe(part);
  }
  const openers = [
    'Keys of this page',
    'Add a person',
    'New key for Ben Birch',
    'Change Ben Birch',
    'Remove Ben Birch',
  ];
  for (const name of openers) {
    const opener = page.getByRole('button', { name });
    await opener.press('Enter');
    await page.getByRole('dialog').waitFor();
    // nothing below it takes the focus, however far one goes
    const below = () =>
      page.evaluate(
        () =>
          document.querySelector(':focus') !== null &&
          document.querySelector('dialog :focus, dialog:focus') === null,
      );
    for (let pressed = 0; pressed < 20; pressed++) {
      await page.keyboard.press('Tab');
      expect(await below()).toBe(false);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  }
});
