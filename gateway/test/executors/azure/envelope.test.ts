import { describe, expect, it } from 'vitest';
import { connectorRequest, envelopeOf } from '../../../src/executors/azure/envelope.ts';
import type { AzureInvocation, JsonObject } from '../../../src/operations/index.ts';
import { operationOf } from './connector-under-test.ts';

const requestOf = (invocation: Partial<AzureInvocation>, args: JsonObject = {}) =>
  connectorRequest(operationOf(invocation), args);

const json = { contentType: 'application/json', required: true };

describe('the envelope of dynamicInvoke', () => {
  it('is these bytes', () => {
    const request = requestOf(
      {
        method: 'post',
        path: '/v2/Mail/{folder}',
        bindings: [
          { in: 'header', name: 'X-Zone', arg: 'zone' },
          { in: 'body', name: 'Subject', arg: 'Subject', contentType: 'application/json' },
          { in: 'query', name: '$filter', arg: '_filter' },
          { in: 'path', name: 'folder', arg: 'folder' },
        ],
        body: json,
      },
      { folder: 'In box', _filter: "name eq 'a&b'", zone: 'eu', Subject: 'Grüße' },
    );
    expect(JSON.stringify(envelopeOf(request))).toBe(
      '{"request":{"method":"POST","path":"/v2/Mail/In%20box","queries":{"$filter":"name eq \'a&b\'"},"headers":{"Content-Type":"application/json","X-Zone":"eu"},"body":{"Subject":"Grüße"}}}',
    );
  });

  it('says nothing that is not there', () => {
    expect(requestOf({ path: '/Mail' })).toEqual({
      method: 'GET',
      path: '/Mail',
      headers: { 'Content-Type': 'application/json' },
    });
  });

  it('leaves an optional body without arguments out, constants or not', () => {
    const bindings = [
      { in: 'body', name: 'kind', const: 'plain', contentType: 'application/json' },
      { in: 'body', name: 'text', arg: 'text', contentType: 'application/json' },
    ] as const;
    const body = { ...json, required: false };
    expect(requestOf({ method: 'POST', bindings, body })).not.toHaveProperty('body');
    expect(requestOf({ method: 'POST', bindings, body }, { text: 'x' }).body).toEqual({
      kind: 'plain',
      text: 'x',
    });
  });

  it.each([
    ['an object', { a: { b: [1] } }],
    ['a list', [1, 'two']],
    ['text', 'plain'],
    ['a number', 7],
    ['false', false],
  ])('carries a body that is %s as its value', (_, value) => {
    const bindings = [{ in: 'body', name: '', arg: 'body', contentType: 'application/json' }] as const;
    expect(requestOf({ method: 'POST', bindings, body: json }, { body: value }).body).toEqual(value);
  });
});

describe('queries', () => {
  const query = (binding: object, value: JsonObject[string]) =>
    requestOf({ bindings: [{ in: 'query', name: '$x', arg: 'x', ...binding } as never] }, { x: value })
      .queries;

  it.each([
    ['a number', {}, 1e21, '1000000000000000000000'],
    ['a boolean', {}, false, 'false'],
    ['a repeated name, which a map cannot hold', {}, ['a', 'b'], 'a,b'],
    ['comma separated', { explode: false }, ['a', 'b'], 'a,b'],
    ['pipe separated', { style: 'pipeDelimited', explode: false }, ['a', 'b'], 'a|b'],
    ['space separated', { style: 'spaceDelimited', explode: false }, ['a', 'b'], 'a b'],
    ['tab separated', { delimiter: '\t', explode: false }, ['a', 'b'], 'a\tb'],
    ['nothing percent-encoded', {}, 'a b&c=%2F', 'a b&c=%2F'],
  ])('%s', (_, binding, value, text) => {
    expect(query(binding, value)).toEqual({ $x: text });
  });

  it('has no entry for null', () => {
    expect(query({}, null)).toBeUndefined();
  });

  it('keeps what the path key fixes', () => {
    const { path, queries } = requestOf(
      { path: '/run?mode=fast', bindings: [{ in: 'query', name: 'mode', arg: 'mode' }] },
      { mode: 'slow' },
    );
    expect([path, queries]).toEqual(['/run', { mode: 'fast' }]);
  });

  it('sends the defaults of internal parameters', () => {
    expect(requestOf({ bindings: [{ in: 'query', name: 'useV2', const: true }] }).queries).toEqual({
      useV2: 'true',
    });
  });

  it('takes __proto__ for a name', () => {
    const { queries } = requestOf({ bindings: [{ in: 'query', name: '__proto__', arg: 'p' }] }, { p: 'x' });
    expect(JSON.stringify({ ...queries })).toBe('{"__proto__":"x"}');
  });
});

describe('headers', () => {
  it('may say what the connector accepts', () => {
    const bindings = [{ in: 'header', name: 'Accept', const: 'application/json' }] as const;
    expect(requestOf({ bindings }).headers).toEqual({
      'Content-Type': 'application/json',
      Accept: 'application/json',
    });
  });

  it.each(['Authorization', 'Host', 'Proxy-Authorization', 'X-HTTP-Method-Override'])(
    'never set %s from an argument',
    (name) => {
      const bindings = [{ in: 'header', name, arg: 'x' }] as const;
      expect(() => requestOf({ bindings }, { x: 'y' })).toThrow(
        expect.objectContaining({ code: 'arguments_invalid', pointer: '/x' }),
      );
    },
  );

  it('have no space around their values', () => {
    const bindings = [{ in: 'header', name: 'Prefer', const: ' return=minimal ' }] as const;
    expect(requestOf({ bindings }).headers['Prefer']).toBe('return=minimal');
  });

  it('refuse line breaks', () => {
    const bindings = [{ in: 'header', name: 'X-A', arg: 'x' }] as const;
    expect(() => requestOf({ bindings }, { x: 'a\r\nX-B: c' })).toThrow(
      expect.objectContaining({ code: 'arguments_invalid', pointer: '/x' }),
    );
  });
});

describe('values that the connector fixes deep inside', () => {
  it('are put beside what is given', () => {
    const request = requestOf(
      {
        method: 'POST',
        bindings: [{ in: 'body', name: 'item', arg: 'item', contentType: 'application/json' }],
        body: json,
        fixed: [{ argument: '/item/kind', value: 'task' }],
      },
      { item: { title: 'x' } },
    );
    expect(request.body).toEqual({ item: { title: 'x', kind: 'task' } });
  });
});

describe('bodies that are no JSON', () => {
  const whole = [{ in: 'body', name: '', arg: 'body', contentType: '' }] as const;
  const bytes = Buffer.from([0, 255, 1]);
  const file = bytes.toString('base64');

  it('carry bytes as base64 under $content', () => {
    const body = { contentType: 'application/octet-stream', required: true, binary: true };
    const request = requestOf({ method: 'PUT', bindings: whole, body }, { body: file });
    expect(request.body).toEqual({ '$content-type': 'application/octet-stream', $content: file });
    expect(request.headers['Content-Type']).toBe('application/octet-stream');
  });

  it('take the type that an internal header declares', () => {
    const request = requestOf(
      {
        method: 'PUT',
        bindings: [...whole, { in: 'header', name: 'Content-Type', const: 'image/jpeg' }],
        body: { contentType: 'application/octet-stream', required: true, binary: true },
      },
      { body: file },
    );
    expect(request.body).toEqual({ '$content-type': 'image/jpeg', $content: file });
    expect(request.headers).toEqual({ 'Content-Type': 'image/jpeg' });
  });

  it('are bytes where the document calls a binary body JSON', () => {
    const body = { contentType: 'application/json', required: true, binary: true };
    expect(requestOf({ method: 'PUT', bindings: whole, body }, { body: file }).body).toEqual({
      '$content-type': 'application/octet-stream',
      $content: file,
    });
  });

  it('refuse what is no base64', () => {
    const body = { contentType: 'application/octet-stream', required: true, binary: true };
    expect(() => requestOf({ method: 'PUT', bindings: whole, body }, { body: '***' })).toThrow(
      expect.objectContaining({ code: 'arguments_invalid', pointer: '/body' }),
    );
  });

  it('are text where they are text', () => {
    const body = { contentType: 'text/xml', required: true };
    const request = requestOf({ method: 'POST', bindings: whole, body }, { body: '<a/>' });
    expect([request.headers['Content-Type'], request.body]).toEqual(['text/xml', '<a/>']);
  });

  const fields = [
    { in: 'body', name: 'note', arg: 'note', contentType: 'multipart/form-data' },
    { in: 'body', name: 'meta', arg: 'meta', contentType: 'multipart/form-data' },
    { in: 'body', name: 'file', arg: 'file', contentType: 'multipart/form-data' },
  ] as const;
  const form = {
    note: 'hello world',
    meta: { a: 1 },
    file: { data: file, filename: 'a "b".png', contentType: 'image/png' },
  };

  it('are parts where they are a form with files', () => {
    const body = { contentType: 'multipart/form-data', required: true, encoding: { file: { file: true } } };
    const request = requestOf({ method: 'POST', bindings: fields, body }, form);
    expect(request.headers).toEqual({ 'Content-Type': 'multipart/form-data' });
    expect(request.body).toEqual({
      '$content-type': 'multipart/form-data',
      $multipart: [
        { headers: { 'Content-Disposition': 'form-data; name="note"' }, body: 'hello world' },
        {
          headers: { 'Content-Disposition': 'form-data; name="meta"', 'Content-Type': 'application/json' },
          body: { a: 1 },
        },
        {
          headers: {
            'Content-Disposition': 'form-data; name="file"; filename="a %22b%22.png"',
            'Content-Type': 'image/png',
          },
          body: { '$content-type': 'image/png', $content: file },
        },
      ],
    });
  });

  const urlencoded = { contentType: 'application/x-www-form-urlencoded', required: true };

  it('are one text where they are a form without', () => {
    const request = requestOf({ method: 'POST', bindings: fields.slice(0, 2), body: urlencoded }, form);
    expect([request.headers['Content-Type'], request.body]).toEqual([
      'application/x-www-form-urlencoded',
      'note=hello%20world&meta=%7B%22a%22%3A1%7D',
    ]);
  });

  it('are characters, whose encoding is not ours to name', () => {
    const body = { contentType: 'text/plain', required: true };
    const request = requestOf({ method: 'POST', bindings: whole, body }, { body: 'ü' });
    expect([request.headers['Content-Type'], request.body]).toEqual(['text/plain', 'ü']);
  });

  it('are parts where an internal header says so', () => {
    const bindings = [
      fields[0],
      { in: 'header', name: 'Content-Type', const: 'multipart/form-data' },
    ] as const;
    const request = requestOf({ method: 'POST', bindings, body: urlencoded }, form);
    expect(request.body).toMatchObject({ '$content-type': 'multipart/form-data' });
    expect(request.headers).toEqual({ 'Content-Type': 'multipart/form-data' });
  });
});
