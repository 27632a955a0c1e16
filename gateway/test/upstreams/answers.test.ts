import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import {
  inputRequired,
  pagesToOpen,
  promptAnswer,
  resourceAnswer,
  toolAnswer,
} from '../../src/upstreams/answers.ts';

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const ANSWERS: ReadonlyArray<[string, (result: JsonObject) => unknown, JsonObject]> = [
  ['tool', toolAnswer, { content: [] }],
  ['resource', resourceAnswer, { contents: [] }],
  ['prompt', promptAnswer, { messages: [] }],
  ['question', inputRequired, { resultType: 'input_required', requestState: 'a' }],
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

const asks = (count: number) => ({
  resultType: 'input_required',
  inputRequests: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`roots_${at}`, { method: 'roots/list' }]),
  ),
});

test('a server asks so much at once, and no more', () => {
  expect(Object.keys(inputRequired(asks(256))?.requests ?? {})).toHaveLength(256);
  expect(() => inputRequired(asks(257))).toThrow('it asks more than 256 things at once');
});

test('a state that its client could hardly send back is malformed', () => {
  const withState = (length: number) => ({ resultType: 'input_required', requestState: 'x'.repeat(length) });
  expect(inputRequired(withState(1024 * 1024))).toMatchObject({ state: expect.any(String) });
  expect(() => inputRequired(withState(1024 * 1024 + 1))).toThrow('its state is longer than 1048576');
});

test('pages to open that no client could be sent are no pages', () => {
  const page = (extra: object) => ({ mode: 'url', url: 'https://a.example/', message: 'Sign in', ...extra });
  expect(pagesToOpen({ elicitations: [page({ more: nested(400) })] })).toBeDefined();
  expect(pagesToOpen({ elicitations: [page({ more: nested(50_000) })] })).toBeUndefined();
  expect(pagesToOpen({ elicitations: Array.from({ length: 257 }, () => page({})) })).toBeUndefined();
});
