import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectAccessible, expectLivable, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { addAcme, withDirectory } from './support/team.ts';

const browser = openBrowser();

const ARABIC = 'يضبط صلاحيات كل عضو في المؤسسة ولا يمكن الرجوع عن ذلك. '.repeat(9).trim();

/** A dozen sources, whose tools have names as long as names can be and ask before they write. */
async function startMuch() {
  const source = (number: number) => ({
    tools: [
      {
        name: `set_the_permission_of_every_member_of_the_organisation_${number}`,
        description: number === 0 ? ARABIC : 'Sets it. '.repeat(60),
        access: 'write' as const,
        input: { type: 'object' as const, ...(number === 0 ? { additionalProperties: false } : {}) },
        handler: () => ({}),
      },
    ],
  });
  return startGateway(
    {
      name: 'acme',
      auth: { mode: 'team' },
      policy: {
        approvals: { write: 'ask' },
        defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      },
    },
    {
      functions: Object.fromEntries(
        Array.from({ length: 12 }, (_, n) => [`a-department-of-the-region-${n}`, source(n)]),
      ),
    },
  );
}

it('long names and many sources fit a laptop, and nothing scrolls beside the page', async () => {
  const running = await startMuch();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`, { width: 1100 });
  await signInAsOwner(page, running, '/access');
  await page
    .getByRole('button', { name: /^Ben Birch, a-department/ })
    .first()
    .waitFor();
  await expectNoSidewaysScroll(page);
  await shoot(page, 'much-access');
  await page.goto(`${running.url}/tools`);
  const rows = page.getByRole('list', { name: 'Tools' }).getByRole('listitem');
  await rows.first().waitFor();
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(130);
  await expectNoSidewaysScroll(page);
  await shoot(page, 'much-tools');
});

it('how much a source offers, and which source was called, is seen on a telephone', async () => {
  const tools = Array.from({ length: 1_000 }, (_, n) => ({
    name: `read_${n}`,
    description: 'Reads.',
    access: 'read' as const,
    handler: () => ({}),
  }));
  const running = await startGateway({ name: 'acme' }, { functions: { 'a-thousand': { tools } } });
  const page = await browser.page(`${running.url}/sign-in`, { width: 360 });
  await signInAsOwner(page, running, '/access');
  const offered = page.getByText('1,000 of 1,000');
  await offered.waitFor();
  expect(await offered.evaluate((cell) => cell.getBoundingClientRect().right)).toBeLessThan(360);
  const table = page.getByRole('table', { name: 'Access by source' });
  expect(await table.evaluate((one) => one.scrollWidth - one.parentElement!.clientWidth)).toBeLessThanOrEqual(
    0,
  );
  await shoot(page, 'much-alone-narrow');

  await running.gateway.call({ tool: 'read_7', arguments: {} });
  await page.goto(`${running.url}/calls`);
  const called = page.getByRole('gridcell', { name: 'a-thousand' });
  await called.waitFor();
  expect(await called.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBeLessThanOrEqual(0);
  await shoot(page, 'much-calls-narrow');
});

it('arguments that are longer than their place are read by keyboard before they are agreed to', async () => {
  const running = await startMuch();
  const { key } = await addAcme(running);
  const tool = 'set_the_permission_of_every_member_of_the_organisation_1';
  const words = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`part${n}`, 'all of them '.repeat(40)]),
  );
  const called = await fetch(`${running.url}/api/v1/tools/${tool}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: words }),
  });
  expect(called.ok).toBe(false);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/approvals');
  await page.getByRole('heading', { name: 'Arguments' }).waitFor();
  await expectAccessible(page);
  // what takes the focus has a name
  const box = page
    .locator('[tabindex="0"][role="group"][aria-label="Arguments"]')
    .filter({ has: page.getByRole('group', { name: 'Arguments' }) });
  const place = () => page.evaluate(() => document.activeElement?.scrollTop ?? 0);
  await box.focus();
  await page.keyboard.press('End');
  await expect.poll(place).toBeGreaterThan(100);

  // and after it was decided
  const approvals = await running.gateway.approvals();
  const { id } = (await approvals.list({ kind: 'operator' }))[0]!;
  await approvals.decide(id, { decision: 'reject' }, { kind: 'operator', channel: 'cli', id: 'root' });
  await page.goto(`${running.url}/approvals/${id}`);
  await page.getByRole('heading', { name: 'Arguments as asked' }).waitFor();
  await expectAccessible(page);
  await box.focus();
  await page.keyboard.press('End');
  await expect.poll(place).toBeGreaterThan(100);
});

it('at 375 px every part of a source is in sight, an error code is whole, and Arabic is cut at its own end', async () => {
  const running = await startMuch();
  const { key } = await addAcme(running);
  const tool = 'set_the_permission_of_every_member_of_the_organisation_0';
  await fetch(`${running.url}/api/v1/tools/${tool}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: { nobody: 'asked' } }),
  });
  const page = await browser.page(`${running.url}/sign-in`, { width: 375 });
  await signInAsOwner(page, running, '/sources/a-department-of-the-region-0?show=drift');
  await page.getByRole('tab', { name: 'Changes' }).waitFor();
  const tabs = await page
    .getByRole('tab')
    .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
  expect(tabs).toHaveLength(5);
  expect(Math.max(...tabs)).toBeLessThanOrEqual(375);
  await expectNoSidewaysScroll(page);
  await shoot(page, 'much-source-narrow');

  await page.goto(`${running.url}/tools`);
  const purpose = page.getByText(ARABIC.slice(0, 20)).first();
  await purpose.waitFor();
  expect(
    await purpose.evaluate((text) => [getComputedStyle(text).direction, text.scrollWidth > text.clientWidth]),
  ).toEqual(['rtl', true]);
  await shoot(page, 'much-tools-narrow');

  await page.goto(`${running.url}/calls`);
  const outcome = page.getByRole('row').locator('[data-column=Outcome]').last();
  await outcome.waitFor();
  expect(await outcome.textContent()).toBe('arguments_invalid');
  expect(await outcome.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await shoot(page, 'much-calls-narrow');
});

it('a word without end leaves what can be done with its row in sight', async () => {
  const running = await startMuch();
  await addAcme(running);
  await withDirectory(running, ({ users }) =>
    users.create(LOCAL_PRINCIPAL, { id: 'long', organisation: 'acme', name: 'A'.repeat(200) }),
  );
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  const right = async () => {
    const box = await page.getByRole('button', { name: 'Remove Ben Birch' }).boundingBox();
    return box!.x + box!.width;
  };
  await page.getByRole('button', { name: 'Remove Ben Birch' }).waitFor();
  expect(await right()).toBeLessThan(1280);
  await shoot(page, 'much-people');
  await page.setViewportSize({ width: 380, height: 800 });
  await expect.poll(right).toBeLessThan(380);
  await shoot(page, 'much-people-narrow');
});

it('hundreds of sources are drawn piece by piece, and found by a word', async () => {
  const functions = Object.fromEntries(
    Array.from({ length: 230 }, (_, n) => [
      `source-${n}`,
      { tools: [{ name: `read_${n}`, description: 'Reads.', access: 'read' as const, handler: () => ({}) }] },
    ]),
  );
  const running = await startGateway({ name: 'acme' }, { functions });
  for (let n = 0; n < 230; n++)
    await fetch(`${running.url}/api/v1/tools/read_${n}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"arguments":{}}',
    });
  const page = await browser.page(`${running.url}/sources`);
  const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  await sources.first().waitFor();
  expect(await sources.count()).toBe(200);
  await shoot(page, 'much-sources');
  await page.keyboard.press('/');
  await page.keyboard.type('source-22');
  await expect.poll(() => sources.count()).toBe(11);
  await page.keyboard.type('!');
  await page.getByText('No sources fit the filter').waitFor();
  await page.getByLabel('Filter sources').fill('');
  await page.getByRole('button', { name: 'Show 30 more' }).press('Enter');
  await expect.poll(() => sources.count()).toBe(230);
  // where one goes on
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('source-200');

  await page.goto(`${running.url}/usage`);
  const used = page.getByRole('table', { name: 'Usage by source' }).locator('tbody tr');
  await used.first().waitFor();
  expect(await used.count()).toBe(200);
  await page.getByRole('button', { name: 'Show 30 more' }).click();
  await expect.poll(() => used.count()).toBe(230);
  await page.goto(`${running.url}/doctor`);
  const findings = page.getByRole('main').getByRole('listitem');
  await findings.first().waitFor();
  expect(await findings.count()).toBeLessThan(230);
});

it('of hundreds of sources a key is limited to one that a filter finds', async () => {
  const functions = Object.fromEntries(
    Array.from({ length: 230 }, (_, n) => [
      `source-${n}`,
      { tools: [{ name: `read_${n}`, description: 'Reads.', access: 'read' as const, handler: () => ({}) }] },
    ]),
  );
  const running = await startGateway({ name: 'acme', auth: { mode: 'team' } }, { functions });
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  await page.getByRole('button', { name: 'New key for Ben Birch' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('laptop');
  const boxes = form.getByRole('checkbox');
  await form.getByText('50 of 230 sources').waitFor();
  expect(await boxes.count()).toBe(50);
  const filter = form.getByRole('searchbox', { name: 'Filter sources' });
  await filter.fill('source-22');
  await form.getByText('11 of 230 sources').waitFor();
  // it sends no form
  await filter.press('Enter');
  await form.getByLabel('source-229').check();
  await filter.fill('');
  await expectLivable(page, 'much-key');
  expect(await boxes.count()).toBe(51);
  // unticked, it keeps its place, and the focus
  await form.getByLabel('source-229').press('Space');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
  await form.getByLabel('source-229').press('Space');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('cell', { name: 'read and write source-229' }).waitFor();
});
