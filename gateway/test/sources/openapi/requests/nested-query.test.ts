import { describe, expect, it } from 'vitest';
import { describeOne, describeText, get, openapi } from '../describing.ts';

const schemas = {
  Page: {
    type: 'object',
    properties: {
      limit: { type: 'integer' },
      where: { $ref: '#/components/schemas/Where' },
    },
  },
  Where: {
    type: 'object',
    properties: { and: { type: 'array', items: { $ref: '#/components/schemas/Where' } } },
  },
  Flat: {
    type: 'object',
    properties: { limit: { type: 'integer' }, sort: { type: 'array', items: { type: 'string' } } },
  },
};
const page = { $ref: '#/components/schemas/Page' };

async function contentType(parameter: object): Promise<string | undefined> {
  const parameters = [{ name: 'page', in: 'query', ...parameter }];
  const { bindings } = await describeOne(openapi(get({ parameters }), { components: { schemas } }));
  return (bindings[0] as { contentType?: string }).contentType;
}

describe('an object in a query', () => {
  it.each([
    ['with objects inside is one JSON text', { schema: page }, 'application/json'],
    ['or null, too', { schema: { anyOf: [page, { type: 'null' }] } }, 'application/json'],
    ['or null in other words', { schema: { oneOf: [{ type: 'null' }, page] } }, 'application/json'],
    [
      'with lists of objects inside is one JSON text',
      { schema: { type: 'object', properties: { a: { type: ['array', 'null'], items: page } } } },
      'application/json',
    ],
    [
      'that is flat is written member by member',
      { schema: { $ref: '#/components/schemas/Flat' } },
      undefined,
    ],
    ['whose style is said is written so', { schema: page, style: 'deepObject' }, undefined],
    ['whose exploding is said is written so', { schema: page, explode: true }, undefined],
    [
      'or one of several others keeps its style',
      { schema: { oneOf: [page, { type: 'string' }] } },
      undefined,
    ],
    ['of no known members keeps its style', { schema: { type: 'object' } }, undefined],
    ['in a header keeps its style', { schema: page, in: 'header' }, undefined],
  ])('%s', async (_, parameter, expected) => expect(await contentType(parameter)).toBe(expected));

  it('is named where it goes out as JSON, with the way to brackets', async () => {
    const parameters = [
      { name: 'page', in: 'query', schema: page },
      { name: 'styled', in: 'query', schema: page, style: 'deepObject' },
    ];
    const { diagnostics } = await describeText(openapi(get({ parameters }), { components: { schemas } }));
    expect(diagnostics).toMatchObject([
      {
        code: 'query-as-json',
        severity: 'info',
        message: expect.stringMatching(/page\[member\].*style: deepObject/),
      },
    ]);
  });

  it('that is flat is named where its members go out by themselves', async () => {
    const flat = { $ref: '#/components/schemas/Flat' };
    const parameters = [
      { name: 'page', in: 'query', schema: flat },
      { name: 'open', in: 'query', schema: { type: ['object', 'null'] } },
      { name: 'formed', in: 'query', schema: flat, style: 'form' },
      { name: 'json', in: 'query', content: { 'application/json': { schema: flat } } },
      { name: 'text', in: 'query', schema: { type: 'string' } },
    ];
    const document = openapi(get({ parameters }), { openapi: '3.1.0', components: { schemas } });
    const { diagnostics } = await describeText(document);
    expect(diagnostics).toMatchObject([
      {
        code: 'query-spread',
        severity: 'info',
        message: expect.stringMatching(
          /page is an object.*page\[member\].*style: deepObject.*application\/json/,
        ),
      },
      { code: 'query-spread', message: expect.stringContaining('open is an object') },
    ]);
  });

  it('that is flat is named by what its reference leads to, whatever stands beside it before 3.1', async () => {
    const beside = { $ref: '#/components/schemas/Flat', type: 'string' };
    const parameters = [{ name: 'page', in: 'query', schema: beside }];
    const document = openapi(get({ parameters }), { components: { schemas } });
    const { diagnostics } = await describeText(document);
    expect(diagnostics).toMatchObject([{ code: 'query-spread' }]);
  });

  it.each([
    ['the same members', ['lt', 'gt'], ['gt', 'lt'], 'deepObject'],
    ['other members', ['lt', 'gt'], ['lt', 'gte'], undefined],
    ['no members', [], [], undefined],
  ])('beside one of %s is written %j %j: %s', async (_, first, second, style) => {
    const range = (names: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    const parameters = [
      { name: 'created', in: 'query', schema: range(first) },
      { name: 'updated', in: 'query', schema: { $ref: '#/components/schemas/Range' } },
      { name: 'told', in: 'query', schema: range(second), style: 'form' },
    ];
    const document = openapi(get({ parameters }), { components: { schemas: { Range: range(second) } } });
    const { operations, diagnostics } = await describeText(document);
    expect((await describeOne(document)).bindings.map((one) => (one as { style?: string }).style)).toEqual([
      style,
      style,
      undefined,
    ]);
    expect(operations).toHaveLength(1);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(
      new Set([style === undefined ? 'query-spread' : 'query-brackets']),
    );
  });

  const range = {
    type: 'object',
    properties: { lt: { type: 'string' }, gt: { type: 'string' } },
  };
  it.each<[string, object[], string | undefined]>([
    ['a text', [range, { type: 'string' }], 'deepObject'],
    ['anything', [range, {}], 'deepObject'],
    ['a number or null', [{ type: 'null' }, { type: 'number' }, range], 'deepObject'],
    ['a list, which brackets would write otherwise', [range, { type: 'array', items: {} }], undefined],
    ['another object', [range, { type: 'object', properties: { a: {} } }], undefined],
  ])('with the same members as another one, or %s, is written %j: %s', async (_, anyOf, style) => {
    const parameters = [
      { name: 'created', in: 'query', schema: { anyOf } },
      { name: 'updated', in: 'query', schema: { oneOf: anyOf } },
    ];
    const { bindings } = await describeOne(openapi(get({ parameters }), { openapi: '3.1.0' }));
    expect(bindings.map((one) => (one as { style?: string }).style)).toEqual([style, style]);
  });
});
