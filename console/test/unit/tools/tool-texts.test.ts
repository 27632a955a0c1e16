import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/api-error.ts';
import { budgetAt, mostOf, STEPS, stepOf } from '../../../src/pages/tokens/budget-scale.ts';
import { limitsOf } from '../../../src/pages/tools/form/limits.ts';
import { addressOf, filterOf } from '../../../src/pages/tools/list-filter.ts';
import { problemsOf } from '../../../src/pages/tools/problems.ts';
import { cellText, rowsOf } from '../../../src/pages/tools/rows-of.ts';
import { curlText, messageText, wireRequestOf } from '../../../src/pages/tools/wire-request.ts';

describe('the request of a dry run', () => {
  const structured = {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/a?b=c d',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', '[redacted]'],
      ],
      body: { name: "O'Hara" },
    },
  };
  it('reads as a message and as a curl command that a shell takes apart again', () => {
    const request = wireRequestOf(structured)!;
    expect(messageText(request)).toBe(
      'POST http://127.0.0.1:9/a?b=c d\ncontent-type: application/json\nauthorization: [redacted]\n\n{"name":"O\'Hara"}',
    );
    expect(curlText(request)).toBe(
      "curl -X POST 'http://127.0.0.1:9/a?b=c d' \\\n  -H 'content-type: application/json' \\\n  -H 'authorization: [redacted]' \\\n  --data-raw '{\"name\":\"O'\\''Hara\"}'",
    );
  });
  it('is none for what is no HTTP request', () => {
    for (const other of [undefined, null, 'text', { function: 'a' }, { request: { method: 1 } }])
      expect(wireRequestOf(other)).toBeUndefined();
  });
});

describe('rows of an answer', () => {
  it('are the first list of objects, with columns that say something', () => {
    expect(
      rowsOf({
        total: 2,
        results: [
          { id: 1, tags: [] },
          { id: 2, name: 'b' },
        ],
      }),
    ).toMatchObject({
      name: 'results',
      columns: ['id', 'name'],
    });
    expect(rowsOf([{ a: 1 }])).toMatchObject({ name: '', columns: ['a'] });
    for (const none of [{}, [], [1, 2], { list: [] }, 'text', null, { list: [{ deep: {} }] }])
      expect(rowsOf(none)).toBeUndefined();
  });
  it('say a word about what has parts', () => {
    expect(
      [undefined, null, 0, false, 'a', [1, 2], { a: 1 }].map((value) => cellText(value as never)),
    ).toEqual(['', '', '0', 'false', 'a', '2 items', '{ … }']);
  });
});

describe('problems at fields', () => {
  it('are those of arguments alone', () => {
    const errors = [
      { pointer: '/a', message: 'first' },
      { pointer: '/a', message: 'second' },
      { pointer: '/b/0', message: 'third' },
      'no problem',
    ];
    const error = new ApiError(400, { code: 'arguments_invalid', message: 'all', details: { errors } });
    expect([...problemsOf(error)]).toEqual([
      ['/a', 'first'],
      ['/b/0', 'third'],
    ]);
    expect(problemsOf(new ApiError(400, { code: 'arguments_invalid', message: 'm', pointer: '/c' }))).toEqual(
      new Map([['/c', 'm']]),
    );
    expect(problemsOf(new ApiError(502, { code: 'upstream_failed', details: { errors } })).size).toBe(0);
    expect(problemsOf(undefined).size).toBe(0);
  });
});

it('says the limits of a schema', () => {
  expect(limitsOf({ minimum: 1, maximum: 100 })).toBe('1 to 100');
  expect(limitsOf({ minLength: 2, format: 'email' })).toBe('at least 2 characters, email');
  expect(limitsOf({ type: 'string' })).toBeUndefined();
});

it('keeps what the list is narrowed to in the address', () => {
  const filter = { q: 'a b&c', find: 'name', source: 'desk', access: '', state: 'gated' } as const;
  expect(filterOf(addressOf(filter))).toEqual(filter);
  expect(addressOf(filterOf(''))).toBe('');
});

it('steps through budgets in proportion, there and back', () => {
  const most = mostOf([1200, 94_000], 20_000);
  expect(most).toBeGreaterThanOrEqual(94_000);
  expect(budgetAt(0, most)).toBe(100);
  expect(budgetAt(STEPS, most)).toBe(most);
  for (let step = 0; step <= STEPS; step += 1)
    expect(Math.abs(stepOf(budgetAt(step, most), most) - step)).toBeLessThanOrEqual(1);
});
