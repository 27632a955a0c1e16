import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, ShapingRequest } from '../../../src/operations/index.ts';
import { compileFilter } from '../../../src/results/shaping/filter.ts';
import { SHAPED_OUTPUT_SCHEMA } from '../../../src/results/shaping/index.ts';
import { shapeAnswer } from '../../../src/results/shaping/shape.ts';
import type { ShapingContext } from '../../../src/results/shaping/shaping-context.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import fc from '../../properties.ts';

const engine = createPatternEngine();

interface Shaped {
  readonly structured: JsonObject;
  readonly text: string;
  readonly stored: number;
}

async function shape(
  answer: Json,
  request: ShapingRequest = {},
  { essential, ...context }: Partial<ShapingContext> & { essential?: readonly string[] } = {},
): Promise<Shaped | undefined> {
  let stored = 0;
  const { filters } = request;
  const shaped = await shapeAnswer(
    answer,
    { request, defaultLimit: 10, ...(essential === undefined ? {} : { essential }) },
    {
      store: async () => {
        stored++;
        return 'r1';
      },
      filter: filters && compileFilter(filters, (pattern) => engine.compile(pattern)),
      cursorAt: (row, id) => `${id}:${row}`,
      ...context,
    },
  );
  return shaped && { ...shaped, stored };
}

const nested = (count: number): Json[] =>
  Array.from({ length: count }, (_, id) => ({ id, at: { rack: id % 3 } }));
const flat = (count: number): Json[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `osd.${id}`,
    status: id % 10 === 0 ? 'error' : 'up',
  }));

describe('a list by its length', () => {
  it.each([0, 1, 5])('of %i rows stays as it is', async (count) => {
    expect(await shape(nested(count))).toBeUndefined();
    expect(await shape({ data: nested(count), total: count })).toBeUndefined();
  });

  it('of 6 to 25 rows stays as it is; flat rows are a table in the text', async () => {
    expect(await shape(nested(25))).toBeUndefined();
    const answer = { data: flat(25), total: 25 };
    const { structured, text, stored } = (await shape(answer))!;
    expect(structured).toBe(answer);
    expect(text).toMatch(/^id,name,status\n0,osd\.0,error\n.*\n24,osd\.24,up\n\n\{"total":25\}$/s);
    expect(stored).toBe(0);
  });

  it('of up to 50 rows is cut to 25, says so, and how to go on', async () => {
    const { structured, stored } = (await shape({ data: nested(50), total: 50 }))!;
    expect(structured).toEqual({
      data: nested(25),
      total_count: 50,
      returned_count: 25,
      truncated: true,
      envelope: { total: 50 },
      response_id: 'r1',
      next_cursor: 'r1:25',
      notes: [expect.stringMatching(/^25 of 50 rows are shown\. For the rest .*_cursor.*query_result/)],
    });
    expect(stored).toBe(1);
  });

  it.each([50, 500])('of %i rows says so where the service has more than were read', async (count) => {
    const notesOf = async (context: Parameters<typeof shape>[2]) =>
      JSON.stringify((await shape(nested(count), {}, context))!.structured);
    expect(await notesOf({ nextCursor: 'page2' })).toContain('The service has more than were read.');
    expect(await notesOf({})).not.toContain('The service has more');
  });

  it('is cut further behind where its kind of list is longer', async () => {
    expect(await shape(nested(80), {}, { cut: 100 })).toBeUndefined();
    expect((await shape(nested(101), {}, { cut: 100 }))!.structured).toMatchObject({ returned_count: 0 });
  });

  it('of more rows is summarised', async () => {
    const { structured, stored } = (await shape({ data: flat(1000), total: 1000 }))!;
    expect(structured).toMatchObject({
      summary: { by_status: { error: 100, up: 900 }, sample_items: [{ id: 0 }, { id: 1 }, { id: 2 }] },
      total_count: 1000,
      returned_count: 0,
      truncated: true,
      response_id: 'r1',
      next_cursor: 'r1:0',
      envelope: { total: 1000 },
    });
    expect(structured['data']).toBeUndefined();
    expect(stored).toBe(1);
  });

  it('with the fields that were asked for of every row leaves nothing behind to be stored', async () => {
    const { structured, stored } = (await shape(nested(5), { fields: ['id'] }))!;
    expect(structured['data']).toEqual([0, 1, 2, 3, 4].map((id) => ({ id })));
    expect(structured).not.toHaveProperty('response_id');
    expect(stored).toBe(0);
  });

  it('with fields asked for is summarised only above 100', async () => {
    const request = { fields: ['id'] };
    expect((await shape(flat(100), request))!.structured).toMatchObject({
      returned_count: 100,
      data: { length: 100 },
    });
    expect((await shape(flat(101), request))!.structured).toMatchObject({ returned_count: 0, summary: {} });
  });

  it('with a limit asked for is that many rows', async () => {
    const { structured } = (await shape(flat(1000), { limit: 200 }))!;
    expect(structured).toMatchObject({ returned_count: 200, total_count: 1000, next_cursor: 'r1:200' });
  });

  it('stays whole where nobody wants it shaped', async () => {
    expect(await shape(flat(500), { off: true })).toBeUndefined();
  });
});

describe('a list by its rows', () => {
  it('is filtered before it is cut', async () => {
    const { structured } = (await shape(flat(1000), { filters: { status: 'error', id: '<200' } }))!;
    expect(structured).toMatchObject({ total_count: 20, returned_count: 20 });
    expect((structured['data'] as JsonObject[]).every(({ status }) => status === 'error')).toBe(true);
  });

  it('keeps its place in the whole answer when it is filtered', async () => {
    const { structured } = (await shape(flat(1000), { filters: { status: 'error' }, limit: 3 }))!;
    expect(structured).toMatchObject({ data: [{ id: 0 }, { id: 10 }, { id: 20 }], next_cursor: 'r1:30' });
  });

  it('says that a filter saw one page only', async () => {
    const { structured } = (await shape(flat(100), { filters: { status: 'error' } }, { nextCursor: 'n' }))!;
    expect(structured).toMatchObject({ next_cursor: 'n', truncated: true });
    expect(structured['notes']).toContain(
      "The filter saw the 100 rows of this page only; _pages among the operation's arguments reads several.",
    );
  });

  it('refuses a field that no row has, or says so where the call is done', async () => {
    const filters = { stauts: 'x' };
    await expect(shape(flat(10), { filters })).rejects.toMatchObject({ code: 'filter_invalid' });
    const { structured } = (await shape(flat(10), { filters }, { strict: false }))!;
    expect(structured).toMatchObject({
      data: [],
      notes: [expect.stringContaining('Did you mean "status"?')],
    });
  });

  it('keeps essential fields of many rows, and says how to see the others', async () => {
    const { structured, stored } = (await shape(flat(10), {}, { essential: ['id', 'status', 'gone'] }))!;
    expect(structured).toMatchObject({ returned_count: 10, response_id: 'r1' });
    expect((structured['data'] as Json[])[0]).toEqual({ id: 0, status: 'error' });
    expect(structured['notes']).toEqual([expect.stringContaining('Only "id", "status" are shown')]);
    expect(stored).toBe(1);
    expect(await shape(flat(5), {}, { essential: ['id'] })).toBeUndefined();
    expect((await shape(flat(10), { fields: ['*'] }, { essential: ['id'] }))!.structured['data']).toEqual(
      flat(10),
    );
    expect(await shape(flat(10), {}, { essential: ['gone'] })).toBeUndefined();
  });

  it('names fields that no row has', async () => {
    const { structured } = (await shape(flat(10), { fields: ['id', 'nmae'] }))!;
    expect(structured['notes']).toEqual(['No row has a field "nmae". Did you mean "name"?']);
    const summary = (await shape(flat(200), { fields: ['id', 'nmae'] }))!.structured;
    expect(summary).toMatchObject({ summary: { sample_items: [{ id: 0 }, { id: 1 }, { id: 2 }] } });
    expect(summary['notes']).toContain('No row has a field "nmae". Did you mean "name"?');
  });

  it('is a table in the text where that is shorter, and rows in the structured content', async () => {
    const { structured, text } = (await shape(flat(40)))!;
    expect(text).toMatch(/^id,name,status\n0,osd\.0,error\n1,osd\.1,up\n/);
    expect(text).toMatch(/\n\n\{"total_count":40,"returned_count":25,/);
    expect(structured['data']).toEqual(flat(25));
    expect((await shape(flat(40), {}, { tables: false }))!.text).toBe(JSON.stringify(structured));
  });
});

it('the declared schema describes every member of a shaped answer', async () => {
  const described = SHAPED_OUTPUT_SCHEMA['properties'] as JsonObject;
  const answers = [
    await shape({ data: flat(1000), total: 1000 }),
    await shape(
      { data: flat(40), total: 40 },
      { filters: { status: 'up' }, fields: ['id', 'x'] },
      { nextCursor: 'n' },
    ),
    await shape({ id: 1, log: 'x'.repeat(100_000) }),
  ];
  const validator = createValidator();
  for (const { structured } of answers.map((one) => one!)) {
    expect(Object.keys(described)).toEqual(expect.arrayContaining(Object.keys(structured)));
    expect(validator.validate(SHAPED_OUTPUT_SCHEMA, structured).valid).toBe(true);
  }
});

describe('what is no list', () => {
  it('is projected at most', async () => {
    expect(await shape({ id: 1, owner: { name: 'a' } })).toBeUndefined();
    const { structured } = (await shape(
      { id: 1, owner: { name: 'a', age: 5 } },
      { fields: ['owner.name'] },
    ))!;
    expect(structured).toEqual({ owner: { name: 'a' } });
    expect((await shape({ result: { id: 1, x: 2 } }, { fields: ['id'] }))!.structured).toEqual({
      result: { id: 1 },
    });
  });

  it('has nothing to filter', async () => {
    await expect(shape({ id: 1 }, { filters: { id: 1 } })).rejects.toMatchObject({ code: 'filter_invalid' });
  });

  it('is shown in part and stored where it is too long', async () => {
    const { structured, text, stored } = (await shape({ id: 1, log: 'x'.repeat(100_000) }))!;
    expect(structured).toMatchObject({
      truncated: true,
      response_id: 'r1',
      summary: { available_fields: ['id', 'log'] },
    });
    expect(text.length).toBeLessThan(10_000);
    expect(stored).toBe(1);
  });
});

describe('the limits of a client', () => {
  it('are never passed, whatever the rows', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 3000, unit: 'binary' }),
      fc.integer(),
      fc.array(fc.string(), { maxLength: 20 }),
    );
    const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'status', 'error'), value);
    const request = fc.record(
      { limit: fc.integer({ min: 1, max: 1000 }), fields: fc.constant(['a', 'b']), off: fc.constant(true) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 120 }),
        fc.boolean(),
        request,
        fc.integer({ min: 1500, max: 20_000 }),
        async (rows, wrapped, asked, maxCharacters) => {
          const answer: Json = wrapped ? { data: rows as Json[], extra: 'y'.repeat(3000) } : (rows as Json[]);
          const shaped = await shape(answer, asked, { maxCharacters });
          const shown = shaped ?? { text: JSON.stringify(answer), structured: answer };
          expect(shown.text.length).toBeLessThanOrEqual(maxCharacters);
          expect(JSON.stringify(shown.structured).length).toBeLessThanOrEqual(maxCharacters);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('count tokens too', async () => {
    const rows = Array.from({ length: 900 }, (_, id) => ({ id, words: '服务器的状态不正常'.repeat(6) }));
    const { text, structured } = (await shape(rows, { limit: 1000 }))!;
    expect(countTokens(text)).toBeLessThanOrEqual(20_000);
    expect(structured).toMatchObject({ truncated: true, next_cursor: expect.stringMatching(/^r1:\d+$/) });
  });

  it('let a row that is too long through in part, so that a cursor gets on', async () => {
    const rows = [{ id: 1, log: 'x'.repeat(90_000) }, { id: 2 }, { id: 3 }];
    const { structured } = (await shape(rows))!;
    expect(structured).toMatchObject({ returned_count: 1, next_cursor: 'r1:1', response_id: 'r1' });
    expect((structured['data'] as JsonObject[])[0]).toMatchObject({
      id: 1,
      log: expect.stringMatching(/…$/),
    });
    expect((await shape(rows, {}, { offset: 1, continuing: true }))!.structured).toMatchObject({
      data: [{ id: 2 }, { id: 3 }],
    });
  });

  it('keep a row that is shown in part, also where it is the last', async () => {
    const { structured } = (await shape([{ log: 'x'.repeat(90_000) }], { limit: 5 }))!;
    expect(structured).toMatchObject({ returned_count: 1, truncated: true, response_id: 'r1' });
    expect(structured).not.toHaveProperty('next_cursor');
  });

  it('hold for the rows as they are, too, where the text is a shorter table', async () => {
    const rows = Array.from({ length: 100 }, (_, number) => ({
      a_rather_long_name: number,
      another: number,
    }));
    const { structured, text } = (await shape(rows, { limit: 100 }, { maxCharacters: 3000 }))!;
    expect(JSON.stringify(structured).length).toBeLessThanOrEqual(3000);
    expect(text.length).toBeLessThan(2000);
  });
});
