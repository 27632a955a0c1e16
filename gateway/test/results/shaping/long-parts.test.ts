import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, ShapedCall, ShapingRequest } from '../../../src/operations/index.ts';
import { compileFilter } from '../../../src/results/shaping/filter.ts';
import { shapeAnswer } from '../../../src/results/shaping/shape.ts';
import type { ShapingContext } from '../../../src/results/shaping/shaping-context.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';

const engine = createPatternEngine();
const TEXT = Array.from({ length: 3000 }, (_, line) => `${line} served in ${line % 90} ms`).join('\n');

async function shape(
  answer: Json,
  request: ShapingRequest = {},
  context: Partial<ShapingContext> = {},
  how: Partial<ShapedCall> = {},
): Promise<JsonObject> {
  const shaped = await shapeAnswer(
    answer,
    { request, defaultLimit: 10, ...how },
    {
      store: async () => 'r1',
      filter: request.filters && compileFilter(request.filters, (pattern) => engine.compile(pattern)),
      cursorAt: (row, id) => `${id}:${row}`,
      ...context,
    },
  );
  return shaped!.structured;
}

describe('a text that is too long to show', () => {
  it.each<[string, Json]>([
    ['alone', TEXT],
    ['as a result', { result: TEXT }],
    ['further inside', { file: { content: TEXT } }],
  ])('%s is read line by line to its end', async (_where, answer) => {
    const first = await shape(answer);
    expect(first).toMatchObject({ total_count: 3000, returned_count: 100, next_cursor: 'r1:100' });
    const last = await shape(answer, { limit: 1000 }, { offset: 2990, continuing: true });
    expect(last['data']).toHaveLength(10);
    expect((last['data'] as Json[]).at(-1)).toBe('2999 served in 29 ms');
    expect(last).not.toHaveProperty('next_cursor');
  });

  it('comes in fewer lines where those that are next are long', async () => {
    const lines = Array.from({ length: 200 }, (_, line) => (line < 100 ? 'short' : 'x'.repeat(900)));
    const answer = { result: lines.join('\n') };
    expect(await shape(answer)).toMatchObject({ returned_count: 100 });
    expect(await shape(answer, {}, { offset: 100, continuing: true })).toMatchObject({ returned_count: 11 });
  });

  it('is searched by a text', async () => {
    const found = await shape({ result: TEXT }, { filters: { _text: '2999 served' } });
    expect(found).toMatchObject({ data: ['2999 served in 29 ms'], total_count: 1 });
  });

  it('is chosen by a field, where the answer has others', async () => {
    const answer = { pod: 'web', log: TEXT, other: TEXT };
    expect((await shape(answer))['summary']).toMatchObject({ available_fields: ['log', 'other', 'pod'] });
    expect(await shape(answer, { fields: ['log'], limit: 2 })).toMatchObject({
      data: ['0 served in 0 ms', '1 served in 1 ms'],
      next_cursor: 'r1:2',
    });
  });

  it('of a single row of a list is read as well', async () => {
    const rows = [
      { id: 1, body: 'x' },
      { id: 2, body: TEXT },
    ];
    const request = { filters: { id: 2 }, fields: ['body'] };
    const kept: Json[] = [];
    const store = async (answer: Json) => `r${kept.push(answer)}`;
    expect(await shape(rows, request, { store })).toMatchObject({
      returned_count: 100,
      next_cursor: 'r1:100',
    });
    // what is asked about it later is asked of all of it
    expect(kept).toEqual([rows]);
    expect(await shape(rows, request, { offset: 2999, continuing: true })).toMatchObject({
      data: ['2999 served in 29 ms'],
    });
  });

  it('without line ends comes in pieces that lose nothing', async () => {
    const long = 'ä😀'.repeat(40_000);
    const pieces: Json[] = [];
    for (let offset = 0; ; ) {
      const part = await shape({ result: long }, { limit: 20 }, { offset, continuing: true });
      pieces.push(...(part['data'] as Json[]));
      if (part['next_cursor'] === undefined) break;
      offset = Number(String(part['next_cursor']).split(':')[1]);
    }
    expect(pieces.join('')).toBe(long);
    expect(await shape({ result: long })).toMatchObject({ returned_count: 10, next_cursor: 'r1:10' });
  });
});

describe('an answer of several lists', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: 'n'.repeat(40) }));
  const answer = { servers: rows(2000), volumes: rows(3) };

  it('is read by the rows of one of them, however many', async () => {
    const summary = await shape(answer, { fields: ['servers'] });
    expect(summary['summary']).toMatchObject({ available_fields: ['id', 'name'] });
    expect(summary).toMatchObject({ total_count: 2000, next_cursor: 'r1:0' });
    expect(await shape(answer, { fields: ['servers'], limit: 2 })).toMatchObject({
      data: [{ id: 0 }, { id: 1 }],
      next_cursor: 'r1:2',
    });
  });

  it('is filtered by the rows of one of them; an error says which there are', async () => {
    const filters = { id: 2 };
    expect(await shape(answer, { fields: ['volumes'], filters })).toMatchObject({ data: [{ id: 2 }] });
    await expect(shape(answer, { filters })).rejects.toMatchObject({
      code: 'filter_invalid',
      next: expect.stringContaining('"servers", "volumes"'),
    });
  });
});

describe('what a note says to give', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id }));
  const notes = async (how: Partial<ShapedCall>) =>
    String((await shape(rows, { limit: 1 }, {}, how))['notes']);

  it('is called as the tool calls it that was called', async () => {
    expect(await notes({})).toContain('call again with _cursor = next_cursor');
    expect(await notes({ byProperties: true })).toContain('call again with cursor = next_cursor');
  });
});
