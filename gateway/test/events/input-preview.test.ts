import { describe, expect, it } from 'vitest';
import { LEFT_OUT, previewInput } from '../../src/events/input-preview.ts';
import type { Json, JsonObject } from '../../src/operations/index.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import fc from '../properties.ts';

const SECRET = 'live-secret-value-4Rf5Tg6Yh7Uj8';
const redactor = createRedactor();
redactor.add(SECRET);
const preview = (input: JsonObject) => previewInput(input, redactor.redact);
const nested = (depth: number): Json => (depth === 0 ? 'leaf' : { next: nested(depth - 1) });

describe('the arguments in a start event', () => {
  it('are the arguments themselves where they are short and harmless', () => {
    const input = { id: 7, name: 'Ann', tags: ['a', 'b'], nothing: null, on: true };
    expect(preview(input)).toBe(input);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a sensitive name', { password: 'hunter2', id: 1 }, { password: '[redacted]', id: 1 }],
    ['a live secret', { note: `x ${SECRET} y` }, { note: 'x [redacted] y' }],
    [
      'a pair',
      { header: { name: 'Authorization', value: 'abc' } },
      { header: { name: 'Authorization', value: '[redacted]' } },
    ],
    [
      'a long text',
      { text: 'x'.repeat(300) },
      { text: `${'x'.repeat(200)}… (300 characters)`, [LEFT_OUT]: 'cut' },
    ],
    [
      'a name that objects have',
      { ['__proto__']: { a: 1 }, id: 2 } as JsonObject,
      { ['__proto__']: { a: 1 }, id: 2 } as JsonObject,
    ],
  ])('%s', (_name, input, expected) => {
    expect(preview(input)).toEqual(expected);
  });

  it('hide a secret that begins in what is shown and ends in what is cut', () => {
    const text = preview({ text: `${'x'.repeat(185)}${SECRET}${'y'.repeat(300)}` })['text'] as string;
    expect(text).not.toContain(SECRET.slice(0, 12));
  });

  it('show nothing of JSON that is too long to be read as JSON', () => {
    const json = JSON.stringify({ password: 'hunter2', rest: 'x'.repeat(20_000) });
    expect(JSON.stringify(preview({ json }))).not.toContain('hunter2');
    const pair = { name: 'Authorization', value: 'hunter2' };
    const pairs = JSON.stringify([pair, 'x'.repeat(20_000)]);
    expect(JSON.stringify(preview({ pairs }))).not.toContain('hunter2');
  });

  it('keep a name that objects have where its value is cut', () => {
    const input = { ['__proto__']: ['x'.repeat(10_000)], password: 'hunter2' } as JsonObject;
    expect(JSON.stringify(preview(input))).toMatch(/^\{"__proto__":\["x{200}… .*\[redacted\]/);
  });

  it('are shown six levels deep, and no deeper', () => {
    expect(preview({ deep: nested(5) })).toEqual({ deep: nested(5) });
    expect(JSON.stringify(preview({ deep: nested(6) }))).toContain(LEFT_OUT);
  });

  it('are bounded in depth, width and size', () => {
    expect(JSON.stringify(preview({ deep: nested(100) }))).toContain(LEFT_OUT);
    expect(
      JSON.stringify(preview({ wide: Array.from({ length: 10_000 }, () => 'item') })).length,
    ).toBeLessThan(2200);
    const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key${n}`, n]));
    expect(Object.keys(preview(keys)).length).toBeLessThan(60);
  });

  it('take less time for large arguments than to write them out', () => {
    const large = {
      text: 'a'.repeat(4_000_000),
      list: Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'b'.repeat(20) })),
    };
    const timed = (work: (value: JsonObject) => unknown) => {
      const started = performance.now();
      work(large);
      return performance.now() - started;
    };
    timed(preview);
    // the quickest of some: what else the machine does is no work of theirs
    const quickest = (work: (value: JsonObject) => unknown) =>
      Math.min(...Array.from({ length: 3 }, () => timed(work)));
    expect(quickest(preview)).toBeLessThan(quickest((value) => JSON.stringify(value)));
  });

  it('never show a secret, whatever surrounds it, and never grow', () => {
    const arbitrary = fc.dictionary(
      fc.string(),
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll('"a', `"${SECRET}`)) as Json),
      { maxKeys: 20 },
    );
    fc.assert(
      fc.property(arbitrary, (input) => {
        const text = JSON.stringify(preview(input as JsonObject));
        expect(text).not.toContain(SECRET);
        expect(text.length).toBeLessThan(2600);
      }),
      { numRuns: 200 },
    );
  });

  it('leave the arguments as they were', () => {
    const input = { list: Array.from({ length: 100 }, (_, n) => ({ n, password: 'x' })) };
    const before = structuredClone(input);
    preview(input);
    expect(input).toEqual(before);
  });
});
