import { expect, it } from 'vitest';
import { defineTool } from '../../../gateway/src/index.ts';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, signInAsOwner, startGateway } from './support/gateway.ts';
import { expectAccessible, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { addAcme, withDirectory } from './support/team.ts';

const browser = openBrowser();

const SOURCES = 60;
const PEOPLE = 63;

/** More people and sources than fit any window. */
async function startLarge(): Promise<RunningGateway> {
  const open = { '*': 'read-write' } as const;
  const read = (n: number) =>
    defineTool({ name: `read_${n}`, access: 'read', description: 'Reads.', handler: () => ({}) });
  const running = await startGateway(
    { name: 'acme', auth: { mode: 'team' }, policy: { defaults: { organisation: open, user: open } } },
    {
      functions: Object.fromEntries(
        Array.from({ length: SOURCES }, (_, n) => [`department-${n}`, { tools: [read(n)] }]),
      ),
    },
  );
  await addAcme(running);
  await withDirectory(running, async ({ users }) => {
    for (let n = 3; n < PEOPLE; n++) {
      const name = `Person ${String(n).padStart(2, '0')}`;
      await users.create(LOCAL_PRINCIPAL, { id: `p${n}`, organisation: 'acme', name });
    }
  });
  return running;
}

it('draws what is in view of a large matrix, and keys lead to the rest of it', async () => {
  const running = await startLarge();
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/access');
  const grid = page.getByRole('grid', { name: 'Access of people to sources' });
  const first = grid.getByRole('button', { name: 'Organisation, department-0' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await first.waitFor();
  // of some four thousand
  expect(await grid.getByRole('button').count()).toBeLessThan(500);
  await expectAccessible(page);
  await shoot(page, 'access-large');

  await first.press('Control+End');
  await expect.poll(focused).toMatch(/, department-59: /);
  // the first page of people ended there; more came
  const seen = async () => (await grid.getByRole('row').last().getAttribute('aria-rowindex')) ?? '';
  await expect.poll(async () => [await page.keyboard.press('Control+End'), await seen()][1]).toBe('65');
  await expect.poll(focused).toMatch(/^Person 62, department-59: /);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toMatch(/^Person 62, department-58: /);
  const place = await page.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON());
  expect(place.left).toBeGreaterThan(0);
  expect(place.right).toBeLessThanOrEqual(1280);
  await expectAccessible(page);

  // what has the focus stays while others are looked at
  expect(await first.count()).toBe(0);
  await grid.evaluate((table) => table.parentElement!.scrollTo(0, 0));
  await first.waitFor();
  expect(await focused()).toMatch(/^Person 62, department-58: /);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toMatch(/^Organisation, department-0: /);
});

it('at 380 px more people take the focus where the button for them goes', async () => {
  const running = await startLarge();
  const page = await browser.page(`${running.url}/sign-in`, { width: 380 });
  await signInAsOwner(page, running, '/access');
  const people = page.getByRole('heading', { level: 2 });
  // of a person some of the sources; all of them when they are asked for
  const cells = page.getByRole('button', { name: /^department-/ });
  await expect.poll(() => cells.count()).toBe(51 * 12);
  const all = page.getByRole('button', { name: 'All 60 sources of Ann Alder' });
  await all.press('Enter');
  await expect.poll(() => cells.count()).toBe(51 * 12 + 48);
  expect(await all.getAttribute('aria-expanded')).toBe('true');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More people' }).press('Enter');
  await expect.poll(() => people.count()).toBe(PEOPLE + 1);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe(await people.nth(51).textContent());
  await expectNoSidewaysScroll(page);
});
