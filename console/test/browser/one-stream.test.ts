import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, signInAsOwner } from './support/gateway.ts';
import { watchStreams } from './support/open-streams.ts';
import { addAcme, signInWithKey, startAlone, startTeam } from './support/team.ts';

const browser = openBrowser();
const streams = watchStreams();

/** A browser holds this many connections to a host over HTTP/1.1, and two more tabs. */
const TABS = 8;

const list = (page: Page) => page.getByRole('grid', { name: 'Calls, newest first' });
const live = (page: Page) => page.getByRole('status').filter({ hasText: /live$/ });
const rows = (page: Page, count: number) =>
  expect.poll(() => list(page).getByRole('row').count()).toBe(count + 1);

/** Every one of these calls stands in every tab, once, and none says that something was missed. */
async function show(tabs: readonly Page[], count: number): Promise<void> {
  for (const tab of tabs) {
    await rows(tab, count);
    const ids = await list(tab)
      .locator('[id^=call-]')
      .evaluateAll((lines) => lines.map(({ id }) => id));
    expect(new Set(ids).size).toBe(count);
    expect(await tab.getByText('some events were missed').count()).toBe(0);
  }
}

/** Tabs of one browser profile on the page of the calls; `asked` has the pages that opened streams, in order. */
async function openTabs({ url }: RunningGateway, count: number, first?: Page) {
  const tabs: Page[] = [];
  const asked: Page[] = [];
  const watched = (page: Page) => {
    page.setDefaultTimeout(30_000);
    page.on('request', (request) => {
      if (request.headers()['accept'] === 'text/event-stream') asked.push(page);
    });
    tabs.push(page);
    return page;
  };
  const one = watched(first ?? (await browser.page('about:blank')));
  for (let n = 1; n < count; n++) watched(await one.context().newPage());
  for (const tab of tabs) {
    await tab.goto(`${url}/calls`);
    await live(tab).waitFor();
  }
  return { tabs, asked };
}

async function call(running: RunningGateway, times: number): Promise<void> {
  const client = await running.client();
  for (let n = 0; n < times; n++) await client.callTool({ name: 'get_ticket', arguments: {} });
}

/** As a browser does with a tab in the background. */
async function setFrozen(page: Page, frozen: boolean): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: frozen ? 'frozen' : 'active' });
  await session.detach();
}

describe('eight tabs of one browser', () => {
  it('load, show the calls of another client, and take one stream of the gateway; closing its tab loses nothing', async () => {
    const running = await startAlone();
    const { tabs, asked } = await openTabs(running, TABS);
    expect(streams.open()).toBe(1);
    expect(streams.most()).toBe(1);
    expect(asked).toHaveLength(1);
    await call(running, 1);
    await show(tabs, 1);

    const calling = call(running, 20);
    const [owner] = asked;
    await owner!.close();
    await calling;
    const left = tabs.filter((tab) => tab !== owner);
    await show(left, 21);
    await expect.poll(streams.open).toBe(1);
    expect(asked).toHaveLength(2);
    for (const tab of left) expect(await live(tab).count()).toBe(1);
  });

  it('share one again when the gateway was started anew', async () => {
    const running = await startAlone();
    const { tabs } = await openTabs(running, 3);
    await call(running, 2);
    const { folder, port } = running;
    await running.close();
    for (const tab of tabs) await tab.getByText('reconnecting…').waitFor();
    for (const tab of tabs) await tab.getByTitle(/^The gateway does not answer/).waitFor();
    const late = await tabs[0]!.context().newPage();
    const again = await startAlone({ folder, port });
    await call(again, 3);
    await late.goto(`${running.url}/calls`);
    await show([...tabs, late], 5);
    await expect.poll(streams.open).toBe(1);
  });
});

describe('a tab that is put aside', () => {
  it('leaves the stream to another one, and has read what it missed when it is back', async () => {
    const running = await startAlone();
    const { tabs, asked } = await openTabs(running, 3);
    const [owner] = asked;
    const others = tabs.filter((tab) => tab !== owner);
    await setFrozen(owner!, true);
    await call(running, 3);
    await show(others, 3);
    await expect.poll(streams.open).toBe(1);
    await setFrozen(owner!, false);
    await show([owner!], 3);
    await call(running, 1);
    await show(tabs, 4);
    expect(streams.open()).toBe(1);
  });

  it('kept for the way back, likewise', async () => {
    const running = await startAlone();
    const { tabs, asked } = await openTabs(running, 2);
    const [owner] = asked;
    const other = tabs.find((tab) => tab !== owner)!;
    const turn = (type: string) =>
      owner!.evaluate((name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
    await turn('pagehide');
    await call(running, 2);
    await show([other], 2);
    expect(await list(owner!).getByRole('row').count()).toBeLessThanOrEqual(1);
    await turn('pageshow');
    await show(tabs, 2);
    await expect.poll(streams.open).toBe(1);
  });
});

describe('whoever signs out', () => {
  it('ends the stream of every tab, and none of them hears what comes', async () => {
    const running = await startTeam();
    const { admin } = await addAcme(running);
    const first = await browser.page(`${running.url}/sign-in`);
    await signInWithKey(first, running, admin);
    const { tabs } = await openTabs(running, 3, first);
    expect(streams.open()).toBe(1);
    await tabs[2]!.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(streams.open).toBe(0);
    for (const tab of tabs) await tab.waitForURL(/\/sign-in/);
  });

  it('and comes back as somebody else: each tab shows only what that one may see', async () => {
    const running = await startTeam();
    const { admin, key } = await addAcme(running);
    const first = await browser.page(`${running.url}/sign-in`);
    await signInWithKey(first, running, admin);
    const { tabs } = await openTabs(running, 2, first);
    // the cookie is another one's, and no tab was told
    await signInWithKey(first, running, key);
    const client = await running.client(admin);
    await client.callTool({ name: 'get_ticket', arguments: {} });
    const own = await running.client(key);
    await own.callTool({ name: 'list_tickets', arguments: {} });
    for (const tab of tabs) {
      await tab.getByText('Ben Birch').first().waitFor();
      await rows(tab, 1);
      await list(tab).getByRole('row').filter({ hasText: 'list_tickets' }).waitFor();
    }
    await expect.poll(streams.open).toBe(1);
  });

  it('signs in with another session: the tabs go over to it', async () => {
    const running = await startAlone();
    const { tabs } = await openTabs(running, 3);
    await signInAsOwner(tabs[0]!, running);
    for (const tab of tabs) await tab.getByRole('banner').getByText('Owner').waitFor();
    for (const tab of tabs) await live(tab).waitFor();
    await call(running, 1);
    await show(tabs, 1);
    await expect.poll(streams.open).toBe(1);
  });
});

it('a browser without locks has a stream a tab', async () => {
  const running = await startAlone();
  const page = await browser.page('about:blank');
  await page.context().addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
  });
  const { tabs } = await openTabs(running, 2, page);
  expect(streams.open()).toBe(2);
  await call(running, 2);
  await show(tabs, 2);
});
