import { expect, test } from 'vitest';
import { checkArguments } from '../../../src/router/layers/validate-arguments.ts';
import { createValidator } from '../../../src/validation/validator.ts';

const nested = (levels: number) => ({ a: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) });
const check = (levels: number) => () => checkArguments(createValidator(), {}, nested(levels), 'tool');

test('arguments nested beyond measure are refused as such, whatever the schema', () => {
  expect(check(400)).not.toThrow();
  expect(check(50_000)).toThrow(
    expect.objectContaining({
      code: 'arguments_invalid',
      message: 'The arguments of tool have lists or objects more than 500 levels within each other.',
    }),
  );
});

test.each([
  [{ _filter_state: 'up' }, true],
  [{ _limit: 5 }, true],
  [{ no_optimize: true }, true],
  [{ filter_state: 'up' }, false],
  [{ _fields: 7 }, false],
])('reserved arguments of %j, where nothing is shaped: what is said next', (args, isSaid) => {
  const schema = { type: 'object', properties: { _fields: { type: 'string' } }, additionalProperties: false };
  const refusal = { code: 'arguments_invalid', next: expect.stringContaining('not shaped') };
  const matching = expect.objectContaining(refusal);
  expect(() => checkArguments(createValidator(), schema, args, 'tool')).toThrow(
    isSaid ? matching : expect.not.objectContaining({ next: refusal.next }),
  );
});
