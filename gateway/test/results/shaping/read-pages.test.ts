import { describe, expect, it } from 'vitest';
import type {
  Call,
  CompletedResult,
  Json,
  JsonObject,
  Operation,
  Result,
} from '../../../src/operations/index.ts';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import { type ReadPages, readPages } from '../../../src/results/shaping/read-pages.ts';

const list = {
  id: 'list',
  source: 'shop',
  input: { properties: { page: { type: 'integer' } } },
  invocation: { kind: 'http', bindings: [{ in: 'query', name: 'page', arg: 'page' }] },
} as unknown as Operation;

interface Answers {
  /** The answer of a page, or its whole result. */
  readonly page: (page: number) => Json | Result;
  readonly deadline?: number;
}

/** Reads so many pages, and says which were asked for. */
async function read(
  wanted: number,
  { page, deadline = Date.now() + 60_000 }: Answers,
  operation: Operation = list,
  signal?: AbortSignal,
) {
  const asked: number[] = [];
  const told: unknown[] = [];
  const call = {
    arguments: {},
    operation,
    deadline,
    signal,
    channel: { progress: (...said: unknown[]) => void told.push(said) },
  } as unknown as Call;
  const answer = await readPages(call, paginationOf(operation), wanted, {
    next: async ({ arguments: { page: number = 1 } }) => {
      asked.push(number as number);
      const made = page(number as number);
      const isResult = typeof made === 'object' && made !== null && 'kind' in made;
      return (isResult ? made : { kind: 'completed', content: [], structured: made }) as Result;
    },
    answerOf: async ({ structured }: CompletedResult) => structured,
  });
  return { asked, told, answer, pages: answer as ReadPages };
}

const rows = (page: number): JsonObject => ({ data: [{ id: page }], page, total_pages: 4 });
const failed = { kind: 'completed', content: [], error: { code: 'upstream_status' } } as unknown as Result;

describe('several pages', () => {
  it('end before one that asks something first', async () => {
    const asks: Result = { kind: 'input_required', requests: {} };
    const { asked, pages } = await read(3, { page: (page) => (page === 2 ? asks : rows(page)) });
    expect(asked).toEqual([1, 2]);
    expect(pages.note).toBe('1 of 3 pages were read: the service asks something first.');
    expect(pages.answer).toMatchObject({ data: [{ id: 1 }] });
  });

  it('are one answer, as the last of them says what is behind it', async () => {
    const { asked, told, pages } = await read(3, { page: rows });
    expect(asked).toEqual([1, 2, 3]);
    expect(pages).toMatchObject({ pages: 3, next: { page: 4 } });
    expect(pages.answer).toEqual({ data: [{ id: 1 }, { id: 2 }, { id: 3 }], page: 3, total_pages: 4 });
    expect(pages).not.toHaveProperty('note');
    expect(told).toEqual([
      [1, 3, '1 rows read'],
      [2, 3, '2 rows read'],
    ]);
  });

  it('end with the last one', async () => {
    const { asked, pages } = await read(9, { page: rows });
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(pages).not.toHaveProperty('next');
    expect(pages).not.toHaveProperty('note');
  });

  it.each<[string, Answers, number, string]>([
    ['the time is up', { page: rows, deadline: 0 }, 1, 'the time is up'],
    [
      'there are very many rows',
      { page: (page) => ({ ...rows(page), data: Array(30_000).fill({}) }) },
      2,
      'very many',
    ],
    ['one is no list', { page: (page) => (page === 2 ? { id: 2 } : rows(page)) }, 1, 'a page is no list'],
  ])('end where %s, and say so', async (_what, answers, count, why) => {
    const { pages } = await read(4, answers);
    expect(pages).toMatchObject({
      pages: count,
      note: expect.stringContaining(`${count} of 4 pages were read`),
    });
    expect(pages.note).toContain(why);
  });

  it('are those before one that leads back, and a cursor goes no further', async () => {
    const cursor = {
      id: 'list',
      source: 'shop',
      input: { properties: { cursor: { type: 'string' } } },
      invocation: { kind: 'http', bindings: [{ in: 'query', name: 'cursor', arg: 'cursor' }] },
    } as unknown as Operation;
    let count = 0;
    const page = () => ({ data: [{ id: ++count }], next_cursor: count % 2 === 0 ? 'a' : 'b' });
    const { pages } = await read(9, { page }, cursor);
    expect(pages).toMatchObject({ pages: 3, note: '3 of 9 pages were read: the service repeats a page.' });
    expect(pages).not.toHaveProperty('next');
  });

  it('are none where the caller goes away in between', async () => {
    const leaving = new AbortController();
    const page = (number: number) => {
      if (number === 1) return rows(1);
      leaving.abort(new Error('gone'));
      throw leaving.signal.reason;
    };
    await expect(read(3, { page }, list, leaving.signal)).rejects.toThrow('gone');
  });

  it('are those before one that fails', async () => {
    const { pages } = await read(4, { page: (page) => (page === 3 ? failed : rows(page)) });
    expect(pages).toMatchObject({ pages: 2, next: { page: 3 }, answer: { data: [{ id: 1 }, { id: 2 }] } });
    expect(pages.note).toMatch(/^2 of 4 pages were read: /);
  });

  it.each<[string, Result]>([
    ['a failure', failed],
    ['a question', { kind: 'input_required' } as unknown as Result],
  ])('are none where the first is %s', async (_what, first) => {
    const { asked, answer } = await read(4, { page: () => first });
    expect([asked, answer]).toEqual([[1], first]);
  });

  it('are one where the answer is no list', async () => {
    const { asked, pages } = await read(4, { page: () => ({ id: 1, total_pages: 9 }) });
    expect(asked).toEqual([1]);
    expect(pages).toMatchObject({ pages: 1, answer: { id: 1, total_pages: 9 } });
  });
});
