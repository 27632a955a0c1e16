import { describe, expect, it } from 'vitest';
import { spreadObjectStep } from '../../src/results/spread-object.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';

const listing = operationOf(
  {
    path: '/products',
    bindings: [
      { in: 'query', name: 'created_at', arg: 'created_at' },
      { in: 'query', name: 'size', arg: 'size', style: 'deepObject' },
      { in: 'query', name: 'price', arg: 'price', explode: false },
    ],
  },
  {
    input: {
      type: 'object',
      properties: {
        created_at: { anyOf: [{ $ref: '#/$defs/Range' }, { type: 'null' }] },
        size: { $ref: '#/$defs/Range' },
        price: { $ref: '#/$defs/Range' },
      },
      $defs: { Range: { type: 'object', properties: { gt: { type: 'string' }, lt: { type: 'string' } } } },
    },
  },
);
const told = (query: string, words: string) =>
  spreadObjectStep(words, `https://shop.example/products?${query}`, listing);

describe('a refusal of a member that went out as a parameter of its own', () => {
  it.each([
    'property gt should not exist',
    "Unrecognized key(s) in object: 'gt'",
    '"gt" is not allowed',
    'Unknown parameter: gt.',
  ])('tells how it went out: %s', (words) =>
    expect(told('gt=2026-01-01&limit=1', words)).toMatch(
      /^gt of created_at went out as a parameter of its own.* reads created_at\[gt\]=….* parameter created_at\.$/,
    ),
  );

  it.each([
    ['another name', 'gt=1', 'property gte should not exist'],
    ['a name that was not sent', 'lt=1', 'property gt should not exist'],
    ['other words', 'gt=1', 'gt must be a date'],
    ['brackets', 'size[gt]=1', 'property gt should not exist'],
  ])('is told nothing of it for %s', (_what, query, words) => expect(told(query, words)).toBeUndefined());
});
