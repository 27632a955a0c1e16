import { expect, test, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Binding, Call, Json, JsonObject, Result } from '../../../src/operations/index.ts';
import { checkArguments, validateArgumentsLayer } from '../../../src/router/layers/validate-arguments.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';
import { callOf } from '../taint-cases.ts';

const ANSWER: Result = { kind: 'completed', content: [] };
const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const asking = (more: Partial<Call>) =>
  callOf('desk', 'write', { operation: plainOperation('one', 'desk', input), ...more });

test('a call whose arguments fit goes on as it is', async () => {
  const next = vi.fn(async () => ANSWER);
  const call = asking({ arguments: { id: 'x' } });
  expect(await validateArgumentsLayer(createValidator())(call, next)).toBe(ANSWER);
  expect(next).toHaveBeenCalledExactlyOnceWith(call);
});

test.each([
  ['its arguments do not fit', { arguments: { id: 7 } }, 'arguments_invalid'],
  ['it lacks one', {}, 'arguments_invalid'],
  [
    'something was wrong with it before',
    { arguments: { id: 'x' }, problem: new ToolcribError('skill_forbidden', 'm') },
    'skill_forbidden',
  ],
] as const)('a call goes no further where %s', async (_why, more, code) => {
  const next = vi.fn(async () => ANSWER);
  const outcome = async () => validateArgumentsLayer(createValidator())(asking(more), next);
  await expect(outcome()).rejects.toMatchObject({ code });
  expect(next).not.toHaveBeenCalled();
});

const constant = (place: 'body' | 'query' | 'header', name: string, value: Json) =>
  ({ const: value, in: place, name, contentType: 'application/json' }) as Binding;

/** A GeoJSON feature, whose type is sent by itself. */
function featureCall(args: JsonObject): Call {
  const call = asking({ arguments: args });
  const bindings = [
    constant('body', 'type', 'Feature'),
    constant('query', 'v', 2),
    constant('header', 'x', 1),
  ];
  const invocation = { ...call.operation.invocation, bindings } as Call['operation']['invocation'];
  return {
    ...call,
    operation: { ...call.operation, input: { ...input, additionalProperties: false }, invocation },
  };
}

test('what a request says by itself may be said, and is left out', async () => {
  const next = vi.fn(async () => ANSWER);
  await validateArgumentsLayer(createValidator())(featureCall({ type: 'Feature', id: 'x', v: 2 }), next);
  expect(next).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ arguments: { id: 'x' } }));
});

test.each([
  [{ type: 'Point', id: 'x' }, /argument "type" is not known/],
  [{ v: '2', id: 'x' }, /argument "v" is not known/],
  [{ x: 1, id: 'x' }, /argument "x" is not known/],
  [{ Type: 'Feature', id: 'x' }, /argument "Type" is not known/],
] as const)('another value is refused, and so is what callers do not know: %j', async (args, message) => {
  const next = vi.fn(async () => ANSWER);
  const outcome = async () => validateArgumentsLayer(createValidator())(featureCall(args), next);
  await expect(outcome()).rejects.toThrow(message);
  expect(next).not.toHaveBeenCalled();
});

test('an argument of the name of a constant is what it was', async () => {
  const call = featureCall({ id: 'x' });
  const bindings = [constant('body', 'id', 'y')];
  const invocation = { ...call.operation.invocation, bindings } as Call['operation']['invocation'];
  const next = vi.fn(async () => ANSWER);
  const both = { ...call, operation: { ...call.operation, invocation } };
  await validateArgumentsLayer(createValidator())(both, next);
  expect(next).toHaveBeenCalledExactlyOnceWith(both);
});

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
  [{ _cursor: 'c' }, true],
  [{ _pages: 2 }, true],
  [{ _limit: 5, name: 'x' }, true],
  [{ _filter: { state: 'up' } }, true],
  [{ _filter: 'up' }, false],
  [{ filter_state: 'up' }, false],
  [{ a_filter_state: 'up' }, false],
  [{ _fields: 7 }, false],
])('reserved arguments of %j, where nothing is shaped: what is said next', (args, isSaid) => {
  const schema = { type: 'object', properties: { _fields: { type: 'string' } }, additionalProperties: false };
  const refusal = { code: 'arguments_invalid', next: expect.stringContaining('not shaped') };
  const matching = expect.objectContaining(refusal);
  expect(() => checkArguments(createValidator(), schema, args, 'tool')).toThrow(
    isSaid ? matching : expect.not.objectContaining({ next: refusal.next }),
  );
});

test('they are said to be none of a tool that takes no argument', () => {
  expect(() =>
    checkArguments(createValidator(), { additionalProperties: false }, { _fields: 'a' }, 'tool'),
  ).toThrow(
    expect.objectContaining({ code: 'arguments_invalid', next: expect.stringContaining('not shaped') }),
  );
});

test('what is known later is excused, and nothing beside it', () => {
  const schema = {
    properties: { id: { type: 'integer' }, deep: { properties: { to: { type: 'integer' } } } },
  };
  const check = (args: JsonObject) => () =>
    checkArguments(createValidator(), schema, args, 'tool', (value) => value === '{{later}}');
  expect(check({ id: '{{later}}', deep: { to: '{{later}}' } })).not.toThrow();
  expect(check({ id: 'now', deep: { to: '{{later}}' } })).toThrow(
    expect.objectContaining({
      code: 'arguments_invalid',
      pointer: '/id',
      details: { errors: [expect.objectContaining({ pointer: '/id' })] },
    }),
  );
});

test('the whole is named where no argument is', () => {
  const schema = { type: 'object', minProperties: 1 };
  expect(() => checkArguments(createValidator(), schema, {}, 'tool')).toThrow(
    expect.objectContaining({ code: 'arguments_invalid', pointer: '/' }),
  );
});

/** As zod writes members that have a default: they are required, and may be left out. */
const shot: JsonObject = {
  type: 'object',
  properties: {
    scale: { type: 'string', enum: ['css', 'device'], default: 'css' },
    pages: {
      type: 'array',
      items: { type: 'object', properties: { dpi: { type: 'number', default: 96 } }, required: ['dpi'] },
    },
    url: { type: 'string' },
    odd: { type: 'string', default: 7 },
  },
  required: ['scale', 'url'],
  additionalProperties: false,
};

function shotCall(kind: 'mcp' | 'http', args: JsonObject, schema = shot): Call {
  const call = asking({ arguments: args });
  const invocation = kind === 'mcp' ? { kind, tool: 'shot' } : call.operation.invocation;
  return {
    ...call,
    operation: {
      ...call.operation,
      input: schema,
      invocation: invocation as Call['operation']['invocation'],
    },
  };
}

test('what an upstream server has a default for may be left out, and is left to it', async () => {
  const next = vi.fn(async (_call: Call) => ANSWER);
  const args = { url: 'x', pages: [{}, { dpi: 72 }] };
  await validateArgumentsLayer(createValidator())(shotCall('mcp', args), next);
  expect(next.mock.lastCall?.[0].arguments).toEqual(args);
});

test.each<[string, Call, RegExp]>([
  ['an argument without a default', shotCall('mcp', {}), /"url" is required: string$/],
  [
    'a wrong value in the place of a default',
    shotCall('mcp', { url: 'x', scale: 'inch' }),
    /"scale" must be/,
  ],
  ['a default of another service', shotCall('http', { url: 'x' }), /"scale" is required/],
  [
    'a default that does not fit itself',
    shotCall('mcp', { url: 'x', scale: 'css' }, { ...shot, required: ['odd'] }),
    /"odd" must be string/,
  ],
])('%s is still asked for', async (_what, call, message) => {
  const outcome = async () => validateArgumentsLayer(createValidator())(call, async () => ANSWER);
  await expect(outcome()).rejects.toMatchObject({
    code: 'arguments_invalid',
    message: expect.stringMatching(message),
  });
});
