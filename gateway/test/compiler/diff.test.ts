import { describe, expect, it } from 'vitest';
import { diffDefinitions } from '../../src/compiler/diff.ts';

describe('diffDefinitions', () => {
  it.each<[string, object, object, string[]]>([
    ['nothing for another key order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, []],
    [
      'a changed limit',
      { tool: { inputSchema: { properties: { limit: { maximum: 100 } } } } },
      { tool: { inputSchema: { properties: { limit: { maximum: 1000 } } } } },
      ['~ inputSchema.properties.limit.maximum: 100 → 1000'],
    ],
    ['additions and removals', { a: 1 }, { b: { c: 'x' } }, ['- a: 1', '+ b: {"c":"x"}']],
    [
      'lists of names by what they hold',
      { required: ['a', 'b'] },
      { required: ['c', 'a'] },
      ['- required[]: "b"', '+ required[]: "c"'],
    ],
    [
      'a new order',
      { tags: ['a', 'b'] },
      { tags: ['b', 'a'] },
      ['~ tags: order changed: ["a","b"] → ["b","a"]'],
    ],
    [
      'other lists by position',
      { bindings: [{ arg: 'a' }, { arg: 'b' }] },
      { bindings: [{ arg: 'a', in: 'query' }] },
      ['+ bindings[0].in: "query"', '- bindings[1]: {"arg":"b"}'],
    ],
    ['odd keys', { x: { 'a b': 1 } }, { x: { 'a b': 2 } }, ['~ x["a b"]: 1 → 2']],
    ['another type', { a: [] }, { a: {} }, ['~ a: [] → {}']],
    ['what is hidden, as escapes', { a: 'x' }, { a: 'x\u200b\u202e' }, ['~ a: "x" → "x\\u{200b}\\u{202e}"']],
  ])('shows %s', (_what, before, after, lines) => {
    expect(diffDefinitions(before, after)).toEqual(lines);
  });

  it('cuts long values around the first difference', () => {
    const text = 'x'.repeat(1000);
    const [line] = diffDefinitions({ a: text }, { a: `${text.slice(0, 900)}HERE${text}` });
    expect(line).toContain('HERE');
    expect(line!.length).toBeLessThan(400);
  });
});
