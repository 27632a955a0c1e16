import { expect, it } from 'vitest';
import { answerValue } from '../../../src/results/shaping/answer-value.ts';
import { operationOf } from '../../executors/http/operation-under-test.ts';

it.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['{"n":1e400,"m":-1E+999}', { n: '1e400', m: '-1E+999' }],
  ['{"n":1e300,"f":0.1}', { n: 1e300, f: 0.1 }],
])('rows of %s keep what no double holds as text', async (text, expected) => {
  const content = [{ type: 'text' as const, text }];
  const result = { kind: 'completed' as const, content, structured: JSON.parse(text) };
  const value = await answerValue(result, operationOf({ path: '/pets' }), async () => undefined, true);
  expect(value).toEqual(expected);
});
