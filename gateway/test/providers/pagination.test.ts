import { afterEach, describe, expect, it } from 'vitest';
import { startGreenhouse } from '../doubles/greenhouse.ts';
import { startGreenhouseV3 } from '../doubles/greenhouse-v3.ts';
import { startLever } from '../doubles/lever.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { startZohoRecruit } from '../doubles/zoho-recruit.ts';
import { connectProvider, type ToolAnswer } from './provider-client.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function connect<Double extends ProviderDouble>(manifest: string, double: Double) {
  opened.push({ [Symbol.asyncDispose]: () => double.close() });
  const provided = await connectProvider(manifest, double);
  opened.push(provided);
  return { ...provided, double };
}

const listed = ({ text }: ToolAnswer) => JSON.parse(text.split('\n')[0]!);
const idsOf = (records: readonly { id: unknown }[]) => records.map(({ id }) => id);
/** The arguments that an answer names for its next page. */
const nextOf = ({ text }: ToolAnswer): Record<string, unknown> | undefined => {
  const [, args] = /next page: call again with only (\{.*?\})/.exec(text) ?? [];
  return args === undefined ? undefined : JSON.parse(args);
};

describe('greenhouse', () => {
  it('pages by number until the Link header names no next page', async () => {
    const { call, double } = await connect('greenhouse', await startGreenhouse());
    const first = await call('list_candidates', { per_page: 2 });
    expect(idsOf(listed(first))).toEqual([53883394, 53883395]);
    const second = await call('list_candidates', { per_page: 2, page: 2 });
    expect(idsOf(listed(second))).toEqual([53883396]);
    expect(nextOf(second)).toBeUndefined();
    expect(double.requests.map(({ target }) => target)).toEqual([
      '/v1/candidates?per_page=2',
      '/v1/candidates?per_page=2&page=2',
    ]);
  });

  // The arguments come out of the link as text: results/next-page.ts has to give numbers as the input schema asks.
  it('tells the arguments of the next page as the tool takes them', async () => {
    const { call } = await connect('greenhouse', await startGreenhouse());
    const next = nextOf(await call('list_candidates', { per_page: 2 }));
    const answer = await call('list_candidates', next);
    expect(answer.isError, answer.text).toBe(false);
    expect(idsOf(listed(answer))).toEqual([53883396]);
  });

  it('answers an empty list behind the last page', async () => {
    const { call } = await connect('greenhouse', await startGreenhouse());
    expect(listed(await call('list_candidates', { per_page: 2, page: 9 }))).toEqual([]);
  });
});

describe('greenhouse-v3', () => {
  it('goes on by the cursor of the answer before, which is sent alone', async () => {
    const { call, double } = await connect('greenhouse-v3', await startGreenhouseV3({ records: 5 }));
    const seen: unknown[] = [];
    let args: Record<string, unknown> | undefined = { per_page: 2, updated_at: 'gte|2026-01-01T00:00:00Z' };
    while (args !== undefined) {
      const answer: ToolAnswer = await call('list_candidates', args);
      expect(answer.isError, answer.text).toBe(false);
      seen.push(...idsOf(listed(answer)));
      args = nextOf(answer);
    }
    expect(seen).toEqual([53883398, 53883397, 53883396, 53883395, 53883394]);
    const names = double.requests.map(({ query }) => query.map(([name]) => name));
    expect(names).toEqual([['per_page', 'updated_at'], ['cursor'], ['cursor']]);
  });

  it('refuses a cursor beside another query argument before anything is sent', async () => {
    const { call, double } = await connect('greenhouse-v3', await startGreenhouseV3());
    const answer = await call('list_candidates', { cursor: 'abc', per_page: 2 });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/cursor goes alone/);
    expect(double.requests).toEqual([]);
  });

  it('passes on that a cursor is not valid', async () => {
    const { call } = await connect('greenhouse-v3', await startGreenhouseV3());
    const answer = await call('list_jobs', { cursor: 'abc' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/422/);
    expect(answer.text).toMatch(/cursor is not valid/);
  });

  it.each([
    ['an operator that does not exist', { created_at: 'after|2026-01-01' }],
    ['a bare date', { created_at: '2026-01-01' }],
    ['more than 50 ids', { ids: Array.from({ length: 51 }, (_, id) => id) }],
    ['a page above 500', { per_page: 501 }],
  ])('refuses %s before anything is sent', async (_what, args) => {
    const { call, double } = await connect('greenhouse-v3', await startGreenhouseV3());
    expect(await call('list_candidates', args)).toMatchObject({ isError: true });
    expect(double.requests).toEqual([]);
  });
});

describe('zoho-recruit', () => {
  it('shows info.more_records until the last page', async () => {
    const { call } = await connect('zoho-recruit', await startZohoRecruit());
    const first = listed(await call('list_candidates', { per_page: 2 }));
    expect(first.info).toEqual({ per_page: 2, count: 2, page: 1, more_records: true });
    const second = listed(await call('list_candidates', { per_page: 2, page: 2 }));
    expect(idsOf(second.data)).toEqual(['409001000000312003']);
    expect(second.info.more_records).toBe(false);
  });

  it.each([
    ['a page behind the last', 'list_candidates', { page: 9 }],
    ['a search without hits', 'search_candidates', { word: 'nobody at all' }],
    ['a record that is not there', 'get_candidate', { id: '409001000000312999' }],
  ])('takes 204 for %s as an answer, not as an error', async (_what, operation, args) => {
    const { call, double } = await connect('zoho-recruit', await startZohoRecruit());
    const answer = await call(operation, args);
    expect(double.requests.map(({ status }) => status)).toEqual([204]);
    expect(answer).toMatchObject({ isError: false });
    expect(answer.text).toMatch(/204/);
  });

  it.each([
    ['none', {}],
    ['two', { email: 'dev@example.com', word: 'Kapoor' }],
  ])('refuses %s of the ways to search before anything is sent', async (_how_many, args) => {
    const { call, double } = await connect('zoho-recruit', await startZohoRecruit());
    const answer = await call('search_candidates', args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/Exactly one of criteria, email, phone, word/);
    expect(double.requests).toEqual([]);
  });
});

describe('lever', () => {
  it('goes on by next while hasNext says so', async () => {
    const { call } = await connect('lever', await startLever());
    const seen: unknown[] = [];
    let args: Record<string, unknown> | undefined = { limit: 2 };
    while (args !== undefined) {
      const page = listed(await call('list_opportunities', args));
      seen.push(...page.data.map(({ name }: { name: string }) => name));
      args = page.hasNext ? { limit: 2, offset: page.next } : undefined;
    }
    expect(seen).toEqual(['Shane Smith', 'Robin Hay', 'Ada Munro']);
  });
});
