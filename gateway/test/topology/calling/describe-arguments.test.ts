import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/operations/index.ts';
import { describeArguments, typeOf } from '../../../src/topology/calling/describe-arguments.ts';

describe('describeArguments', () => {
  it('names what is required with its type, and what is optional', () => {
    const input = {
      type: 'object',
      required: ['pool', 'kind'],
      properties: {
        pool: { type: 'string' },
        kind: { enum: ['ssd', 'hdd'] },
        size: { type: 'integer' },
        label: { type: 'string' },
        body: { type: 'object', required: ['name'], properties: { name: {}, note: {} } },
      },
    };
    expect(describeArguments({ id: 'createPool', input })).toBe(
      'Arguments of createPool: pool (string), kind ("ssd" or "hdd"); optional: size (integer), label, body (object with name)',
    );
  });

  it('says where nothing is required, and counts what is too much', () => {
    expect(describeArguments({ id: 'x', input: { type: 'object' } })).toBe('Arguments of x: none required');
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, {}]));
    expect(describeArguments({ id: 'x', input: { type: 'object', properties } })).toMatch(/p24, and 5 more$/);
  });
});

describe('describeArguments of filters', () => {
  const filters = (fields: readonly string[]) => {
    const names = fields.flatMap((field) => ['eq', 'gt', 'lt'].map((way) => `where.${field}.${way}`));
    const properties = Object.fromEntries([...names, 'limit'].map((name) => [name, { type: 'integer' }]));
    return describeArguments({ id: 'list', input: { type: 'object', properties } });
  };

  it('tells those of every field as one where there are too many to name', () => {
    expect(filters([...'abcdefghi'])).toBe(
      'Arguments of list: none required; optional: limit (integer), where.{a, b, c, d, e, f, g, h, i}.{eq, gt, lt}',
    );
  });

  it('tells each with its type where there are few', () => {
    expect(filters(['a'])).toBe(
      'Arguments of list: none required; optional: where.a.eq (integer), where.a.gt (integer), where.a.lt (integer), limit (integer)',
    );
  });
});

describe('typeOf', () => {
  const root: JsonSchema = {
    $defs: {
      Pool: { type: 'object', required: ['name'], properties: { name: {}, size: {} } },
      Loop: { $ref: '#/$defs/Loop' },
    },
  };
  it.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ type: 'array', items: { type: 'string' } }, 'array of string'],
    [{ $ref: '#/$defs/Pool' }, 'object with name'],
    [{ type: 'array', items: { $ref: '#/$defs/Pool' } }, 'array of object'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'integer' }] }, 'string or integer'],
    [{ type: 'object' }, 'object'],
    [{ $ref: '#/$defs/Loop' }, 'any'],
    [{ $ref: '#/$defs/%E0%A4%A' }, 'any'],
    [true, 'any'],
    [{}, 'any'],
  ])('%j is %s', (schema, text) => {
    expect(typeOf(schema as JsonSchema, root)).toBe(text);
  });
});
