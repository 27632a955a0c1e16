import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { startStock } from './support/stock.ts';
import { addAcme, signInWithKey, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();
/** 1280 pixels at 400 % (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
const right = (page: Page, of: string) =>
  page
    .locator(of)
    .first()
    .evaluate((one) => Math.round(one.getBoundingClientRect().right));

it('at 320 px what can be done with a key is in sight beside it', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`, NARROW);
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/people?show=keys`);
  const revoke = page.getByRole('button', { name: /^Revoke laptop/ });
  await revoke.waitFor();
  expect(await revoke.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThan(320);
  await page.getByRole('cell', { name: /read, write and delete/ }).waitFor();
  await expectNoSidewaysScroll(page);
  await shoot(page, 'keys-320');
});

it('at 320 px what can be done with a role and with a browser is in sight', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank', NARROW);
  await signInAsOwner(page, running, '/people?show=roles');
  for (const path of ['/people?show=roles', '/settings']) {
    await page.goto(`${running.url}${path}`);
    const table = page.getByRole('table').first();
    await table.waitFor();
    expect(
      await table.evaluate(({ parentElement: box }) => box!.scrollWidth - box!.clientWidth),
    ).toBeLessThanOrEqual(1);
  }
});

it('at 320 px a call that failed is laid out as the others are', async () => {
  const stock = await startStock();
  const client = await stock.client();
  for (const name of ['count_items', 'break_item']) await client.callTool({ name, arguments: {} });
  const page = await browser.page('about:blank', NARROW);
  await signInAsOwner(page, stock, '/calls');
  await page.getByRole('row').filter({ hasText: 'break_item' }).waitFor();
  for (const column of ['Took', 'Source'])
    expect(await right(page, `[data-state=failed] [data-column=${column}]`)).toBe(
      await right(page, `[data-state=completed] [data-column=${column}]`),
    );
  await expectNoSidewaysScroll(page);
  await shoot(page, 'calls-320');
});

it('the filters of tools stand in one line where there is room', async () => {
  const stock = await startStock();
  const page = await browser.page('about:blank');
  await signInAsOwner(page, stock, '/tools');
  const search = page.getByRole('search');
  await search.getByLabel('Source', { exact: true }).waitFor();
  const tops = await search
    .locator('input, select')
    .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().top)));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
  await shoot(page, 'tools-filters');
});

it('at 320 px what a box of levels is about stands within its border', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/access');
  await page.getByRole('button', { name: /^Ben Birch, desk/ }).click();
  const legend = page.getByRole('dialog').locator('legend').first();
  const below = () =>
    legend.evaluate(
      (one) => one.getBoundingClientRect().top - one.parentElement!.getBoundingClientRect().top,
    );
  await page.setViewportSize(NARROW);
  // a line of the border ran through its second line
  await expect.poll(below).toBeGreaterThan(4);
  await expectNoSidewaysScroll(page);
  await shoot(page, 'level-320');
});

it('at 400 % a name without end leaves the form below it in reach', async () => {
  const running = await startTeam();
  await addAcme(running);
  const name = 'W'.repeat(200);
  await withDirectory(running, ({ users }) =>
    users.create(LOCAL_PRINCIPAL, { id: 'long', organisation: 'acme', name }),
  );
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  await page.getByRole('button', { name: `Change ${name}` }).click();
  const form = page.getByRole('dialog');
  for (const height of [256, 640]) {
    await page.setViewportSize({ width: 320, height });
    for (const place of [form.getByLabel('Email'), form.getByRole('button', { name: 'Save' })]) {
      const isSeen = () =>
        place.evaluate((one) => {
          one.scrollIntoView({ block: 'center' });
          const { left, top, width, height } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
      await expect.poll(isSeen).toBe(true);
    }
    await expectNoSidewaysScroll(page);
    await shoot(page, `dialog-320-${height}`);
  }
});

it('on a telephone what a check is called stands beside nothing that it runs into', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank', NARROW);
  await signInAsOwner(page, running, '/tools/list_events?show=access');
  const table = page.getByRole('table', { name: 'Checks of list_events' });
  await table.waitFor();
  for (const width of [320, 380, 600]) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = await table
      .getByRole('rowheader')
      .evaluateAll((all) =>
        all
          .filter(
            (one) => one.firstElementChild!.getBoundingClientRect().right > one.getBoundingClientRect().right,
          )
          .map(({ textContent }) => textContent),
      );
    expect(beyond).toEqual([]);
    await shoot(page, `checks-${width}`);
  }
});
