import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createDurableEvents } from '../../../gateway/src/events/durable-events.ts';
import { openStore } from '../../../gateway/src/store/open-store.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, type StartOptions, startGateway } from './support/gateway.ts';
import { expectLivable, shoot } from './support/page-checks.ts';

const browser = openBrowser();

const removed: string[] = [];
afterAll(() => Promise.all(removed.map((folder) => rm(folder, { recursive: true, force: true }))));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A service whose orders above 400 answer with their number as status; order 503 is there at the second attempt. */
async function startOrders(): Promise<string> {
  let refused = false;
  const server = createServer((request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const status = id === 503 ? (refused ? 200 : 503) : id > 400 ? id : 200;
    if (id === 503) refused = !refused;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status < 400 ? { id, total: 12.5 } : { title: 'No such order' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PARAMETERS = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const BODY = {
  content: { 'application/json': { schema: { type: 'object', properties: { note: { type: 'string' } } } } },
};
const RESPONSES = { 200: { description: 'The order.' } };
const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders/{id}': {
      get: { operationId: 'getOrder', summary: 'One order.', parameters: PARAMETERS, responses: RESPONSES },
      put: {
        operationId: 'changeOrder',
        summary: 'Change an order.',
        parameters: PARAMETERS,
        requestBody: BODY,
        responses: RESPONSES,
      },
      delete: {
        operationId: 'removeOrder',
        summary: 'Remove one.',
        parameters: PARAMETERS,
        responses: RESPONSES,
      },
    },
  },
};

async function start(options: StartOptions & { readonly service?: string } = {}) {
  const { service = await startOrders(), folder = await ordersFolder(), ...rest } = options;
  const running = await startGateway(
    {
      name: 'acme',
      topology: 'flat',
      cache: false,
      watch: false,
      sources: { orders: { openapi: 'orders.json', baseUrl: service } },
    },
    { folder, ...rest },
  );
  return Object.assign(running, { service });
}

/** A folder with the document of the orders; removed after the test. */
async function ordersFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-calls-'));
  removed.push(folder);
  await writeFile(join(folder, 'orders.json'), JSON.stringify(ORDERS));
  return folder;
}

const list = (page: Page) => page.getByRole('grid', { name: 'Calls, newest first' });
const line = (page: Page, text: string | RegExp) => list(page).getByRole('row').filter({ hasText: text });
const story = (page: Page) => page.getByRole('article', { name: 'Call' });

async function isLive(page: Page): Promise<void> {
  await page.getByRole('status').filter({ hasText: /live$/ }).waitFor();
}

async function openCalls(
  running: RunningGateway,
  options: Parameters<typeof browser.page>[1] = {},
  path = '',
) {
  const page = await browser.page(`${running.url}/calls${path}`, options);
  await isLive(page);
  return page;
}

describe('calls as they happen', () => {
  it('appear by themselves when a client makes them, and tell their whole story', async () => {
    const running = await start();
    const page = await openCalls(running);
    await page.getByText('No calls yet').waitFor();
    await shoot(page, 'calls-empty');
    const client = await running.client();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 7 } });
    await line(page, 'orders_getOrder').getByText('done').waitFor();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 404 } });
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 503 } });
    await client.callTool({ name: 'orders_changeOrder', arguments: { id: 8, note: 'soon' } });
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 'x' } });
    await client.callTool({ name: 'orders_removeOrder', arguments: { id: 9 } });
    await line(page, 'orders_removeOrder').getByText('asked').waitFor();
    expect(await list(page).getByRole('row').count()).toBe(7);
    await expectLivable(page, 'calls');

    await line(page, 'upstream_status').click();
    await story(page).getByText('upstream_status', { exact: true }).first().waitFor();
    await page.waitForURL(/\/calls\/[0-9a-f]{32}$/);
    const told = await story(page).innerText();
    expect(told).toContain('404');
    expect(told).toContain('Attempt 1');
    await expectLivable(page, 'calls-failed');
  }, 120_000);

  it('show each attempt of a call that was made again, and every layer on request', async () => {
    const running = await start();
    const page = await openCalls(running);
    const client = await running.client();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 503 } });
    await line(page, 'orders_getOrder').getByText('done').click();
    const steps = story(page).getByRole('table', { name: /^Steps of the call/ });
    const step = (text: RegExp) => steps.getByRole('row').filter({ hasText: text });
    await step(/Attempt 1: failed.*status 503/).waitFor();
    await step(/Attempt 2: answered.*status 200.*because of status 503/).waitFor();
    expect(await step(/Authorise/).count()).toBe(0);
    await expectLivable(page, 'calls-steps');
    await story(page).getByRole('button', { name: 'Show every layer' }).click();
    await step(/Authorise: let it through/).waitFor();
    await step(/Check output: let it through/).waitFor();
    await shoot(page, 'calls-every-layer');
    expect(await story(page).getByText(`npx toolcrib call orders_getOrder '{"id":503}'`).count()).toBe(1);
  });

  it('find their layers by a button that says what it does, not that it is pressed', async () => {
    const running = await start();
    const client = await running.client();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 1 } });
    const page = await openCalls(running);
    await list(page).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Show every layer' }).click();
    const less = page.getByRole('button', { name: 'Show what took time' });
    expect(await less.getAttribute('aria-pressed')).toBeNull();
    await page.locator('[data-said]').getByText('Every layer is shown').waitFor();
    // how long one took in all is said once
    const told = page
      .getByRole('table', { name: /^Steps of the call/ })
      .getByRole('row')
      .nth(1);
    expect(await told.getByRole('cell').first().getAttribute('title')).toBeNull();
    expect(await told.getByRole('cell').last().innerText()).toMatch(/in all/);
    // of a narrow page most is for the names, however deep they are
    const indents = () =>
      page
        .locator('[class*=name][style*="--level"]')
        .evaluateAll((all) =>
          all.map((name) => Number.parseFloat(getComputedStyle(name).paddingInlineStart)),
        );
    expect(Math.max(...(await indents()))).toBeGreaterThan(60);
    await page.setViewportSize({ width: 380, height: 800 });
    await expect.poll(async () => Math.max(...(await indents()))).toBeLessThan(60);
    // a call that is chosen, where forced colours take its ground
    await page.emulateMedia({ forcedColors: 'active' });
    await page.setViewportSize({ width: 1280, height: 800 });
    const bars = page.getByRole('table', { name: /^Steps of the call/ }).locator('[class*=bar]');
    const looks = await bars.evaluateAll((all) =>
      all.map((bar) =>
        [getComputedStyle(bar).backgroundColor, getComputedStyle(bar).borderTopWidth].join(' '),
      ),
    );
    const track = await bars.first().evaluate((bar) => getComputedStyle(bar.parentElement!).backgroundColor);
    expect(looks.filter((look) => look === `${track} 0px`)).toEqual([]);
    expect(await less.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('are found by filters that stand in the address, also those before this page was opened', async () => {
    const running = await start();
    const client = await running.client();
    for (const id of [1, 2, 404]) await client.callTool({ name: 'orders_getOrder', arguments: { id } });
    await client.callTool({ name: 'orders_changeOrder', arguments: { id: 8, note: 'soon' } });
    const page = await openCalls(running);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(5);
    await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
    await expect.poll(() => list(page).getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?state=failed');
    const said = page.locator('[data-said]');
    await said.getByText('1 call fits').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('/');
    await page.keyboard.type('CHANGE');
    await page.waitForURL(/\?q=CHANGE$/);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(2);
    await page.reload();
    await line(page, 'orders_changeOrder').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('CHANGE');
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 3 } });
    await client.callTool({ name: 'orders_changeOrder', arguments: { id: 9, note: 'soon' } });
    await expect.poll(() => list(page).getByRole('row').count()).toBe(3);
    // those that go on coming are not said
    expect(await said.getByText('2 calls fit').count()).toBe(0);
    await page.goto(`${running.url}/calls?code=upstream_status`);
    await line(page, 'upstream_status').waitFor();
    expect(await list(page).getByRole('row').count()).toBe(2);
    await page.goto(`${running.url}/calls?tool=nothing`);
    await page.getByText('No call fits these filters').waitFor();
  });

  it('are walked through by keyboard', async () => {
    const running = await start();
    const client = await running.client();
    for (const id of [1, 2, 3]) await client.callTool({ name: 'orders_getOrder', arguments: { id } });
    const page = await openCalls(running);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(4);
    const ids = await list(page)
      .locator('[id^=call-]')
      .evaluateAll((rows) => rows.map(({ id }) => id));
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press('j');
    expect(await focused()).toBe(ids[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(ids[2]);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/calls/${ids[1]!.slice('call-'.length)}`);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('orders_getOrder');
    await page.keyboard.press('Escape');
    await page.waitForURL(`${running.url}/calls`);
    await expect.poll(focused).toBe(ids[1]);
  });

  it('are held while somebody reads them, and counted', async () => {
    const running = await start();
    const client = await running.client();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 1 } });
    const page = await openCalls(running);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(2);
    await page.keyboard.press('p');
    await page.getByText('paused').waitFor();
    for (const id of [2, 3]) await client.callTool({ name: 'orders_getOrder', arguments: { id } });
    await page.getByRole('button', { name: '2 new calls' }).waitFor();
    // “Resume, pressed” would say both and neither
    expect(await page.getByRole('button', { name: 'Resume' }).getAttribute('aria-pressed')).toBeNull();
    expect(await list(page).getByRole('row').count()).toBe(2);
    await page.keyboard.press('p');
    await expect.poll(() => list(page).getByRole('row').count()).toBe(4);
  });

  it('stand still under a mouse that aims at one, and go on once it rests elsewhere', async () => {
    const running = await start();
    const client = await running.client();
    await client.callTool({ name: 'orders_getOrder', arguments: { id: 1 } });
    const page = await openCalls(running);
    const watched = await openCalls(running);
    const aimed = line(page, 'orders_getOrder');
    const id = (await aimed.getAttribute('id'))!;
    const place = (await aimed.boundingBox())!;
    const mouse = [place.x + 300, place.y + place.height / 2] as const;
    await page.mouse.move(...mouse);
    await client.callTool({ name: 'orders_changeOrder', arguments: { id: 2, note: 'soon' } });
    await line(watched, 'orders_changeOrder').waitFor();
    await page.mouse.move(mouse[0] + 2, mouse[1]);
    await page.mouse.click(...mouse);
    await page.waitForURL(`**/calls/${id.slice('call-'.length)}`);
    await page.mouse.move(place.x + 300, 1);
    await line(page, 'orders_changeOrder').waitFor();
  });

  it('are found by the days on which they began', async () => {
    const running = await start();
    await writeCalls(running, 3);
    const page = await openCalls(running);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(4);
    await page.getByRole('button', { name: 'More filters' }).click();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('Last day').fill('2020-01-05');
    await page.getByText('No call fits these filters').waitFor();
    await page.getByLabel('First day').fill(today);
    await expect.poll(() => list(page).getByRole('row').count()).toBe(4);
    expect(new URL(page.url()).search).toBe(`?to=${today}&from=${today}`);
    await page.getByLabel('From time').fill('00:00');
    await page.getByLabel('Before time').fill('00:00');
    await page.getByText('No call fits these filters').waitFor();
    await page.getByLabel('Before time').fill('');
    await expect.poll(() => list(page).getByRole('row').count()).toBe(4);
    await expectLivable(page, 'calls-days');
    await page.getByLabel('First day').fill('');
    await page.waitForURL(`**/calls?to=${today}`);
  });

  it('go on behind a restart of the gateway: nothing is missing and nothing is there twice', async () => {
    const running = await start();
    const page = await openCalls(running);
    const client = await running.client();
    for (const id of [1, 2]) await client.callTool({ name: 'orders_getOrder', arguments: { id } });
    await expect.poll(() => list(page).getByRole('row').count()).toBe(3);
    const { folder, port, service } = running;
    await running.close();
    await page.getByText('reconnecting…').waitFor();
    await shoot(page, 'calls-reconnecting');
    const again = await start({ folder, port, service });
    const later = await again.client();
    for (const id of [3, 4, 5]) await later.callTool({ name: 'orders_getOrder', arguments: { id } });
    await expect.poll(() => list(page).getByRole('row').count()).toBe(6);
    await isLive(page);
    await later.callTool({ name: 'orders_getOrder', arguments: { id: 6 } });
    await expect.poll(() => list(page).getByRole('row').count()).toBe(7);
    const ids = await list(page)
      .locator('[id^=call-]')
      .evaluateAll((rows) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(6);
  });

  it('a call that is unknown says so', async () => {
    const running = await start();
    const page = await openCalls(running, {}, `/${'0'.repeat(32)}`);
    await page.getByText('There is no such call').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(`${running.url}/calls`);
  });
});

describe('a long list', () => {
  it('of 10,000 events scrolls without a long task, takes on new calls meanwhile, and keeps its memory', async () => {
    const running = await start();
    await writeCalls(running, 5000);
    const page = await openCalls(running);
    await list(page).getByRole('row').nth(5).waitFor();
    const grid = list(page);
    // everything that there is, page by page
    await expect
      .poll(
        async () => {
          await grid.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
          return Number(await grid.getAttribute('aria-rowcount'));
        },
        { timeout: 40_000 },
      )
      .toBe(5001);
    // away from the top, where new calls are counted and not drawn at once
    await grid.evaluate((box) => box.scrollTo({ top: 2_000 }));
    await grid.locator('[aria-rowindex="2"]').waitFor({ state: 'detached' });
    const before = await heapOf(page);
    const client = await running.client();
    const calling = (async () => {
      for (let id = 1; id <= 40; id++) await client.callTool({ name: 'orders_getOrder', arguments: { id } });
    })();
    const longest = await longestTask(page, () =>
      grid.evaluate(
        (box) =>
          new Promise<void>((resolve) => {
            let frames = 2;
            const step = () => {
              box.scrollTo({ top: frames * (frames % 2 === 0 ? 900 : 700) });
              if (++frames < 150) requestAnimationFrame(step);
              else resolve();
            };
            requestAnimationFrame(step);
          }),
      ),
    );
    await calling;
    expect(longest).toBeLessThan(100);
    expect(await grid.getByRole('row').count()).toBeLessThan(80);
    await shoot(page, 'calls-many');
    await page.getByRole('button', { name: /new calls? ↑/ }).click();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5041');
    expect((await heapOf(page)) - before).toBeLessThan(30_000_000);
  }, 120_000);
});

/** Starts and ends of calls, written to the gateway's store as another process would. */
async function writeCalls(running: RunningGateway, count: number): Promise<void> {
  const store = await openStore(`sqlite:${join(running.folder, 'toolcrib.db')}`);
  const log = createDurableEvents({ store, recover: false });
  try {
    const appended: Promise<unknown>[] = [];
    for (let n = 0; n < count; n++) {
      const of = {
        call: n.toString(16).padStart(32, '0'),
        principal: 'local',
        tool: n % 7 === 0 ? 'orders_changeOrder' : 'orders_getOrder',
        operation: 'getOrder',
        source: 'orders',
        access: n % 7 === 0 ? 'write' : 'read',
      } as const;
      appended.push(log.append({ type: 'call-started', ...of, input: { id: n } }));
      const end =
        n % 11 === 0
          ? { type: 'call-failed', code: 'upstream_status', message: 'No such order.' }
          : { type: 'call-completed', summary: 'object, 2 members, 23 B' };
      appended.push(log.append({ ...of, ...end, durationMs: 3 + (n % 90) } as never));
    }
    await Promise.all(appended);
  } finally {
    await log.close();
    await store.close();
  }
}

/**
 * The longest task of a page's main thread during `work`, milliseconds of processor time: what else the machine does at
 * that time does not count.
 */
async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const chromium = page.context().browser()!;
  await chromium.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse((await chromium.stopTracing()).toString()) as {
    traceEvents: {
      name: string;
      ph: string;
      pid: number;
      tid: number;
      tdur?: number;
      args?: { name?: string };
    }[];
  };
  const main = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const tasks = traceEvents.filter(
    ({ ph, tdur, pid, tid }) =>
      ph === 'X' && tdur !== undefined && main.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  expect(tasks.length).toBeGreaterThan(100);
  return Math.max(...tasks.map(({ tdur }) => tdur! / 1000));
}

/** Bytes of the page's heap after its garbage is collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

it('a search of two words can be typed with a pause behind the space', async () => {
  const running = await start();
  const page = await browser.page(`${running.url}/calls`);
  const search = page.getByLabel('Text in tool, operation or message');
  await search.pressSequentially('no ');
  await page.waitForURL(/[?]q=no$/);
  await search.pressSequentially('such');
  await page.waitForURL(/[?]q=no\+such$/);
});
