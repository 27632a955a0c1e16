import { describe, expect, it } from 'vitest';
import { describeOne, describeText, get, openapi, swagger } from './describing.ts';

const authorization = (more: object = {}) => ({
  in: 'header',
  name: 'Authorization',
  required: true,
  schema: { type: 'string' },
  ...more,
});
const asking = (parameter: object, more: object = {}, components: object = {}) =>
  openapi(get({ parameters: [parameter], responses: {}, ...more }), { components });
const schemes = (securitySchemes: object) => ({ securitySchemes });

const bearer = { type: 'http', scheme: 'bearer' };
const basic = { type: 'http', scheme: 'basic' };
const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

describe('a parameter Authorization', () => {
  it.each<[string, object, object]>([
    ['is a bearer token', {}, bearer],
    ['is Basic where it says so', { description: 'HTTP Basic: user and password' }, basic],
    ['is Basic by its example', { example: 'Basic dXNlcjpwYXNz' }, basic],
    ['is a bearer token where both will do', { description: 'Bearer or Basic' }, bearer],
    ['is known by any case', { name: 'authorization' }, bearer],
  ])('of a document without schemes %s', async (_what, more, scheme) => {
    const { description, invocation, properties, codes } = await describeOne(asking(authorization(more)));
    expect(description.securitySchemes).toEqual({ Authorization: scheme });
    expect(invocation.security).toEqual([{ Authorization: [] }]);
    expect(properties).toEqual({});
    expect(codes).toContain('header-reserved');
  });

  it('of Swagger 2.0', async () => {
    const parameters = [{ in: 'header', name: 'Authorization', type: 'string', required: true }];
    const { invocation } = await describeOne(swagger(get({ parameters, responses: {} })));
    expect(invocation.security).toEqual([{ Authorization: [] }]);
  });

  it('that may be left out goes along where it is configured', async () => {
    const { invocation } = await describeOne(asking(authorization({ required: false })));
    expect(invocation.security).toEqual([{ Authorization: [] }, {}]);
  });

  it('is filled by any scheme that goes there', async () => {
    const there = schemes({ token: bearer, password: basic, oauth: { type: 'oauth2', flows: {} }, key });
    const { description, invocation } = await describeOne(asking(authorization(), {}, there));
    expect(invocation.security).toEqual([{ token: [] }, { password: [] }, { oauth: [] }]);
    expect(Object.keys(description.securitySchemes)).toEqual(['token', 'password', 'oauth', 'key']);
  });

  it.each<[string, object, object]>([
    ['bearer', bearer, [{ own: ['x'] }]],
    ['a key of that name', { type: 'apiKey', in: 'header', name: 'authorization' }, [{ own: ['x'] }]],
    ['another key', key, [{ own: ['x'], Authorization: [] }]],
  ])('adds to the security of its operation what that lacks: %s', async (_what, own, expected) => {
    const document = asking(authorization(), { security: [{ own: ['x'] }] }, schemes({ own }));
    expect((await describeOne(document)).invocation.security).toEqual(expected);
  });

  it('sends nothing where the operation says that nothing is sent', async () => {
    const { invocation } = await describeOne(asking(authorization(), { security: [] }));
    expect(invocation.security).toEqual([]);
  });

  it('is nobody else: a scheme that has the name keeps it', async () => {
    const taken = await describeOne(asking(authorization(), {}, schemes({ Authorization: key })));
    expect(taken.description.securitySchemes).toEqual({ Authorization: key });
    expect(taken.invocation.security).toEqual([]);
  });

  it('concerns the operations that have it', async () => {
    const { operations, securitySchemes } = await describeText(
      openapi({
        '/a': { get: { operationId: 'a', parameters: [authorization()], responses: {} } },
        '/b': { get: { operationId: 'b', responses: {} } },
      }),
    );
    const security = operations.map(({ invocation }) => invocation.kind === 'http' && invocation.security);
    expect(security).toEqual([[{ Authorization: [] }], []]);
    expect(Object.keys(securitySchemes)).toEqual(['Authorization']);
  });
});
