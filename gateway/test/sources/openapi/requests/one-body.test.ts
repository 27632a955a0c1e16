import { describe, expect, it } from 'vitest';
import { describeOne, openapi, post, swagger } from '../describing.ts';

const body = (name: string, more: object = {}): object => ({ in: 'body', name, ...more });
const object = (...names: string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const described = (...parameters: object[]) => describeOne(swagger(post({ parameters })));

describe('of several body parameters', () => {
  it.each<[string, ...object[]]>([
    ['first', body('image', { schema: object('source') }), body('raw_image')],
    ['last', body('raw_image'), body('image', { schema: object('source') })],
  ])('the one that is described is sent, where it stands %s: the others are told', async (_case, ...both) => {
    const { properties, description } = await described(...both);
    expect(Object.keys(properties)).toEqual(['source']);
    expect(description.diagnostics).toMatchObject([
      {
        code: 'body-unused',
        severity: 'warning',
        message: 'A request has one body: that of the parameter image is sent, raw_image is left out.',
      },
    ]);
  });

  it('one beside a requestBody, as swagger-autogen writes it, is left out and told', async () => {
    const requestBody = { content: { 'application/json': { schema: object('name') } } };
    const parameters = [body('body', { schema: object('name', 'price') })];
    const { properties, description } = await describeOne(openapi(post({ parameters, requestBody })));
    expect(Object.keys(properties)).toEqual(['name']);
    expect(description.diagnostics).toMatchObject([
      {
        code: 'body-unused',
        severity: 'warning',
        message: 'A request has one body: requestBody is sent, the body parameter body is left out.',
      },
    ]);
  });

  it('the first of two models is sent', async () => {
    const models = [body('a', { schema: object('x') }), body('b', { schema: object('y') })];
    expect(Object.keys((await described(...models)).properties)).toEqual(['x']);
  });

  it('values of their own are members of one', async () => {
    const { input, bindings, invocation, codes } = await described(
      body('email', { type: 'string', required: true, description: 'Whom.' }),
      body('age', { schema: { type: 'integer' }, description: 'How old.' }),
      body('tags', { type: 'array', items: { type: 'string' } }),
    );
    expect(input).toMatchObject({
      properties: {
        email: { type: 'string', description: 'Whom.' },
        age: { type: 'integer', description: 'How old.' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['email'],
    });
    expect(bindings.map(({ name }) => name)).toEqual(['email', 'age', 'tags']);
    expect(invocation.body).toEqual({ contentType: 'application/json', required: true });
    expect(codes).toEqual(['bodies-joined']);
  });

  it('those of the operation count, not that of its path', async () => {
    const parameters = [body('b', { schema: object('y') })];
    const { properties, codes } = await describeOne(
      swagger({ '/a': { parameters, post: { parameters: [body('a')] } } }),
    );
    expect(Object.keys(properties)).toEqual(['body']);
    expect(codes).toEqual([]);
  });

  it('also where the document says that it is OpenAPI 3', async () => {
    const parameters = [
      body('name', { schema: { type: 'string' } }),
      body('pw', { schema: { type: 'string' } }),
    ];
    expect(Object.keys((await describeOne(openapi(post({ parameters })))).properties)).toEqual([
      'name',
      'pw',
    ]);
  });
});

it('a schema that stands in the body parameter itself counts', async () => {
  const { input } = await described(body('pet', { ...object('name', 'kind'), required: ['name'] }));
  expect(input).toMatchObject({ properties: { body: { properties: { name: {} }, required: ['name'] } } });
});
