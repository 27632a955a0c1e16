import { describe, expect, it } from 'vitest';
import { isToolcribError } from '../../../src/errors.ts';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Binding, JsonObject, ParameterPlace, ParameterStyle } from '../../../src/operations/index.ts';
import fc from '../../properties.ts';
import { connectionOf, operationOf } from './operation-under-test.ts';

const hostile = fc.constantFrom(
  ...[
    '..',
    '.',
    '/',
    '\\',
    '%2e%2e',
    '%2F',
    '?',
    '#',
    '@evil.example',
    '://evil.example',
    '\r\n',
    '\u0000',
    '$&',
    '$1',
  ],
  ...[
    '&admin=1',
    ';',
    ',',
    '{id}',
    ' ',
    '\u2028',
    '日',
    '\ud800',
    '__proto__',
    'Host: evil.example',
    '%',
    '..;',
    '\t',
  ],
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(hostile, fc.string({ maxLength: 3 })), { maxLength: 6 }).map((parts) => parts.join('')),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(text, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxKeys: 3 }),
);

const styles: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix', 'pipeDelimited'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: ['form'],
};
const binding = (place: ParameterPlace, name: string) =>
  fc
    .record({ style: fc.constantFrom(...styles[place]), explode: fc.boolean(), allowReserved: fc.boolean() })
    .map((rest): Binding => ({ in: place, name, arg: name, ...rest }));
const bindings = fc.tuple(
  binding('path', 'id'),
  binding('path', 'name'),
  binding('query', 'q'),
  binding('querystring', 'whole'),
  binding('header', 'X-H'),
  binding('header', 'Authorization'),
  binding('cookie', 'c'),
  fc.constant<Binding>({ in: 'body', name: 'b', arg: 'b', contentType: 'application/x-www-form-urlencoded' }),
);
const args = fc.record(
  { id: value, name: value, q: value, whole: value, 'X-H': value, Authorization: value, c: value, b: value },
  { requiredKeys: ['id', 'name'] },
);
const template = fc.constantFrom(
  '/a/{id}/b/{name}',
  '/a/{id}:{name}/b',
  '/a/x{id}y/{name}',
  '/{id}/{name}/',
  '/rest/{id}/{name}?method=fixed',
);

/** The request, or undefined where the arguments were refused in order. */
function built(path: string, list: readonly Binding[], given: JsonObject) {
  const operation = operationOf({
    method: 'POST',
    path,
    bindings: list,
    body: { contentType: 'application/x-www-form-urlencoded', required: true },
  });
  try {
    return buildRequest(operation, given, connectionOf());
  } catch (error) {
    if (isToolcribError(error) && error.code === 'arguments_invalid') return undefined;
    throw error;
  }
}

describe('whatever the arguments', () => {
  it('host, method, path segments and headers are the operation’s', () => {
    let sent = 0;
    fc.assert(
      fc.property(template, bindings, args, (path, list, given) => {
        const request = built(path, list, given as JsonObject);
        if (request === undefined) return;
        sent++;
        const url = new URL(request.url);
        const mark = `${request.url}?`.indexOf('?');
        expect(url.href).toBe(request.url.slice(0, mark) + request.url.slice(mark).replaceAll("'", '%27'));
        expect(url.origin).toBe('https://api.example.com');
        expect(url.hash).toBe('');
        const segments = url.pathname.split('/');
        expect(segments.length).toBe(`/v1${path.split('?')[0]}`.split('/').length);
        expect(segments[1]).toBe('v1');
        for (const segment of segments) expect(decodedBytes(decodedBytes(segment))).not.toMatch(/^\.\.?$/);
        if (path.includes('method=')) expect(url.searchParams.getAll('method')).toEqual(['fixed']);
        expect(request.method).toBe('POST');
        const names = request.headers.map(([name]) => name);
        for (const name of names) expect(['accept', 'content-type', 'cookie', 'X-H']).toContain(name);
        expect(new Set(names).size).toBe(names.length);
        for (const [, header] of request.headers) expect(header).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
      }),
      { numRuns: 3000 },
    );
    expect(sent).toBeGreaterThan(50);
  });

  it('the argument comes back from one decoding of its segment', () => {
    fc.assert(
      fc.property(text, (id) => {
        const request = built('/a/{id}/b', [{ in: 'path', name: 'id', arg: 'id' }], { id });
        if (request === undefined) return;
        expect(decodeURIComponent(new URL(request.url).pathname.split('/')[3]!)).toBe(id);
      }),
      { numRuns: 1000 },
    );
  });

  it('a query value comes back from a form parser', () => {
    fc.assert(
      fc.property(text, (q) => {
        const request = built('/a', [{ in: 'query', name: 'q', arg: 'q' }], { q });
        if (request === undefined) return;
        expect(new URL(request.url).searchParams.getAll('q')).toEqual([q]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Escapes undone byte by byte: reserved expansion keeps those that stand for no UTF-8 (RFC 6570 §3.2.3). */
function decodedBytes(segment: string): string {
  return segment.replace(/%([0-9a-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
