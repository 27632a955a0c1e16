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
