import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import { compileFilter } from '../../../src/results/shaping/filter.ts';
import { shapeAnswer } from '../../../src/results/shaping/shape.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';

const engine = createPatternEngine();
const ROWS: readonly JsonObject[] = Array.from({ length: 30 }, (_, index) => ({
  id: index,
  status: index % 9 === 0 ? 'failed' : 'succeeded',
  created: 1_795_000_000 + index,
  closed: null,
  labels: [{ name: 'bug' }],
  title: `Order ${index} of a customer whose name is long`,
}));

async function notes(filters: JsonObject, rows: readonly Json[] = ROWS): Promise<readonly string[]> {
  const shaped = await shapeAnswer(
    [...rows],
    { request: { filters }, defaultLimit: 10 },
    {
      store: async () => 'r1',
      filter: compileFilter(filters, (pattern) => engine.compile(pattern)),
    },
  );
  return (shaped?.structured['notes'] ?? []) as string[];
}

describe('a filter that leaves no row', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a word in another case',
      { status: 'Succeeded' },
      '"status": "Succeeded". In these rows it is "failed", "succeeded".',
    ],
    [
      'a date asked of numbers',
      { created: '>=2026-11-16' },
      '"created": ">=2026-11-16". In these rows it goes from 1795000000 to 1795000029.',
    ],
    [
      'a number that is too great',
      { id: '>90', status: 'failed' },
      '"id": ">90". In these rows it goes from 0 to 29.',
    ],
    [
      'an order asked of text',
      { title: '>5', id: '<9' },
      '"title": ">5". In these rows it is "Order 0 of a customer whose name is long", "Order 1',
    ],
    ['what is never there', { closed: '>2026-01-01' }, '"closed": ">2026-01-01". In these rows it is null.'],
    ['a value of a list', { 'labels[].name': 'Bug' }, '"labels[].name": "Bug". In these rows it is "bug".'],
    [
      'a pattern alone',
      { status: '~^done' },
      '"status": "~^done". In these rows it is "failed", "succeeded".',
    ],
  ])('says so of %s', async (_what, filters, said) => {
    const [note, ...others] = await notes(filters);
    expect(note).toMatch(/^No row matches /);
    expect(note).toContain(said);
    expect(others).toEqual([]);
  });

  it('says nothing where each condition fits some row, or rows are left', async () => {
    expect(await notes({ id: 1, status: 'failed' })).toEqual([]);
    expect(await notes({ id: 1 })).toEqual([]);
    expect(await notes({ id: 1, _text: 'nowhere' })).toEqual([]);
    expect(await notes({ id: 1 }, [])).toEqual([]);
  });

  it('shows what services wrote cleaned and short', async () => {
    const rows = Array.from({ length: 3 }, () => ({ name: `\u202e\u0007${'x'.repeat(500)}` }));
    const [note] = await notes({ name: 'y' }, rows);
    expect(note).not.toMatch(/[\u202e\u0007]|\\u/);
    expect(note!.length).toBeLessThan(120);
  });
});

it('a field that no row has is named where its presence was wanted', async () => {
  expect(await notes({ _has: ['id', 'stauts'] })).toEqual([
    expect.stringContaining('No row has a field "stauts". Did you mean "status"? Rows have "closed", '),
  ]);
  expect(await notes({ _has: ['id', 'status'] })).not.toContainEqual(expect.stringContaining('No row has'));
});
