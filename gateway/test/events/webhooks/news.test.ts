import { expect, it } from 'vitest';
import { createNews } from '../../../src/events/webhooks/news.ts';

const LONG_MS = 3_600_000;

/** Whether it is over before anything else happens. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  const turn = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([wait.then(() => true as const), turn]);
}

it('what was told since one looked is not waited for', async () => {
  const news = createNews();
  const mark = news.mark();
  news.tell();
  expect(await isOver(news.wait(LONG_MS, mark))).toBe(true);
  expect(await isOver(news.wait(LONG_MS, news.mark()))).toBe(false);
});

it('news ends the waits for news, and no pause', async () => {
  const news = createNews();
  const [forNews, pause] = [news.wait(LONG_MS, news.mark()), news.wait(LONG_MS)];
  news.tell();
  expect(await isOver(forNews)).toBe(true);
  expect(await isOver(pause)).toBe(false);
});

it('the end ends every wait, also those to come', async () => {
  const news = createNews();
  const waits = [news.wait(LONG_MS), news.wait(LONG_MS, news.mark())];
  news.close();
  for (const wait of [...waits, news.wait(LONG_MS)]) expect(await isOver(wait)).toBe(true);
});
