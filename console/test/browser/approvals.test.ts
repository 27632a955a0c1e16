import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { held } from './support/held.ts';
import { expectAccessible, expectLivable, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { type Stock, startStock } from './support/stock.ts';

const browser = openBrowser();

const open = async (stock: Stock, path = '/approvals'): Promise<Page> => {
  const page = await browser.page(stock.url);
  await signInAsOwner(page, stock, path);
  return page;
};
/** The card of a tool, once it is there. */
const cardOf = (page: Page, tool: string): Locator => page.locator('article', { hasText: tool }).first();
const called = async (stock: Stock, name: string, args: object) => {
  const client = await stock.client();
  const answer = client.callTool({ name, arguments: args as Record<string, unknown> });
  // a test that fails before it looks says why itself
  answer.catch(() => undefined);
  return { answer };
};
/** An addition and a deletion that wait, in this order. */
const openTwo = async () => {
  const stock = await startStock();
  const page = await open(stock);
  const first = await called(stock, 'add_item', { id: 1 });
  await page.getByRole('heading', { name: /add_item/ }).waitFor();
  const second = await called(stock, 'delete_item', { id: 2 });
  await page.getByRole('heading', { name: /delete_item/ }).waitFor();
  return { stock, page, first, second };
};
const textOf = (answer: unknown) => JSON.stringify(answer);
const waiting = async (stock: Stock) =>
  (await (await stock.gateway.approvals()).list({ kind: 'operator' }))[0]!;

describe('a call that waits', () => {
  it('has the time that the gateway leaves it, on a telephone whose clock is fast and that has no keys', async () => {
    const stock = await startStock();
    await called(stock, 'add_item', { id: 1 });
    await expect.poll(() => waiting(stock)).toBeDefined();
    const page = await browser.page('about:blank', {
      width: 320,
      context: { hasTouch: true, isMobile: true },
    });
    await page.clock.install({ time: Date.now() + 11 * 60_000 });
    await signInAsOwner(page, stock, '/approvals');
    const card = cardOf(page, 'add_item');
    await card.getByText(/^(?:9:\d\d|10:00) left$/).waitFor();
    await card.getByText(/^(?:\d+ sec ago|1 min ago|now)$/).waitFor();
    expect(await card.locator('kbd').first().isVisible()).toBe(false);
    await shoot(page, 'approvals-fast-clock-narrow');
  });

  it('says so in the list of calls when that is opened later, by its whole name at 380 px', async () => {
    const long = 'delete_all_the_subscriptions_of_the_customer_with_their_invoices';
    const stock = await startStock({}, { more: [long] });
    await called(stock, long, {});
    await expect.poll(() => waiting(stock)).toBeDefined();
    const page = await browser.page(stock.url, { width: 380 });
    await signInAsOwner(page, stock, '/calls');
    const line = page.getByRole('row').filter({ hasText: long });
    await line.getByText('waiting').waitFor();
    const cut = await line.getByText(long).evaluate((name) => ({
      wide: name.scrollWidth - name.clientWidth,
      high: name.getBoundingClientRect().bottom - name.closest('[role=row]')!.getBoundingClientRect().bottom,
    }));
    expect(cut.wide).toBeLessThanOrEqual(0);
    expect(cut.high).toBeLessThan(0);
    await shoot(page, 'calls-waiting-narrow');
  });

  it('appears by itself, is edited and approved by keyboard, and its client gets the result', async () => {
    const stock = await startStock();
    const page = await open(stock);
    await page.getByText('Nothing waits').waitFor();
    await expectLivable(page, 'approvals-empty');

    const { answer } = await called(stock, 'add_item', { id: 7, name: 'Lamp', tags: ['new', 'heavy'] });
    const card = cardOf(page, 'add_item');
    await card.getByRole('heading', { name: 'Call: add_item' }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) Approvals · acme');
    expect(await card.textContent()).toContain('left');
    await expectLivable(page, 'approvals-card');

    await page.keyboard.press('j');
    await expectFocusIn(card);
    await page.keyboard.press('e');
    const editor = page.getByLabel('Arguments as JSON');
    await editor.fill('{\n  "id": 7,\n  "name": "Lamp",,\n}');
    await page.getByText('Line 3, column 18: A name in double quotes is expected here, not “,”.').waitFor();
    await editor.fill('{ "id": "seven", "name": "Lamp" }');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('alert')
      .getByText(/"id" must be integer/)
      .waitFor();
    await shoot(page, 'approvals-edit-refused');
    expect((await waiting(stock)).state).toBe('pending');

    await editor.fill('{ "id": 8, "name": "Lamp", "tags": ["new"] }');
    await page.keyboard.press('Control+Enter');
    const changes = page.getByRole('list', { name: 'Changed arguments' });
    await changes.waitFor();
    expect(await changes.getByRole('listitem').allTextContents()).toEqual([
      'changed/idbefore: 7now: 8',
      'removed/tags/1before: "heavy"',
    ]);
    await expectLivable(page, 'approvals-diff');
    // the focus is on the button that approves
    await page.keyboard.press('Enter');

    expect(textOf(await answer)).toContain('added');
    expect(stock.carriedOut).toEqual([{ id: 8, name: 'Lamp', tags: ['new'] }]);
    await page.getByText('Approved and carried out.').waitFor();
    await said(page).getByText('carried out: Call: add_item').waitFor();
    // what moves with the clock would be said every second
    expect(await page.locator(':is([aria-live], [role=status], [role=alert]) time').count()).toBe(0);
    expect(await waiting(stock)).toMatchObject({ state: 'executed', decidedBy: 'owner', channel: 'console' });
    await expect.poll(() => page.title()).toBe('Approvals · acme');
    await expectLivable(page, 'approvals-receipt');

    // what was asked and what was carried out stand beside each other, here and in the call's story
    await page.getByRole('link', { name: 'Call: add_item' }).click();
    const asked = page.getByRole('region', { name: 'What was asked' });
    await asked.getByText('Who approved the call changed them.').waitFor();
    expect(await asked.textContent()).toMatch(/as askedid: 7.*as carried out.*id: 8/);
    await expectLivable(page, 'approvals-edited');
    await asked.getByRole('link', { name: /^[0-9a-f]{32}$/ }).click();
    const story = page.getByRole('article', { name: 'Call' });
    await story.getByRole('heading', { name: 'Arguments as carried out' }).waitFor();
    expect(await story.textContent()).toMatch(/as carried out.*id: 8.*as called.*id: 7.*add_item '\{"id":8,/);
    await expectLivable(page, 'calls-edited');
  });

  it('that destroys is marked in words, and takes a second press', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'delete_item', { id: 7 });
    const card = cardOf(page, 'delete_item');
    await card.getByText('⚠ Destructive').waitFor();
    await page.getByRole('tab', { name: 'Waiting (1)' }).waitFor();
    await page.keyboard.press('j');
    expect(await describedBy(card.getByRole('button', { name: /^Approve this call/ }))).toBe(
      'Destructive call: delete_item',
    );
    expect(await describedBy(card.getByRole('button', { name: /^Always/ }))).toMatch(
      /^Destructive call: delete_item Later calls/,
    );
    // whether what had the focus is still there when the next thing gets it: see use-lingers.ts
    await page.evaluate(() => {
      addEventListener('focusin', ({ target }) => {
        const buttons = [...document.querySelectorAll('article button')].map(
          ({ textContent }) => textContent,
        );
        if ((target as Element).textContent.startsWith('Yes'))
          document.title = buttons.filter((text) => text.startsWith('Approve')).join();
      });
    });
    await page.keyboard.press('a');
    const yes = card.getByRole('button', { name: /Yes: approve/ });
    await yes.waitFor();
    expect(await page.title()).toBe('Approve this call a');
    expect(await describedBy(yes)).toMatch(/^Destructive call: delete_item\. It runs once/);
    await card.getByRole('button', { name: /^Approve this call/ }).waitFor({ state: 'detached' });
    await expectLivable(page, 'approvals-destructive');
    expect((await waiting(stock)).state).toBe('pending');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: /^Approve this call/ }).waitFor();
    await expectFocusIn(card);
    // a double click is one
    await card.getByRole('button', { name: /^Approve this call/ }).dblclick();
    await card.getByRole('button', { name: /Yes: approve/ }).waitFor();
    expect((await waiting(stock)).state).toBe('pending');
    await page.keyboard.press('a');
    expect(textOf(await answer)).toContain('deleted');
    expect(stock.carriedOut).toEqual([{ id: 7 }]);
  });

  it('is rejected by the Enter behind a reason on the page of its link, and never approved by one', async () => {
    const stock = await startStock();
    const { answer } = await called(stock, 'delete_item', { id: 7 });
    await expect.poll(() => waiting(stock)).toBeDefined();
    const path = await (await stock.gateway.approvals()).link((await waiting(stock)).id, {
      kind: 'operator',
    });
    const page = await browser.page(stock.url);
    await page.goto(new URL(path, stock.url).href);
    await page.getByText('Edit the arguments first').click();
    await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"id": 8}');
    await page.getByRole('button', { name: 'Approve this call' }).click();
    await page.getByText('The arguments were edited, and the choice').waitFor();
    expect(await page.getByRole('textbox', { name: 'Arguments as JSON' }).inputValue()).toBe('{"id": 8}');
    await shoot(page, 'approval-link-edited');
    await page.getByRole('textbox', { name: 'Reason for a rejection' }).fill('Not today.');
    await page.keyboard.press('Enter');
    await page.getByText('Not today.').waitFor();
    expect(textOf(await answer)).toContain('Not today.');
    expect(stock.carriedOut).toEqual([]);
  });

  it('is said on other pages, too, once for those that come together', async () => {
    const stock = await startStock();
    const page = await open(stock);
    await page.goto(`${stock.url}/tools`);
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
    expect(await said(page).textContent()).toBe('');
    await called(stock, 'add_item', { id: 1 });
    await said(page).getByText('1 call waits for approval').waitFor();
    await said(page).getByText('1 call waits for approval').waitFor({ state: 'detached' });
  });

  it('is rejected with a reason that its caller reads, and the next card has the focus', async () => {
    const { stock, page, first, second } = await openTwo();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.type('Not today, a rather long reason.');
    await shoot(page, 'approvals-reject');
    await page.keyboard.press('Enter');
    expect(textOf(await first.answer)).toContain('Not today, a rather long reason.');
    await expectFocusIn(cardOf(page, 'delete_item'));
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    expect(textOf(await second.answer)).toContain('approval_rejected');
    expect(stock.carriedOut).toEqual([]);
  });

  it('takes a letter that is pressed twice for one: the second was not meant for the card that came under it', async () => {
    const { stock, page, first, second } = await openTwo();
    await page.clock.setFixedTime(Date.now());
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await first.answer;
    await expectFocusIn(cardOf(page, 'delete_item'));
    for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('a');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    expect(textOf(await second.answer)).toContain('approval_rejected');
    expect(stock.carriedOut).toEqual([{ id: 1 }]);
  });

  it('keeps the hand on the cards where the news of a decision comes before its answer', async () => {
    const { stock, page, first, second } = await openTwo();
    await page.route('**/api/v1/approvals/*/decision', async (route) => {
      // what waits is read again first
      const news = page.waitForEvent('requestfinished', (request) =>
        /approvals(?:\?state=pending.*|\/(?!pending)[^/]+)$/.test(request.url()),
      );
      const answer = await route.fetch();
      await news;
      await route.fulfill({ response: answer });
    });
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    expect(textOf(await first.answer)).toContain('approval_rejected');
    await expectFocusIn(cardOf(page, 'delete_item'));
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    expect(textOf(await second.answer)).toContain('approval_rejected');
    await cardOf(page, 'delete_item').getByText('Rejected.').waitFor();
    await expectFocusIn(cardOf(page, 'delete_item'));

    const { answer } = await called(stock, 'add_item', { id: 3 });
    await expect.poll(() => waiting(stock)).toMatchObject({ state: 'pending' });
    await page.goto(`${stock.url}/approvals/${(await waiting(stock)).id}`);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await answer;
    await page.getByText('Approved and carried out.').waitFor();
    await expectFocusIn(cardOf(page, 'add_item'));
  });

  it('leaves the hand where it went while a decision was on its way', async () => {
    const { stock, page, first, second } = await openTwo();
    const answer = await held(page, '**/api/v1/approvals/*/decision');
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.type('Not ');
    answer.resolve();
    await page.getByText('Approved and carried out.').waitFor();
    await first.answer;
    await page.keyboard.type('this one.');
    await page.keyboard.press('Enter');
    expect(textOf(await second.answer)).toContain('Not this one.');
    expect(stock.carriedOut).toEqual([{ id: 1 }]);
  });

  it('runs without asking from then on, until that is taken back', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'add_item', { id: 1 });
    await page.getByRole('heading', { name: /add_item/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+A');
    await page
      .getByRole('group', { name: 'Confirm' })
      .getByText(/All later calls of add_item by .+ then run without asking/)
      .waitFor();
    await shoot(page, 'approvals-always');
    // pressed again at once it would be a double press
    await page.clock.setFixedTime(Date.now() + 1000);
    await page.keyboard.press('Shift+A');
    await answer;
    await (await called(stock, 'add_item', { id: 2 })).answer;
    expect(stock.carriedOut).toEqual([{ id: 1 }, { id: 2 }]);

    await page.getByRole('tab', { name: 'From now on' }).click();
    await expectLivable(page, 'approvals-standing');
    await page.getByRole('button', { name: 'Revoke add_item' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Every call that needs a person asks').waitFor();
    const again = await called(stock, 'add_item', { id: 3 });
    await page.getByRole('tab', { name: 'Waiting (1)' }).click();
    await page.getByRole('heading', { name: /add_item/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await again.answer;
    expect(stock.carriedOut).toHaveLength(3);

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('row').nth(2).waitFor();
    await expectLivable(page, 'approvals-history');
    await page.getByLabel('State').selectOption('denied');
    await page.getByText('Nothing fits these filters').waitFor();
  });
});

describe('two who decide', () => {
  it('what another page revoked is no question any more', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'add_item', { id: 1 });
    const card = cardOf(page, 'add_item');
    await card.getByRole('button', { name: /^Always/ }).click();
    await card.getByRole('button', { name: 'Yes: approve from now on' }).click();
    await answer;
    await page.getByRole('tab', { name: 'From now on' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke add_item' });
    const dialog = page.getByRole('dialog');
    const approvals = await stock.gateway.approvals();
    const by = { kind: 'operator' } as const;
    const [standing] = await approvals.standing(by);

    // the first news of it is the refusal
    await page.route('**/api/v1/events*', (route) => route.abort());
    await page.reload();
    await revoke.click();
    await approvals.revoke(standing!.id, by);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Every call that needs a person asks').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('one wins, the other is told what became of it', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'add_item', { id: 1 });
    await page.getByRole('heading', { name: /add_item/ }).waitFor();
    // the second page is held on what it read first
    const late = await open(stock);
    await late.getByRole('heading', { name: /add_item/ }).waitFor();
    await late.route(/\/api\/v1\/(?:approvals\/?(?:pending)?(?:\?.*)?|events.*)$/, (route) => route.abort());
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await answer;

    await late.getByRole('button', { name: /^Approve/ }).click();
    await late.getByText('It was decided elsewhere meanwhile').waitFor();
    await late.getByText('Approved and carried out.').waitFor();
    await shoot(late, 'approvals-decided-elsewhere');
    expect(stock.carriedOut).toEqual([{ id: 1 }]);
  });

  it('what is decided elsewhere becomes its receipt by itself', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'add_item', { id: 1 });
    await page.getByRole('heading', { name: /add_item/ }).waitFor();
    const approvals = await stock.gateway.approvals();
    const { id } = await waiting(stock);
    await approvals.decide(id, { decision: 'reject' }, { kind: 'operator', channel: 'cli', id: 'root' });
    await page.getByText('Decided by root (cli)').waitFor();
    expect(textOf(await answer)).toContain('approval_rejected');
  });

  it('what was decided while one looked elsewhere does not stand there again as if it waited', async () => {
    const stock = await startStock();
    const page = await open(stock);
    const { answer } = await called(stock, 'add_item', { id: 1 });
    await page.getByRole('heading', { name: /add_item/ }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('row').nth(1).waitFor();
    const { id } = await waiting(stock);
    const read = await held(page, '**/api/v1/approvals?*state=pending*');
    await (await stock.gateway.approvals()).decide(
      id,
      { decision: 'reject' },
      { kind: 'operator', channel: 'cli', id: 'root' },
    );
    await answer;
    await page.getByRole('tab', { name: 'Waiting' }).click();
    await page.getByText('Loading approvals').waitFor();
    expect(await page.getByRole('heading', { name: /add_item/ }).count()).toBe(0);
    read.resolve();
    await page.getByText('Nothing waits').waitFor();
  });
});

describe('a session that may not decide', () => {
  it('reads the cards, and says what is missing', async () => {
    const stock = await startStock();
    const page = await browser.page(`${stock.url}/approvals`);
    const { answer } = await called(stock, 'delete_item', { id: 1 });
    const card = cardOf(page, 'delete_item');
    await card.getByText('Deciding takes the session of the machine’s owner.').waitFor();
    await page.getByText('Sign in as the owner to decide').waitFor();
    expect(await card.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await expectLivable(page, 'approvals-unsigned');
    expect((await waiting(stock)).state).toBe('pending');

    await signInAsOwner(page, stock, `/approvals/${(await waiting(stock)).id}`);
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByRole('button', { name: 'Reject Enter' }).click();
    await page.getByText('Rejected. Decided by owner (console).').waitFor();
    await expectLivable(page, 'approvals-single');
    await answer;
  });
});

it('what was written for a decision that did not arrive is kept, and sent again', async () => {
  const stock = await startStock();
  const page = await open(stock);
  const { answer } = await called(stock, 'add_item', { id: 7 });
  const card = cardOf(page, 'add_item');
  await card.press('e');
  await page.getByLabel('Arguments as JSON').fill('{ "id": 8 }');
  await page.keyboard.press('Control+Enter');
  const approve = card.getByRole('button', { name: 'Approve with 1 change' });
  const path = '**/api/v1/approvals/*/decision';
  await page.route(path, (route) => route.fulfill({ status: 500, json: { error: { message: 'Full.' } } }));
  await approve.click();
  await card.getByText('The decision was not taken').waitFor();
  await page.unroute(path);
  await approve.click();
  await answer;
  expect(stock.carriedOut).toEqual([{ id: 8 }]);
});

it('of very many the oldest stand first, and those that are not drawn are counted', async () => {
  const stock = await startStock({ policy: { approvals: { write: 'ask', wait: '0s' } } });
  for (let id = 1; id <= 110; id++) {
    await stock.gateway.call({ tool: 'add_item', arguments: { id } }).catch(() => undefined);
    // those of one millisecond have no order
    await wait(2);
  }
  const page = await browser.page(stock.url);
  // one caller has 200 open at most: pages that are shorter stand for more callers
  await page.route('**/api/v1/approvals?*', (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=40') }),
  );
  await signInAsOwner(page, stock, '/approvals');
  const cards = page.getByRole('list', { name: 'Approvals' }).getByRole('article');
  await expect.poll(() => cards.count()).toBe(25);
  expect(await cards.first().textContent()).toMatch(/id: 1Approve/);
  await page.getByRole('button', { name: /85 later ones not shown/ }).click();
  await expect.poll(() => cards.count()).toBe(110);
  expect(await cards.last().textContent()).toMatch(/id: 110Approve/);
});

it('what strangers wrote hides nothing and runs nothing', async () => {
  const stock = await startStock();
  const page = await open(stock);
  const name = '<img src=x onerror=alert(1)>\u202Egnp.exe';
  const { answer } = await called(stock, 'add_item', { id: 1, name });
  const card = cardOf(page, 'add_item');
  await card.getByText('"<img src=x onerror=alert(1)>\\u202egnp.exe"').waitFor();
  await card.press('e');
  expect(await page.getByLabel('Arguments as JSON').inputValue()).toContain('\\u202egnp.exe');
  await page.keyboard.press('Escape');
  await card.press('a');
  await answer;
  expect(stock.carriedOut).toEqual([{ id: 1, name }]);
});

it('announces what waits on the desktop, once that was asked for', async () => {
  const stock = await startStock();
  const page = await browser.page(stock.url, { context: { permissions: ['notifications'] } });
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    class Told extends EventTarget {
      static readonly permission = 'granted';
      static async requestPermission() {
        return 'granted';
      }
      constructor(title: string, { body }: { body: string }) {
        super();
        shown.push(`${title}: ${body}`);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Told });
  });
  const told = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
  // what waited before a page hears events was there when it was opened
  const hears = page.waitForResponse(/\/api\/v1\/events/);
  await signInAsOwner(page, stock, '/approvals');
  await hears;
  await page.getByRole('button', { name: 'Notify me' }).click();
  const stop = page.getByRole('button', { name: 'Stop notifying' });
  // “Stop, pressed” would say both and neither
  expect(await stop.getAttribute('aria-pressed')).toBeNull();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  const { answer } = await called(stock, 'add_item', { id: 1, name: 'secret plan' });
  await expect
    .poll(told)
    .toEqual([expect.stringMatching(/^An approval waits: .+ wants to call add_item\.$/)]);
  await expect.poll(() => page.title()).toBe('(1) Usage · acme');
  expect(await page.getByRole('link', { name: 'Approvals 1 waiting' }).count()).toBe(1);
  const { id } = await waiting(stock);
  const approvals = await stock.gateway.approvals();
  await approvals.decide(id, { decision: 'reject' }, { kind: 'operator', channel: 'cli', id: 'root' });
  await answer;
});

it('shows its keys, at 380 px too', async () => {
  const stock = await startStock();
  const page = await browser.page(`${stock.url}/approvals`, { width: 380 });
  await page.getByText('Nothing waits').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

/** What is said to screen readers without the focus going there. */
const said = (page: Page) => page.locator('[data-said]');

/** The words that a screen reader says after the name of a control. */
const describedBy = (control: Locator) =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  );

/** The focus is on the card or inside it; the text of what has it would be true of the whole page, too. */
async function expectFocusIn(card: Locator): Promise<void> {
  await expect.poll(() => card.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}
