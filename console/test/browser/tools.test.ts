import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, expectLivable, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { startToolGateway, type ToolGateway } from './support/tool-gateway.ts';

const browser = openBrowser();
let open: ToolGateway | undefined;
afterEach(() => open?.close());
const start = async (policy?: object): Promise<ToolGateway> => {
  open = await startToolGateway(policy);
  return open;
};
const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' });

it('lists tools with their states, and finds them as a model does', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/tools`);
  await page.getByRole('link', { name: /^searchPlaces/ }).waitFor();
  await page.getByText('5 operations: 4 listed, 1 gated, 1 hidden').waitFor();
  await page.getByRole('link', { name: /^shred_reports delete ?, asks a person desk/ }).waitFor();
  await expectLivable(page, 'tools');
  await page.getByRole('searchbox', { name: 'Find' }).fill('weather for the next days');
  await page.getByRole('heading', { name: 'the best first' }).waitFor();
  await page
    .locator('[data-said]')
    .getByText(/^\d+ hits?, the best first$/)
    .waitFor();
  expect(await page.getByRole('list', { name: 'Hits' }).getByRole('link').first().textContent()).toMatch(
    /^getForecast/,
  );
  await page.waitForURL(/q=weather/);
  await expectAccessible(page);
  await shoot(page, 'tools-search');
  await page.getByLabel('Ranked').selectOption('name');
  await page.getByText('Nothing fits').waitFor();
  await page.getByRole('searchbox', { name: 'Find' }).fill('quality');
  await page.getByRole('link', { name: /^getAirQuality.*hidden: feature/ }).waitFor();
});

it('has its filters behind a button on a telephone, and its words before it', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/tools?source=desk`, { width: 360 });
  await page.getByRole('link', { name: /^file_report/ }).waitFor();
  const button = page.getByRole('button', { name: 'Filters, 1 in force' });
  expect(await page.getByLabel('Ranked').isVisible()).toBe(false);
  expect(await page.getByLabel('Source', { exact: true }).isVisible()).toBe(false);
  expect(await page.getByRole('searchbox', { name: 'Find' }).isVisible()).toBe(true);
  await shoot(page, 'tools-folded');
  await button.click();
  await page.getByLabel('Source', { exact: true }).selectOption('');
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  await page.getByRole('link', { name: /^searchPlaces/ }).waitFor();
});

it('is walked through by keyboard: to the words, down the list, into a tool and through its parts', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/tools`);
  await page.getByRole('link', { name: /^searchPlaces/ }).waitFor();
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.getByRole('link', { name: /^file_report/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await expect.poll(focused).toMatch(/^getForecast/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/tools/getForecast`);
  await page.getByRole('tab', { name: 'Try it' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('It is offered, and a call is let through.').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('It was not called yet').waitFor();
});

it('fills the form, shows the request, and calls', async () => {
  const { url, meteo } = await start();
  const page = await browser.page(`${url}/tools/searchPlaces`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await expect.poll(() => page.getByLabel('name (needed)').inputValue()).toBe('example');
  await page.getByLabel('name (needed)').fill('Lisbon');
  await page.getByRole('button', { name: 'As JSON' }).click();
  expect(JSON.parse(await page.getByLabel('Arguments as JSON').inputValue())).toEqual({ name: 'Lisbon' });
  // that it is pressed is seen, too, not said alone
  const ground = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
  await page.mouse.move(0, 0);
  await expect.poll(() => ground('As JSON')).not.toBe(await ground('Clear'));
  await page.getByLabel('Arguments as JSON').fill('{ "name": "Lisbon", "count": 2 }');
  await page.getByRole('button', { name: 'As JSON' }).click();
  expect(await page.getByLabel('count', { exact: true }).inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await outcome(page).getByText('Nothing was sent').waitFor();
  await outcome(page).getByText('curl -X GET').waitFor();
  expect(meteo.requests).toEqual([]);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByRole('cell', { name: 'Portugal' }).waitFor();
  expect(meteo.requests).toEqual(['GET /v1/search?name=Lisbon&count=2']);
  await page.evaluate(() => scrollTo(0, 0));
  await expectLivable(page, 'tool');
  await outcome(page).getByRole('link', { name: 'Its story' }).waitFor();
  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('table', { name: 'Last calls of searchPlaces' }).getByText('done').first().waitFor();
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByText(/sha256:/).waitFor();
  await page.getByText(/^\d+$/).first().waitFor();
});

it('leads the focus to what was added to a form, and back to the button where it is taken out', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/tools/file_report`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const focused = (role: 'button' | 'textbox' | 'combobox', name: string) =>
    expect
      .poll(() =>
        page.getByRole(role, { name, exact: true }).evaluate((element) => element === document.activeElement),
      )
      .toBe(true);
  const said = (words: string) => page.locator('[data-said]').getByText(words).waitFor();
  await press('Add place');
  await focused('combobox', 'Kind of place');
  await press('Leave out place');
  await focused('button', 'Add place');
  await press('Add tags');
  await focused('textbox', 'tags 1');
  await press('Add one to tags');
  await focused('textbox', 'tags 2');
  await press('Remove tags 1');
  await focused('textbox', 'tags 1');
  await press('Remove tags 1');
  await focused('button', 'Add one to tags');
  await press('Add labels');
  await focused('textbox', 'Name');
  await page.keyboard.type('team');
  await press('Add');
  await said('team is added');
  await focused('textbox', 'team');
  await press('Remove team');
  await said('team is removed');
  await focused('textbox', 'Name');
  // a dash alone is heard as nothing
  expect(await page.getByLabel('urgent').locator('option').first().textContent()).toBe('– nothing chosen');
});

it('shows what does not fit at the field that it is about', async () => {
  const { url, reports } = await start();
  const page = await browser.page(`${url}/tools/file_report`);
  // nobody has written in it yet, and it is not called wrong
  expect(await page.getByLabel('title (needed)').getAttribute('aria-invalid')).toBe('false');
  await page.getByLabel('title (needed)').fill('Up');
  await page.getByRole('button', { name: 'Add place' }).click();
  await page.locator('[data-said]').getByText('place is added').waitFor();
  await page.getByLabel('Kind of place').selectOption('point');
  await page.getByLabel('latitude (needed)').fill('91');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('arguments_invalid').waitFor();
  const wrong = async (label: string) => {
    const field = page.getByLabel(label);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const id = (await field.getAttribute('aria-describedby'))?.split(' ').at(-1);
    return page.locator(`[id="${id}"]`).textContent();
  };
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
    .toBe('true');
  expect(await wrong('title (needed)')).toMatch(/3/);
  expect(await wrong('severity (needed)')).toMatch(/severity/);
  // of several forms, the one that was meant
  expect(await wrong('latitude (needed)')).toMatch(/latitude" must be at most 90/);
  await expectLivable(page, 'tool-form-errors');
  expect(reports).toEqual([]);

  await page.getByLabel('title (needed)').fill('Up and away');
  await page.getByLabel('severity (needed)').selectOption('high');
  await page.getByLabel('latitude (needed)').fill('38.7');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('textbox', { name: 'tags 1' }).fill('sky');
  await page.getByLabel('urgent').selectOption('true');
  await page.getByLabel('null as assignee').check();
  await page.getByRole('button', { name: 'Add labels' }).click();
  await page.getByLabel('Name', { exact: true }).fill('team');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'team' }).fill('red');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('filed').waitFor();
  expect(reports).toEqual([
    {
      title: 'Up and away',
      severity: 'high',
      place: { kind: 'point', latitude: 38.7 },
      tags: ['sky'],
      urgent: true,
      assignee: null,
      labels: { team: 'red' },
    },
  ]);
});

it('keeps the focus on what was pressed while the call goes on, and sends it once', async () => {
  const { url, meteo } = await start();
  const page = await browser.page(`${url}/tools/searchPlaces`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  const calls = await held(page, '**/api/v1/tools/*/call');
  await page.getByRole('button', { name: 'Call', exact: true }).focus();
  await page.keyboard.press('Enter');
  const calling = page.getByRole('button', { name: 'Calling …' });
  await calling.waitFor();
  expect(await calling.isDisabled()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Calling …');
  await page.keyboard.press('Enter');
  calls.resolve();
  await outcome(page).getByText('Answer').first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Call');
  expect(meteo.requests).toHaveLength(1);
});

it('keeps JSON that is none to itself, and keeps it', async () => {
  const { url, meteo } = await start();
  const page = await browser.page(`${url}/tools/searchPlaces`);
  const json = page.getByLabel('Arguments as JSON');
  const call = page.getByRole('button', { name: 'Call', exact: true });
  await page.getByRole('button', { name: 'As JSON' }).click();
  await json.fill('{ "name": ');
  await page.getByText(/JSON/).first().waitFor();
  expect(await call.isDisabled()).toBe(true);
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByText(/sha256:/).waitFor();
  await page.keyboard.press('ArrowRight');
  expect(await json.inputValue()).toBe('{ "name": ');
  expect(await call.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'As JSON' }).click();
  expect(await page.getByLabel('name (needed)').inputValue()).toBe('');
  await page.getByRole('button', { name: 'As JSON' }).click();
  expect(await json.inputValue()).toBe('{ "name": ');
  await page.getByRole('button', { name: 'As JSON' }).click();
  await page.getByLabel('name (needed)').fill('Lisbon');
  await page.getByRole('button', { name: 'As JSON' }).click();
  expect(JSON.parse(await json.inputValue())).toEqual({ name: 'Lisbon' });
  await call.click();
  await outcome(page).getByRole('cell', { name: 'Portugal' }).waitFor();
  expect(meteo.requests).toEqual(['GET /v1/search?name=Lisbon']);
});

it('sends no whole number that would arrive as another one', async () => {
  const { url, meteo } = await start();
  const page = await browser.page(`${url}/tools/searchPlaces`);
  const tooLarge = page.getByText('Too large to be sent exactly');
  await page.getByLabel('name (needed)').fill('Lisbon');
  await page.getByLabel('count', { exact: true }).fill('9007199254740993');
  await tooLarge.waitFor();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value)).toBe(
    '9007199254740993',
  );
  await expectAccessible(page);
  expect(meteo.requests).toEqual([]);

  await page.getByLabel('count', { exact: true }).fill('3');
  await tooLarge.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'As JSON' }).click();
  const json = page.getByLabel('Arguments as JSON');
  await json.fill('{ "name": "Lisbon",\n  "count": 9007199254740993 }');
  await page.getByText('Line 2, column 12: Too large to be sent exactly').waitFor();
  expect(await page.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true);
  await json.fill('{ "name": "Lisbon", "count": 3 }');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByRole('cell', { name: 'Portugal' }).waitFor();
  expect(meteo.requests).toEqual(['GET /v1/search?name=Lisbon&count=3']);
});

it('takes what is typed key by key as it is typed, and sends just that', async () => {
  const calls: object[] = [];
  const { url } = await startGateway(
    { name: 'acme', topology: 'flat', sources: {} },
    {
      functions: {
        scales: {
          tools: [
            {
              name: 'weigh',
              description: 'Weighs.',
              access: 'read',
              input: {
                type: 'object',
                properties: {
                  weight: { type: 'number' },
                  offset: { type: 'number' },
                  rates: { type: 'object', additionalProperties: { type: 'number' } },
                  notes: { type: 'array', items: {} },
                  checks: { type: 'array', items: { type: 'boolean' } },
                },
              },
              handler: (args) => {
                calls.push(args);
                return null;
              },
            },
          ],
        },
      },
    },
  );
  const page = await browser.page(`${url}/tools/weigh`);
  const typed = async (label: string, text: string) => {
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('');
    await field.pressSequentially(text);
    expect(await field.inputValue()).toBe(text);
  };
  await typed('weight', '10.50');
  await typed('offset', '-0.05');
  await page.getByRole('button', { name: 'Add rates' }).click();
  await page.getByLabel('Name', { exact: true }).fill('tax');
  await page.keyboard.press('Enter');
  await typed('tax', '0.19');
  await page.getByRole('button', { name: 'Add notes' }).click();
  await page.getByRole('button', { name: 'Add one to notes' }).click();
  await typed('notes 1', '{ "a": ');
  await typed('notes 2', '{ "b": [1] }');
  await page.getByRole('button', { name: 'Remove notes 1' }).click();
  expect(await page.getByRole('textbox', { name: 'notes 1' }).inputValue()).toContain('"b"');
  await page.getByRole('button', { name: 'Add checks' }).click();
  const choice = page.getByRole('combobox', { name: 'checks 1' });
  await choice.selectOption('– nothing chosen');
  await page.getByText('Needs a value.').waitFor();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  expect(await choice.evaluate((select) => select === document.activeElement)).toBe(true);
  expect(calls).toEqual([]);
  await choice.selectOption('true');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('Answer').first().waitFor();
  expect(calls).toEqual([
    { weight: 10.5, offset: -0.05, rates: { tax: 0.19 }, notes: [{ b: [1] }], checks: [true] },
  ]);
});

it('says why something is hidden, and who can change it', async () => {
  const { url } = await start();
  const page = await browser.page(`${url}/tools/getAirQuality`);
  await page.getByText('This tool is not offered to you.').waitFor();
  await page.getByText('It is hidden by feature.').waitFor();
  await page.getByRole('row', { name: /feature ?, fails.*weather\.air.*toolcrib features on/ }).waitFor();
  await expectLivable(page, 'tool-hidden');
  await page.goto(`${url}/tools/nothing`);
  await page.getByText('There is no such tool').waitFor();
});

it('asks before it destroys, waits for a person, and goes on once somebody agreed', async () => {
  const running = await start();
  running.reports.push({ title: 'old' });
  const page = await browser.page(`${running.url}/tools/shred_reports`);
  await page.getByText('asks a person').first().waitFor();
  await page.getByRole('button', { name: 'Call: destroys data' }).click();
  await page.getByRole('dialog', { name: 'Call shred_reports?' }).waitFor();
  await shoot(page, 'tool-confirm');
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect(running.reports).toHaveLength(1);
  await page.getByRole('button', { name: 'Call: destroys data' }).click();
  await page.getByRole('button', { name: 'Call it' }).click();
  await outcome(page).getByText('A person must agree to this call').waitFor();
  await expectAccessible(page);
  await shoot(page, 'tool-waiting');
  expect(running.reports).toHaveLength(1);
  const card = await outcome(page).getByRole('link', { name: 'To its card' }).getAttribute('href');

  const owner = await browser.page('about:blank');
  await signInAsOwner(owner, running, '/calls');
  const id = card!.split('/').at(-1);
  const decided = await owner.evaluate(async (approval) => {
    const session = await (await fetch('/api/v1/session')).json();
    const response = await fetch(`/api/v1/approvals/${approval}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf },
      body: JSON.stringify({ decision: 'approve' }),
    });
    return response.status;
  }, id);
  expect(decided).toBe(200);
  await outcome(page).getByText('shredded').waitFor();
  expect(running.reports).toEqual([]);
});

it('has what was written and tried where one comes back from another part, or from the card of the call', async () => {
  const running = await start();
  running.reports.push({ title: 'old' });
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/tools/file_report');
  await page.getByLabel('title (needed)').fill('Up and away');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await outcome(page).getByText('arguments_invalid').waitFor();
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByText(/sha256:/).waitFor();
  await page.keyboard.press('ArrowRight');
  await outcome(page).getByText('arguments_invalid').waitFor();
  expect(await page.getByLabel('title (needed)').inputValue()).toBe('Up and away');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Try it');

  await page.goto(`${running.url}/tools/shred_reports`);
  await page.getByRole('button', { name: 'Call: destroys data' }).click();
  await page.getByRole('button', { name: 'Call it' }).click();
  await outcome(page).getByRole('link', { name: 'To its card' }).click();
  await page
    .getByRole('button', { name: /^Run|^Approve|^Delete|^Shred/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Yes: / }).click();
  await page.getByText('Approved').first().waitFor();
  expect(running.reports).toHaveLength(1);
  await page.goBack();
  await outcome(page).getByText('shredded').waitFor();
  expect(running.reports).toEqual([]);
});

it('stays usable with every operation of a large catalog', async () => {
  const tools = Array.from({ length: 5000 }, (_, index) => ({
    name: `thing_${String(index).padStart(4, '0')}`,
    description: `Reads thing ${index}.`,
    access: 'read' as const,
    handler: () => null,
  }));
  const { startGateway } = await import('./support/gateway.ts');
  const { url } = await startGateway({ name: 'acme', topology: 'flat', sources: {} } as never, {
    functions: { things: { tools } },
  });
  const page = await browser.page(`${url}/tools`, { width: 380 });
  await page.getByText('5,000 operations').waitFor();
  const list = page.getByRole('list', { name: 'Tools' });
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  // to the end, page after page
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return list.getByRole('link', { name: /^thing_4999/ }).count();
    })
    .toBe(1);
  await expectNoSidewaysScroll(page);
});

it('leads to the sources where there are no tools at all, and blames no filter', async () => {
  const { url } = await startGateway({ name: 'acme', sources: {} });
  const page = await browser.page(`${url}/tools`);
  await page.getByText('No tools yet').waitFor();
  await page.getByRole('link', { name: 'to the sources' }).click();
  await page.waitForURL(`${url}/sources`);
});
