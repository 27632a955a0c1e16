import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { promptAnswer, resourceAnswer, toolAnswer } from '../../src/upstreams/answers.ts';

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const ANSWERS: ReadonlyArray<[string, (result: JsonObject) => unknown, JsonObject]> = [
  ['tool', toolAnswer, { content: [] }],
  ['resource', resourceAnswer, { contents: [] }],
  ['prompt', promptAnswer, { messages: [] }],
];

test.each(ANSWERS)('an answer of a %s that no client could be sent is malformed', (_what, read, result) => {
  expect(() => read({ ...result, _meta: nested(400) })).not.toThrow();
  expect(() => read({ ...result, _meta: nested(50_000) })).toThrow(
    'The answer is malformed: it is nested more than 500 levels deep.',
  );
});

const says = [{ type: 'text' as const, text: 'fetch failed' }];
test.each<[string, JsonObject, object]>([
  ['what a server of today says', { toolResult: { content: says, isError: true } }, { failed: true }],
  ['a text', { toolResult: 'fetch failed' }, { failed: false }],
])('an answer of MCP 2024-10-07 is read, with %s in it', (_what, result, expected) => {
  expect(toolAnswer(result)).toMatchObject({ kind: 'answer', content: says, ...expected });
});

test('an answer of today is read as such, whatever else stands in it', () => {
  expect(toolAnswer({ content: says, toolResult: 'something else' })).toMatchObject({ content: says });
  expect(() => toolAnswer({ said: 'fetch failed' })).toThrow('it has no content');
});
