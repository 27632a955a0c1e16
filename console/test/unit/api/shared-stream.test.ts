import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeBrowser, type FakeTab } from './fake-tabs.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Tabs of one session, the first of which has the stream. */
async function tabsOf(browser: FakeBrowser, count: number): Promise<FakeTab[]> {
  const tabs: FakeTab[] = [];
  for (let n = 0; n < count; n++) {
    const tab = browser.tab();
    tabs.push(tab);
    tab.stream.join('ann');
    await settle();
  }
  return tabs;
}

describe('tabs of one session', () => {
  it('share one stream: every tab hears every event once', async () => {
    const browser = new FakeBrowser();
    browser.append(1, 2);
    const tabs = await tabsOf(browser, 3);
    browser.append(3, 5);
    browser.append(6);
    expect(browser.open.size).toBe(1);
    for (const { heard, stream } of tabs) {
      expect(heard).toEqual([3, 5, 6]);
      expect(stream.state).toBe('open');
    }
    expect(browser.missed).toBe(0);
  });

  it('tell a new one at once how the stream is, and why it is lost', async () => {
    const browser = new FakeBrowser();
    browser.down = true;
    const [first, second] = await tabsOf(browser, 2);
    expect(second!.stream.state).toBe('lost');
    expect(second!.stream.failure?.text).toBe('The gateway does not answer.');
    browser.down = false;
    first!.stream.look();
    await settle();
    expect([first!.stream.state, second!.stream.state]).toEqual(['open', 'open']);
    expect(second!.stream.failure).toBeUndefined();
  });

  it('try again at once when somebody looks at one of them', async () => {
    const browser = new FakeBrowser();
    browser.down = true;
    const [, second] = await tabsOf(browser, 2);
    browser.down = false;
    second!.visible = false;
    second!.stream.look();
    await settle();
    expect(second!.stream.state).toBe('lost');
    second!.visible = true;
    second!.stream.look();
    await settle();
    expect(second!.stream.state).toBe('open');
  });

  it('hear nothing of another session', async () => {
    const browser = new FakeBrowser();
    const [ann] = await tabsOf(browser, 1);
    const ben = browser.tab();
    ben.stream.join('ben');
    await settle();
    ann!.stream.leave();
    browser.append(1);
    expect(ann!.heard).toEqual([]);
    expect(ben.heard).toEqual([1]);
    expect(ann!.stream.state).toBe('closed');
  });
});

describe('another tab takes over', () => {
  it('when the owner leaves, behind the last event, and nobody is told of a loss', async () => {
    const browser = new FakeBrowser();
    const [first, second, third] = await tabsOf(browser, 3);
    browser.append(1, 2);
    first!.stream.leave();
    browser.append(3);
    await settle();
    browser.append(4);
    for (const tab of [second!, third!]) {
      expect(tab.heard).toEqual([1, 2, 3, 4]);
      expect(tab.states).toEqual(['connecting', 'open']);
    }
    expect(browser.open.size).toBe(1);
    expect(first!.heard).toEqual([1, 2]);
  });

  it('when the owner crashes', async () => {
    const browser = new FakeBrowser();
    const [first, second, third] = await tabsOf(browser, 3);
    browser.append(1);
    first!.crash();
    browser.append(2);
    await settle();
    for (const tab of [second!, third!]) expect(tab.heard).toEqual([1, 2]);
  });

  it('when the owner is frozen and keeps its lock: it is asked first, then the lock is taken', async () => {
    const browser = new FakeBrowser();
    const [first, second, third] = await tabsOf(browser, 3);
    browser.append(1);
    first!.freeze();
    browser.append(2, 3);
    await wait(19_000);
    expect(second!.owns || third!.owns).toBe(false);
    await wait(5_000);
    expect(second!.owns || third!.owns).toBe(true);
    for (const tab of [second!, third!]) expect(tab.heard).toEqual([1, 2, 3]);
    browser.append(4);
    first!.thaw();
    await settle();
    browser.append(5);
    for (const tab of [first!, second!, third!]) expect(tab.heard).toEqual([1, 2, 3, 4, 5]);
    expect(browser.open.size).toBe(1);
  });

  it('soon, when somebody looks at a tab while the owner is frozen', async () => {
    const browser = new FakeBrowser();
    const [first, second] = await tabsOf(browser, 2);
    first!.freeze();
    browser.append(1);
    second!.stream.look();
    await wait(3_500);
    expect(second!.owns).toBe(true);
    expect(second!.heard).toEqual([1]);
  });

  it('never while the owner answers, however quiet it is', async () => {
    const browser = new FakeBrowser();
    const [first] = await tabsOf(browser, 3);
    await wait(600_000);
    expect(first!.owns).toBe(true);
  });

  it('and says so when it cannot connect', async () => {
    const browser = new FakeBrowser();
    const [first, second, third] = await tabsOf(browser, 3);
    browser.down = true;
    first!.stream.leave();
    await settle();
    expect([second!.stream.state, third!.stream.state]).toEqual(['lost', 'lost']);
  });
});

describe('a tab that was away', () => {
  it('reads what it missed, once, while events go on', async () => {
    const browser = new FakeBrowser();
    const [, second] = await tabsOf(browser, 2);
    browser.append(1);
    second!.stream.leave();
    browser.append(2, 3);
    second!.stream.join('ann');
    await settle();
    browser.append(4);
    await settle();
    expect(second!.heard).toEqual([1, 2, 3, 4]);
    expect(second!.gaps).toEqual([]);
  });

  it('was the owner, and hears from the next one', async () => {
    const browser = new FakeBrowser();
    const [first, second] = await tabsOf(browser, 2);
    browser.append(1);
    first!.stream.leave();
    await settle();
    browser.append(2);
    first!.stream.join('ann');
    await settle();
    browser.append(3);
    for (const tab of [first!, second!]) expect(tab.heard).toEqual([1, 2, 3]);
    expect(second!.owns).toBe(true);
  });

  it('takes in thousands page by page, and more than ten thousand as a gap', async () => {
    const browser = new FakeBrowser();
    const [, second] = await tabsOf(browser, 2);
    browser.append(1);
    second!.stream.leave();
    browser.append(...Array.from({ length: 9_000 }, (_, n) => n + 2));
    second!.stream.join('ann');
    await settle();
    expect(second!.heard).toHaveLength(9_001);
    expect(new Set(second!.heard).size).toBe(9_001);
    expect(browser.missed).toBe(9);
    second!.stream.leave();
    browser.append(...Array.from({ length: 11_000 }, (_, n) => n + 9_002));
    second!.stream.join('ann');
    await settle();
    expect(second!.gaps).toEqual([{ after: 9_001, oldest: 20_002 }]);
    browser.append(20_002);
    expect(second!.heard.at(-1)).toBe(20_002);
  });

  it('while a log began anew is told of a gap, and hears what comes', async () => {
    const browser = new FakeBrowser();
    const [first, second, third] = await tabsOf(browser, 3);
    browser.append(1, 2, 3, 4, 5);
    third!.stream.leave();
    browser.log = [];
    browser.append(1, 2);
    third!.stream.join('ann');
    await settle();
    browser.append(3);
    for (const tab of [first!, second!]) {
      expect(tab.heard).toEqual([1, 2, 3, 4, 5, 1, 2, 3]);
      expect(tab.gaps).toEqual([{ after: 5, oldest: 1 }]);
    }
    expect(third!.gaps).toHaveLength(1);
    expect(third!.heard).toEqual([1, 2, 3, 4, 5, 3]);
  });
});

it('10,000 events in one go reach every tab whole and in order', async () => {
  const browser = new FakeBrowser();
  const tabs = await tabsOf(browser, 2);
  const all = Array.from({ length: 10_000 }, (_, n) => n + 1);
  browser.append(...all);
  for (const { heard } of tabs) expect(heard).toEqual(all);
});
