import { describe, expect, it } from 'vitest';
import { describeOne, describeText, get, openapi, swagger } from './describing.ts';

const declared = (...names: string[]): object =>
  Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));
const toldOf = async (responses: object, more: object = {}) =>
  (await describeOne(openapi(get({ responses }), more))).operation.answerHeaders;

describe('headers that an answer is told with', () => {
  it('are those that success declares, by reference as well', async () => {
    const headers = declared('X-Cursor', 'ETag', 'character-cost');
    const found = await toldOf({ 200: { headers }, 404: { headers: declared('X-Why') } });
    expect(found).toEqual(['X-Cursor', 'ETag', 'character-cost']);
    const responses = { Page: { headers: { 'X-Cursor': { $ref: '#/components/headers/Cursor' } } } };
    const referred = { 200: { $ref: '#/components/responses/Page' } };
    expect(await toldOf(referred, { components: { responses } })).toEqual(['X-Cursor']);
  });

  it('in Swagger 2.0 too', async () => {
    const responses = { 200: { description: 'ok', headers: { 'X-Total': { type: 'integer' } } } };
    expect((await describeOne(swagger(get({ responses })))).operation.answerHeaders).toEqual(['X-Total']);
  });

  it.each([
    'Content-Type',
    'Cache-Control',
    'Link',
    'Set-Cookie',
    'X-RateLimit-Remaining',
    'RateLimit',
    'x-amzn-RequestId',
    'Idempotency-Key',
    'X-Subject-Token',
    'X-Api-Key',
    'not a name',
    'Access-Control-Allow-Origin',
  ])('are not %s', async (name) => {
    expect(await toldOf({ 200: { headers: declared(name) } })).toBeUndefined();
  });

  it('may be a token that leads on', async () => {
    expect(await toldOf({ 200: { headers: declared('X-Next-Page-Token') } })).toEqual(['X-Next-Page-Token']);
  });

  it.each([
    ['If-Match', 'ETag'],
    ['if-match', 'ETag'],
    ['If-None-Match', 'ETag'],
    ['If-Unmodified-Since', 'Last-Modified'],
    ['If-Modified-Since', 'Last-Modified'],
  ])('%s of another operation of the path asks for the %s', async (precondition, version) => {
    const parameter = { name: precondition, in: 'header', schema: { type: 'string' } };
    const ok = { responses: { 200: { description: 'ok' } } };
    const put = { ...ok, parameters: [{ $ref: '#/components/parameters/version' }] };
    const document = openapi(
      { '/a': { get: ok, put }, '/b': { get: ok } },
      { components: { parameters: { version: parameter } } },
    );
    const { operations } = await describeText(document);
    expect(operations.map(({ answerHeaders }) => answerHeaders)).toEqual([[version], [version], undefined]);
  });

  it('are few, and broken ones are passed over', async () => {
    const many = declared(...Array.from({ length: 50 }, (_, at) => `X-H${at}`));
    expect(await toldOf({ 200: { headers: many } })).toHaveLength(20);
    expect(await toldOf({ 200: { headers: 'no' } })).toBeUndefined();
    expect(await toldOf({ 200: { headers: { $ref: '#/nowhere' } } })).toBeUndefined();
  });
});
