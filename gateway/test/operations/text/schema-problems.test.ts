import { expect, it } from 'vitest';
import { z } from 'zod';
import { problemsOf } from '../../../src/operations/text/schema-problems.ts';

const secret = z.union([
  z.string().refine((value) => !value.startsWith('$'), 'Text is taken as it stands.'),
  z.strictObject({ env: z.string() }),
  z.strictObject({ file: z.string() }),
]);
const shape = z.strictObject({
  name: z.string(),
  level: z.enum(['low', 'high']).optional(),
  secret,
  sizes: z.array(z.int()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  none: z.union([z.literal('none'), z.array(z.string())]).optional(),
  nested: z.union([z.number(), z.union([z.literal('off'), z.strictObject({})])]).optional(),
  kind: z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]).optional(),
});

const lines = (value: unknown, at: readonly PropertyKey[] = []) =>
  problemsOf(shape.safeParse(value).error?.issues ?? [], value, at).map(
    ({ path, message, missing }) => `${path.join('.')}: ${message}${missing ? ' (missing)' : ''}`,
  );
const given = { name: 'n', secret: 's' };

it('says nothing of what fits', () => {
  expect(lines(given)).toEqual([]);
});

it('names what is missing, also where there are several forms of it', () => {
  expect(lines({})).toEqual(['name: "name" is missing. (missing)', 'secret: "secret" is missing. (missing)']);
  expect(lines({ ...given, kind: {} })).toEqual(['kind.type: "type" is missing. (missing)']);
  expect(lines({ ...given, kind: { type: 'b' } })).toEqual([
    "kind.type: Invalid discriminator value. Expected 'a'.",
  ]);
});

it('a value that is there is never called missing', () => {
  expect(lines({ ...given, name: null })).toEqual(['name: Expected string, received null.']);
  expect(lines('text')).toEqual([': Expected object, received string.']);
  expect(lines(undefined)).toEqual([': Expected object, received undefined.']);
});

it('types have the names of JSON Schema', () => {
  expect(lines({ ...given, labels: 'a', sizes: [1.5] })).toEqual([
    'sizes.0: Expected integer, received number.',
    'labels: Expected object, received string.',
  ]);
});

it('a number beyond its limits, and what is none', () => {
  const shape = z.object({
    port: z.int().max(9).optional(),
    days: z.number().positive().optional(),
    names: z.array(z.string()).min(1).optional(),
    title: z.string().max(2).optional(),
    on: z.boolean().optional(),
  });
  const all = { port: 10, days: 0, names: [], title: 'abc', on: 'yes' };
  const told = problemsOf(shape.safeParse(all).error!.issues, all).map(({ message }) => message);
  expect(told).toEqual([
    'Must be at most 9.',
    'Must be more than 0.',
    'Must have at least 1 entry.',
    'Must have at most 2 characters.',
    'Expected boolean, received string. Write true or false, without quotes.',
  ]);
  const given = { port: Number.NaN };
  expect(problemsOf(shape.safeParse(given).error!.issues, given)).toEqual([
    { path: ['port'], message: 'Expected number, received NaN.' },
  ]);
});

it('words that are not allowed come with those that are', () => {
  expect(lines({ ...given, level: 'middle' })).toEqual(['level: Expected "low" or "high".']);
});

it('of several forms the one that was meant is told', () => {
  expect(lines({ ...given, secret: '$TOKEN' })).toEqual(['secret: Text is taken as it stands.']);
  expect(lines({ ...given, secret: { env: 1 } })).toEqual(['secret.env: Expected string, received number.']);
  expect(lines({ ...given, secret: { file: '', more: 1 } })).toEqual(['secret.more: Unknown key "more".']);
});

it('a union that has words of its own is told by them', () => {
  const own = z.union([z.literal('none'), z.strictObject({ env: z.string() })], 'name it by { "env": NAME }');
  expect(problemsOf(own.safeParse({ env: 1 }).error!.issues, { env: 1 })).toEqual([
    { path: [], message: 'name it by { "env": NAME }.' },
  ]);
});

it('where none was meant, all of them are named', () => {
  expect(lines({ ...given, secret: 7 })).toEqual(['secret: Expected string or object, received number.']);
  expect(lines({ ...given, none: 'all' })).toEqual(['none: Expected "none" or array, received string.']);
  expect(lines({ ...given, nested: true })).toEqual([
    'nested: Expected number, "off" or object, received boolean.',
  ]);
});

it('a word that tells the forms apart and is none of theirs comes with all of them', () => {
  const forms = z.union([
    z.object({ kind: z.literal('file'), name: z.string() }),
    z.object({ kind: z.literal('url'), url: z.string() }),
  ]);
  const problems = (value: unknown) => problemsOf(forms.safeParse(value).error!.issues, value);
  expect(problems({ kind: 'urk', url: 'x' })).toEqual([
    { path: ['kind'], message: 'Expected "file" or "url".' },
  ]);
  expect(problems({ kind: 5 })).toEqual([{ path: ['kind'], message: 'Expected "file" or "url".' }]);
  expect(problems({ kind: 'url' })).toEqual([{ path: ['url'], message: '"url" is missing.', missing: true }]);
});

it('each unknown key is a problem of its own, with what its schema says of it', () => {
  expect(lines({ ...given, one: 1, two: 2 })).toEqual(['one: Unknown key "one".', 'two: Unknown key "two".']);
  const own = z.strictObject({}, { error: () => 'Unknown key "a". Did you mean "b"?\nUnknown key "c".' });
  const value = { a: 1, c: 1 };
  expect(problemsOf(own.safeParse(value).error!.issues, value)).toEqual([
    { path: ['a'], message: 'Unknown key "a". Did you mean "b"?' },
    { path: ['c'], message: 'Unknown key "c".' },
  ]);
});

it('starts where the value stands in its document', () => {
  expect(lines({ ...given, name: 1 }, ['operations', 3])).toEqual([
    'operations.3.name: Expected string, received number.',
  ]);
});
