import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { BodyBinding, BodyFormat, Json } from '../../../src/operations/index.ts';
import { bodyOf, connectionOf, operationOf, refusal } from './operation-under-test.ts';

const whole = (contentType: string): BodyBinding => ({ in: 'body', name: '', arg: 'body', contentType });
const property = (name: string, contentType: string): BodyBinding => ({
  in: 'body',
  name,
  arg: name,
  contentType,
});
const format = (contentType: string, rest: Partial<BodyFormat> = {}): BodyFormat => ({
  contentType,
  required: true,
  ...rest,
});

const sendWhole = (contentType: string, body: Json, rest: Partial<BodyFormat> = {}) =>
  bodyOf({ bindings: [whole(contentType)], body: format(contentType, rest) }, { body });
const JSON_TYPE = 'application/json';

describe('a multipart body that is JSON where a call gives no file', () => {
  const TYPE = 'multipart/form-data';
  const body = format(TYPE, { withoutFiles: JSON_TYPE, encoding: { photo: { file: true } } });
  const bindings = ['photo', 'kind', 'tags', 'meta'].map((name) => property(name, TYPE));

  it.each<[string, BodyBinding[], Record<string, Json>]>([
    ['properties', bindings, { kind: null, tags: [], meta: { a: [null] } }],
    ['a file that is taken away', bindings, { photo: null, kind: 'a' }],
  ])('%s', (_what, bound, args) => {
    expect(bodyOf({ bindings: bound, body }, args)).toEqual({ type: JSON_TYPE, body: JSON.stringify(args) });
  });

  it('one argument for the whole', () => {
    const sent = bodyOf({ bindings: [whole(TYPE)], body }, { body: { kind: null } });
    expect(sent).toEqual({ type: JSON_TYPE, body: '{"kind":null}' });
  });

  it('a text that may be a file is one where it is a data URL', () => {
    const either = format(TYPE, { withoutFiles: JSON_TYPE, encoding: { photo: { file: 'data-url' } } });
    const sent = (photo: Json) => bodyOf({ bindings, body: either }, { photo }).type;
    expect(sent('https://a.example/cat.png')).toBe(JSON_TYPE);
    expect(sent('data:image/png;base64,QUJD')).toMatch(/^multipart\/form-data/);
    expect(sent(['a', 'data:image/png;base64,QUJD'])).toMatch(/^multipart\/form-data/);
  });

  it('with a file it is multipart', () => {
    expect(bodyOf({ bindings, body }, { photo: 'QUJD', kind: 'a' }).type).toMatch(/^multipart\/form-data/);
  });
});

describe('JSON bodies', () => {
  it.each<[Json, string]>([
    [[1, 2], '[1,2]'],
    ['text', '"text"'],
    [0, '0'],
    [false, 'false'],
    [null, 'null'],
    [{ a: { b: [null] } }, '{"a":{"b":[null]}}'],
    ['$&', '"$&"'],
  ])('%j stays as it is', (body, expected) => {
    expect(sendWhole(JSON_TYPE, body)).toEqual({ type: JSON_TYPE, body: expected });
  });

  it('keeps a vendor type', () => {
    expect(sendWhole('application/vnd.api+json; version=2', {}).type).toBe(
      'application/vnd.api+json; version=2',
    );
  });

  it('gathers properties and constants; null is a value, a missing argument is not', () => {
    const bindings: BodyBinding[] = [
      property('a', JSON_TYPE),
      property('b', JSON_TYPE),
      property('__proto__', JSON_TYPE),
      { in: 'body', name: 'kind', const: 'pet', contentType: JSON_TYPE },
    ];
    const args = JSON.parse('{"a":null,"__proto__":{"x":1}}');
    expect(bodyOf({ bindings, body: format(JSON_TYPE) }, args).body).toBe(
      '{"a":null,"__proto__":{"x":1},"kind":"pet"}',
    );
  });

  it.each<[boolean, BodyBinding[], Record<string, Json>, object]>([
    [true, [property('a', JSON_TYPE)], {}, { type: JSON_TYPE, body: '{}' }],
    [false, [property('a', JSON_TYPE)], {}, {}],
    [false, [{ in: 'body', name: 'k', const: 1, contentType: JSON_TYPE }], {}, {}],
    [false, [whole(JSON_TYPE)], {}, {}],
    [false, [whole(JSON_TYPE)], { body: null }, { type: JSON_TYPE, body: 'null' }],
  ])('required %s, bindings %j, arguments %j: %j', (required, bindings, args, expected) => {
    expect(bodyOf({ bindings, body: format(JSON_TYPE, { required }) }, args)).toEqual(expected);
  });

  it('asks for a required whole body', () => {
    expect(() => bodyOf({ bindings: [whole(JSON_TYPE)], body: format(JSON_TYPE) }, {})).toThrow(
      refusal('arguments_invalid', '/body'),
    );
  });

  it.each(['GET', 'DELETE', 'HEAD'])('is sent with %s', (method) => {
    expect(bodyOf({ method, bindings: [whole(JSON_TYPE)], body: format(JSON_TYPE) }, { body: 1 }).body).toBe(
      '1',
    );
  });
});

describe('bytes', () => {
  it.each<[Json, string]>([
    ['AAEC/w==', '\u0000\u0001\u0002\u00ff'],
    ['AAEC_w', '\u0000\u0001\u0002\u00ff'],
    ['AAEC\r\n/w==', '\u0000\u0001\u0002\u00ff'],
    ['data:image/png;base64,AAEC/w==', '\u0000\u0001\u0002\u00ff'],
    [{ data: 'AAEC/w==', filename: 'x.bin' }, '\u0000\u0001\u0002\u00ff'],
    ['', ''],
  ])('%j is decoded', (body, expected) => {
    expect(sendWhole('application/octet-stream', body).body).toBe(expected);
  });

  it.each<[Json, string]>([
    ['not base64!', '/body'],
    ['hello world', '/body'],
    ['A', '/body'],
    ['AAA=A', '/body'],
    ['AA=', '/body'],
    [42, '/body'],
    [{ data: '***' }, '/body/data'],
    [{}, '/body/data'],
    [{ data: '', filename: 1 }, '/body/filename'],
    [{ data: '', contentType: 'a/b\r\nX: y' }, '/body/contentType'],
  ])('%j is refused at %s', (body, pointer) => {
    expect(() => sendWhole('application/octet-stream', body)).toThrow(refusal('arguments_invalid', pointer));
  });

  it('a file names its type only where the document leaves it open', () => {
    const png = { data: '', contentType: 'image/png' };
    expect(sendWhole('application/octet-stream', png).type).toBe('image/png');
    const named = { data: '', filename: 'cat.png' };
    expect(sendWhole('application/octet-stream', named).type).toBe('application/octet-stream');
    expect(sendWhole('application/pdf', png).type).toBe('application/pdf');
    expect(sendWhole('application/x-thing', 'AAE=', { binary: true })).toEqual({
      type: 'application/x-thing',
      body: '\u0000\u0001',
    });
  });
});

describe('bytes of a range of types', () => {
  const OCTETS = 'application/octet-stream';
  it.each<[string, Json, string]>([
    ['image/*', { data: '', filename: 'cat.png' }, 'image/png'],
    ['image/*', 'data:image/png;name=cat.gif;base64,', 'image/png'],
    ['image/*', { data: '', filename: 'cat.png', contentType: OCTETS }, 'image/png'],
    ['image/*', { data: '', filename: 'notes.txt' }, OCTETS],
    ['image/*', { data: '', contentType: 'application/pdf' }, OCTETS],
    ['image/*', { data: '', contentType: 'IMAGE/PNG; q=1' }, 'IMAGE/PNG; q=1'],
    ['*/*', { data: '', filename: 'notes.txt' }, 'text/plain'],
    ['*/*', { data: '', contentType: 'application/pdf' }, 'application/pdf'],
    ['*/*', '', OCTETS],
  ])('%s of %j is %s', (range, body, type) => {
    expect(sendWhole(OCTETS, body, { binary: true, range }).type).toBe(type);
  });
});

describe('text', () => {
  it.each<[string, Json, string, string]>([
    ['text/plain', 'hi', 'text/plain', 'hi'],
    ['text/plain', 42, 'text/plain', '42'],
    ['text/csv', 'ä', 'text/csv; charset=utf-8', 'ä'],
    ['application/xml', '<a>ä</a>', 'application/xml', '<a>ä</a>'],
    ['application/x-ndjson', [{ a: 1 }, 2], 'application/x-ndjson', '{"a":1}\n2\n'],
    ['application/x-ndjson', '{"a":1}\n', 'application/x-ndjson', '{"a":1}\n'],
    ['application/json-seq', [1], 'application/json-seq', '\u001e1\n'],
    ['application/graphql', 'query { a }', 'application/graphql', 'query { a }'],
    ['application/vnd.thing', { a: 1 }, 'application/vnd.thing', '{"a":1}'],
    // parts that are written already, as OData has them in `$batch`
    [
      'multipart/mixed;boundary=b',
      '--b\nA: 1\n\n\n--b--',
      'multipart/mixed;boundary=b',
      '--b\r\nA: 1\r\n\r\n\r\n--b--',
    ],
    [
      'multipart/mixed; x=1; boundary="b"',
      '--b\r\n\r\n{\n}\r\n--b--',
      'multipart/mixed; x=1; boundary="b"',
      '--b\r\n\r\n{\n}\r\n--b--',
    ],
  ])('%s of %j', (contentType, body, type, text) => {
    expect(sendWhole(contentType, body)).toEqual({ type, body: text });
  });

  it.each<[string, string, string, string]>([
    ['text/plain; charset=ISO-8859-1', 'caf\u00e9', 'text/plain; charset=ISO-8859-1', 'caf\u00e9'],
    ['text/plain;charset="latin1"', 'caf\u00e9', 'text/plain;charset="latin1"', 'caf\u00e9'],
    ['text/csv; charset=windows-1252', '1 \u20ac', 'text/csv; charset=windows-1252', '1 \u0080'],
    ['text/csv; charset=iso-8859-15', '1 \u20ac', 'text/csv; charset=iso-8859-15', '1 \u00a4'],
    ['text/plain; charset=us-ascii', 'cafe', 'text/plain; charset=us-ascii', 'cafe'],
    ['text/plain; charset=utf-16', 'a', 'text/plain; charset=utf-16', '\u00fe\u00ff\0a'],
    ['text/plain; charset=UTF-16LE', 'a', 'text/plain; charset=UTF-16LE', 'a\0'],
    [
      'application/xml; charset=iso-8859-1',
      '<a>\u00e9</a>',
      'application/xml; charset=iso-8859-1',
      '<a>\u00e9</a>',
    ],
    [
      'application/xml',
      '<?xml version="1.0" encoding="windows-1252"?><a>\u20ac</a>',
      'application/xml',
      '<?xml version="1.0" encoding="windows-1252"?><a>\u0080</a>',
    ],
  ])('%s of %j goes in that charset', (contentType, body, type, bytes) => {
    const invocation = { bindings: [whole(contentType)], body: format(contentType) };
    const sent = buildRequest(operationOf(invocation), { body }, connectionOf());
    expect(sent.headers).toContainEqual(['content-type', type]);
    expect(Buffer.from(sent.body!).toString('latin1')).toBe(bytes);
  });

  it.each<[string, string]>([
    ['text/plain; charset=ISO-8859-1', '1 \u20ac'],
    ['text/plain; charset=us-ascii', 'caf\u00e9'],
    ['text/plain; charset=windows-1252', '\u65e5'],
    ['text/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><a>\u20ac</a>'],
  ])('%s cannot say %j: refused', (contentType, body) => {
    expect(() => sendWhole(contentType, body)).toThrow(refusal('arguments_invalid', '/body'));
    expect(() => sendWhole(contentType, body)).toThrow('the charset of the body');
  });

  it.each<[string, string, string]>([
    ['text/plain; charset=shift_jis; a=1', '\u65e5', 'text/plain; charset=utf-8; a=1'],
    ['text/plain;charset="no-such"', '\u00e9', 'text/plain;charset=utf-8'],
    ['text/plain;charset=no-such', 'e', 'text/plain;charset=no-such'],
    [
      'application/xml',
      '<?xml version="1.0" encoding="EUC-JP"?><a>\u65e5</a>',
      'application/xml; charset=utf-8',
    ],
  ])('%s of %j, which cannot be written so, goes in UTF-8 and says it', (contentType, body, type) => {
    expect(sendWhole(contentType, body)).toEqual({ type, body });
  });

  it('JSON is ASCII where its type names another charset than its own', () => {
    const body = { a: 'caf\u00e9 \u65e5' };
    const sent = (type: string) => sendWhole(type, body).body;
    expect(sent('application/json; charset=ISO-8859-1')).toBe('{"a":"caf\\u00e9 \\u65e5"}');
    expect(sent('application/json; charset=UTF-8')).toBe(JSON.stringify(body));
  });

  it.each(['application/xml', 'text/xml', 'application/atom+xml', 'text/plain'])(
    '%s is no object',
    (contentType) => {
      expect(() => sendWhole(contentType, { a: 1 })).toThrow(refusal('arguments_invalid', '/body'));
    },
  );
});

describe('urlencoded forms', () => {
  const TYPE = 'application/x-www-form-urlencoded';
  const form = (value: Json, encoding: NonNullable<BodyFormat['encoding']> = {}) =>
    sendWhole(TYPE, value, { encoding }).body;

  it.each<[Json, NonNullable<BodyFormat['encoding']>, string]>([
    [{ a: 'x y&z=ü', b: 1, c: null }, {}, 'a=x%20y%26z%3D%C3%BC&b=1'],
    [{ a: [1, 'b,c'] }, {}, 'a=1&a=b%2Cc'],
    [{ a: [1, 2] }, { a: { style: 'form', explode: false } }, 'a=1,2'],
    [{ a: [1, 2] }, { a: { style: 'pipeDelimited' } }, 'a=1%7C2'],
    [{ a: [1, 2] }, { a: { style: 'form', explode: false, delimiter: '\t' } }, 'a=1%092'],
    [{ a: { b: 1 } }, {}, 'a=%7B%22b%22%3A1%7D'],
    [{ a: { b: 1 } }, { a: { style: 'form' } }, 'b=1'],
    [{ a: { b: { c: [1] } } }, { a: { style: 'deepObject', explode: true } }, 'a%5Bb%5D%5Bc%5D%5B%5D=1'],
    [{ a: ['x'] }, { a: { contentType: 'application/json' } }, 'a=%5B%22x%22%5D'],
    [{ a: 'b/c' }, { a: { allowReserved: true } }, 'a=b/c'],
    [{ 'a=b': 'c=d' }, { 'a=b': { allowReserved: true } }, 'a%3Db=c=d'],
    [{ a: '$&' }, {}, 'a=%24%26'],
    ['ready=made', {}, 'ready=made'],
    [{}, {}, ''],
  ])('%j with %j is %s', (value, encoding, expected) => {
    expect(form(value, encoding)).toBe(expected);
  });

  it('refuses what is no form', () => {
    expect(() => form([1])).toThrow(refusal('arguments_invalid', '/body'));
    expect(() => form({ a: '\ud800' })).toThrow(refusal('arguments_invalid', '/body/a'));
  });
});
