import { describe, expect, it } from 'vitest';
import { valueTitles } from '../../../src/sources/openapi/value-titles.ts';
import { describeText, openapi } from './describing.ts';

const LEVELS = { type: 'integer', enum: [0, 1, 2] };

describe('what a document says of single values', () => {
  it.each([
    ['NSwag', { ...LEVELS, 'x-enumNames': ['Low', 'Mid', 'High'] }, '(0: Low, 1: Mid, 2: High)'],
    [
      'OpenAPI Generator',
      { ...LEVELS, 'x-enum-varnames': ['LOW', 'MID', 'HIGH'] },
      '(0: LOW, 1: MID, 2: HIGH)',
    ],
    [
      'OpenAPI Generator, with descriptions, which say more than names',
      {
        ...LEVELS,
        'x-enum-varnames': ['LOW', 'MID', 'HIGH'],
        'x-enum-descriptions': ['can wait', '', 'now'],
      },
      '(0: can wait, 1: MID, 2: now)',
    ],
    [
      'Redocly, by value',
      {
        type: 'string',
        enum: ['a', 'b'],
        'x-enumDescriptions': { a: 'first', b: 'second', constructor: 'x' },
      },
      '(a: first, b: second)',
    ],
    [
      'AutoRest',
      {
        ...LEVELS,
        'x-ms-enum': {
          name: 'Level',
          values: [{ value: 0, description: 'can wait' }, { value: 2, name: 'High' }, 'no value'],
        },
      },
      '(0: can wait, 2: High)',
    ],
    ['names that are the values', { type: 'string', enum: ['in-use'], 'x-enum-varnames': ['InUse'] }, ''],
    ['fewer names than values', { ...LEVELS, 'x-enumNames': ['Low'] }, '(0: Low, 1, 2)'],
    ['names that are none', { ...LEVELS, 'x-enumNames': [1, null, { a: 1 }] }, ''],
    ['names without values', { type: 'integer', 'x-enumNames': ['Low'] }, ''],
    ['nothing', LEVELS, ''],
  ])('%s', (_, schema, titles) => {
    expect(valueTitles(schema)).toBe(titles);
  });

  it('is cut where it is long', () => {
    const values = Array.from({ length: 300 }, (_, index) => index);
    const text = valueTitles({ enum: values, 'x-enumNames': values.map((value) => `Level ${value}`) });
    expect(text).toMatch(/^\(0: Level 0, .*, …\)$/);
    expect(text.length).toBeLessThanOrEqual(600);
  });

  it('stands in the description of an argument, of a member and of a shared schema', async () => {
    const level = { ...LEVELS, title: 'Level', 'x-enumNames': ['Low', 'Mid', 'High'] };
    const body = {
      type: 'object',
      properties: {
        level,
        described: { ...level, description: 'How urgent.' },
        all: { type: 'array', items: level },
        shared: { $ref: '#/components/schemas/Level' },
      },
    };
    const description = await describeText(
      openapi(
        {
          '/a': {
            post: {
              operationId: 'a',
              parameters: [{ name: 'from', in: 'query', description: 'At least.', schema: level }],
              requestBody: { content: { 'application/json': { schema: body } } },
              responses: {},
            },
          },
        },
        { components: { schemas: { Level: level } } },
      ),
    );
    const titles = '(0: Low, 1: Mid, 2: High)';
    const { properties, $defs } = description.operations[0]!.input as Record<string, never>;
    expect(properties).toMatchObject({
      from: { description: `At least. ${titles}` },
      level: { description: `Level ${titles}` },
      described: { description: `How urgent. ${titles}` },
      all: { items: { description: `Level ${titles}` } },
    });
    expect($defs).toMatchObject({ Level: { description: `Level ${titles}` } });
  });
});
