import { describe, expect, it } from 'vitest';
import type { Binding, Json, JsonObject, ParameterBinding } from '../../../src/operations/index.ts';
import { headersOf, refusal } from './operation-under-test.ts';

const header = (name: string, rest: Partial<ParameterBinding> = {}): ParameterBinding =>
  ({ in: 'header', name, arg: 'value', ...rest }) as ParameterBinding;

describe('header parameters', () => {
  it.each<[Partial<ParameterBinding>, Json, string | undefined]>([
    [{}, 'plain text, with comma', 'plain text, with comma'],
    [{}, ['a', 'b'], 'a,b'],
    [{}, ['a,b', 'c'], 'a%2Cb,c'],
    [{}, ['"a,b"', 'W/"c,\\"d"', 'a;x="1,2"; y="3"'], '"a,b",W/"c,\\"d",a;x="1,2"; y="3"'],
    [{}, ['"a",b', 'x"a,b"', '"a,b'], '"a"%2Cb,x"a%2Cb","a%2Cb'],
    [{ style: 'pipeDelimited' }, ['"a|b"'], '"a%7Cb"'],
    [{}, { R: 1, G: 2 }, 'R,1,G,2'],
    [{ explode: true }, { R: 1, G: 2 }, 'R=1,G=2'],
    [{ style: 'pipeDelimited' }, ['a', 'b'], 'a|b'],
    [{ style: 'spaceDelimited' }, ['a', 'b'], 'a b'],
    [{ delimiter: '\t' }, ['a', 'b'], 'a\tb'],
    [{ style: 'pipeDelimited', nested: [','] }, [['a|b', 'c,d'], ['e']], 'a%7Cb,c%2Cd|e'],
    [{}, 1e21, '1000000000000000000000'],
    [{}, true, 'true'],
    [{}, 'café', 'café'],
    [{}, '', ''],
    [{}, [], undefined],
    [{}, null, undefined],
    [{ contentType: 'application/json' }, { a: 'é日' }, '{"a":"\\u00e9\\u65e5"}'],
  ])('%j of %j is %j', (rest, value, expected) => {
    expect(headersOf({ bindings: [header('X-Value', rest)] }, { value })['x-value']).toBe(expected);
  });

  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\rb', 'a\u0000b', '日本', 'a\u2028b', '\ud800'])(
    '%j is refused',
    (value) => {
      const invocation = { bindings: [header('X-Value')] };
      expect(() => headersOf(invocation, { value })).toThrow(refusal('arguments_invalid', '/value'));
      expect(() => headersOf(invocation, { value: [value] })).toThrow(refusal('arguments_invalid', '/value'));
    },
  );

  it.each([
    ...[
      'Authorization',
      'HOST',
      'cookie',
      'Set-Cookie',
      'Content-Length',
      'Connection',
      'Proxy-Authorization',
    ],
    ...['proxy-connection', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Keep-Alive', 'Expect'],
    ...['X-HTTP-Method-Override', 'Content-Type', 'Accept'],
  ])('no argument sets %s', (name) => {
    const before = headersOf({}, {});
    expect(() => headersOf({ bindings: [header(name)] }, { value: 'x' })).toThrow(
      refusal('arguments_invalid', '/value'),
    );
    expect(headersOf({ bindings: [{ in: 'header', name, const: 'x' }] }, {})).toEqual(before);
  });

  it.each([
    ['GET', { 'x-http-method-override': 'GET' }],
    ['DELETE', {}],
  ])('the document may say that a request reads: %s', (method, expected) => {
    const bindings = [{ in: 'header', name: 'X-HTTP-Method-Override', const: method }] as const;
    expect(headersOf({ bindings }, {})).toEqual({ ...headersOf({}, {}), ...expected });
  });

  it('a name with * at its end is one header for each name that is given', () => {
    const invocation = { bindings: [header('X-Object-Meta-*')], security: [{ key: [] }] };
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Object-Meta-Key' } } as const;
    const sent = (value: Json) =>
      headersOf(invocation, { value }, { securitySchemes, headers: { 'X-Object-Meta-Tenant': 'acme' } });
    expect(sent({ Color: 'blue', n: 7, gone: null, tenant: 'other' })).toEqual({
      ...headersOf({}, {}),
      'x-object-meta-color': 'blue',
      'x-object-meta-n': '7',
      'x-object-meta-tenant': 'acme',
    });
    for (const member of ['key', 'a b', 'a\r\nX-Evil'])
      expect(() => sent({ [member]: 'x' })).toThrow(refusal('arguments_invalid'));
    expect(() => sent({ Color: 'a\r\nX-Evil: 1' })).toThrow(refusal('arguments_invalid'));
  });

  it('no argument takes the place of an API key', () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } as const;
    const invocation = { bindings: [header('x-key')], security: [{ key: [] }] };
    expect(() => headersOf(invocation, { value: 'x' }, { securitySchemes })).toThrow(
      refusal('arguments_invalid'),
    );
  });

  it('nor that of a cookie', () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'cookie', name: 'sid' } } as const;
    const bindings = [{ in: 'cookie', name: 'sid', arg: 'value' }] as const;
    expect(() =>
      headersOf({ bindings, security: [{ key: [] }] }, { value: 'x' }, { securitySchemes }),
    ).toThrow(refusal('arguments_invalid', '/value'));
  });

  it('the type of a body is what the body is, whatever the configuration sends beside it', () => {
    const headers = { 'Content-Type': 'text/x-own' };
    const body = { contentType: 'application/json', required: true } as const;
    const bindings = [{ in: 'body', name: 'a', arg: 'value', contentType: 'application/json' }] as const;
    expect(headersOf({ method: 'POST', body, bindings }, { value: 1 }, { headers })['content-type']).toBe(
      'application/json',
    );
    expect(headersOf({}, {}, { headers })['content-type']).toBe('text/x-own');
  });

  it('a header of the configuration wins over an argument', () => {
    const headers = { 'X-Tenant': 'acme', 'User-Agent': 'agent/1' };
    expect(headersOf({ bindings: [header('x-tenant')] }, { value: 'other' }, { headers })).toMatchObject({
      'x-tenant': 'acme',
      'user-agent': 'agent/1',
    });
  });
});

it.each<[string[], string]>([
  [[], 'application/json, */*;q=0.5'],
  [['application/json'], 'application/json, */*;q=0.1'],
  [['application/json', 'text/csv'], 'application/json, text/csv;q=0.9, */*;q=0.1'],
  [['*/*'], '*/*'],
  [['application/vnd.ceph.api.v1.0+json'], 'application/vnd.ceph.api.v1.0+json'],
  [['application/vnd.heroku+json; version=3'], 'application/vnd.heroku+json; version=3'],
  [
    ['application/vnd.acme.v2+json', 'application/vnd.acme.v1+json'],
    'application/vnd.acme.v2+json, application/vnd.acme.v1+json;q=0.9, */*;q=0.1',
  ],
  // where an error may come as JSON, a service must be free to send that
  [
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, */*;q=0.1',
  ],
])('Accept for %j is %s', (accept, expected) => {
  expect(headersOf({ accept }, {})['accept']).toBe(expected);
});

describe('cookie parameters', () => {
  const cookie = (rest: Partial<ParameterBinding> = {}): ParameterBinding =>
    ({ in: 'cookie', name: 'color', arg: 'value', ...rest }) as ParameterBinding;

  it.each<[Partial<ParameterBinding>, Json, string | undefined]>([
    [{}, 'blue', 'color=blue'],
    [{}, 'a;b=c d', 'color=a%3Bb%3Dc%20d'],
    [{}, ['a', 'b'], 'color=a&color=b'],
    [{ explode: false }, ['a', 'b'], 'color=a,b'],
    [{ explode: false }, { R: 1 }, 'color=R,1'],
    [{ allowReserved: true }, 'a/b?c=d%2Ce&f+g', 'color=a/b?c=d%2Ce&f+g'],
    [{ allowReserved: true }, 'a;b, "c" é', 'color=a%3Bb%2C%20%22c%22%20%C3%A9'],
    [{ allowReserved: true }, ['a&b', 'c/d'], 'color=a%26b&color=c/d'],
    [{ style: 'cookie' }, ['a', 'b'], 'color=a; color=b'],
    [{ style: 'cookie' }, 'a%20b', 'color=a%20b'],
    [{ style: 'cookie', explode: false }, ['a', 'b'], 'color=a,b'],
    [{ style: 'cookie', explode: false }, { R: 1, G: 2 }, 'color=R,1,G,2'],
    [{ contentType: 'application/json' }, { a: 1 }, 'color=%7B%22a%22%3A1%7D'],
    [{}, null, undefined],
    [{}, [], undefined],
  ])('%j of %j is %j', (rest, value, expected) => {
    expect(headersOf({ bindings: [cookie(rest)] }, { value })['cookie']).toBe(expected);
  });

  it('stand behind the cookies of the configuration in one header', () => {
    const bindings = [cookie(), cookie({ name: 'size', arg: 'size' } as Partial<ParameterBinding>)];
    expect(
      headersOf({ bindings }, { value: 'a', size: 'b' }, { headers: { Cookie: 'own=1' } })['cookie'],
    ).toBe('own=1; color=a; size=b');
  });

  it.each(['a;b', 'a b', 'a"b', 'a,b', 'a\r\nb', 'é'])('style cookie refuses %j', (value) => {
    const joined = { bindings: [cookie({ style: 'cookie', explode: false })] };
    expect(() => headersOf(joined, { value: ['x', value] })).toThrow(refusal('arguments_invalid', '/value'));
    expect(() => headersOf({ bindings: [cookie({ style: 'cookie' })] }, { value })).toThrow(
      refusal('arguments_invalid', '/value'),
    );
  });

  it('refuses names that would start another cookie', () => {
    expect(() =>
      headersOf({ bindings: [cookie({ style: 'cookie' })] }, { value: { 'a=1; session': 'x' } }),
    ).toThrow(refusal('arguments_invalid'));
  });
});

describe('the name of a body that is one file', () => {
  const bindings: Binding[] = [
    { in: 'body', name: '', arg: 'body', contentType: 'image/png' },
    header('Content-Disposition'),
  ];
  const body = { contentType: 'image/png', required: true, binary: true };
  const sent = (args: JsonObject, connection = {}) =>
    headersOf({ method: 'PUT', bindings, body }, args, connection)['content-disposition'];

  it('goes as Content-Disposition where nothing else says it', () => {
    expect(sent({ body: 'AP8=' })).toBeUndefined();
    expect(sent({ body: 'data:;name=a%22%0D%0AX:y.png;base64,AP8=' })).toBe(
      `attachment; filename="a___X_y.png"; filename*=UTF-8''a%22%0D%0AX%3Ay.png`,
    );
    expect(sent({ body: { data: 'AP8=', filename: 'a.png' }, value: 'inline' })).toBe('inline');
    const configured = { headers: { 'Content-Disposition': 'form-data' } };
    expect(sent({ body: { data: 'AP8=', filename: 'a.png' } }, configured)).toBe('form-data');
  });
});
