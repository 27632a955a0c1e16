import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { createHttpExecutor } from '../../src/executors/http/index.ts';
import {
  type Binding,
  type BodyFormat,
  type Call,
  DEFAULT_LIMITS,
  type HttpInvocation,
  type JsonObject,
  LOCAL_PRINCIPAL,
} from '../../src/operations/index.ts';
import { connectionOf, operationOf } from '../executors/http/operation-under-test.ts';
import { type RawRequest, type RawServer, startRawServer } from './raw-server.ts';

let server: RawServer;
let egress: Egress;
beforeAll(async () => {
  server = await startRawServer();
  egress = createEgress({ allow: [server.origin] });
});
afterAll(async () => {
  await egress.close();
  await server.close();
});

const path = (rest: object = {}): Binding => ({ in: 'path', name: 'p', arg: 'p', ...rest });
const query = (rest: object = {}): Binding => ({ in: 'query', name: 'q', arg: 'q', ...rest });
const whole = (contentType: string): Binding => ({ in: 'body', name: '', arg: 'body', contentType });
const property = (name: string, contentType: string): Binding => ({
  in: 'body',
  name,
  arg: name,
  contentType,
});
const body = (contentType: string, rest: Partial<BodyFormat> = {}): BodyFormat => ({
  contentType,
  required: true,
  ...rest,
});
const FORM = 'application/x-www-form-urlencoded';

/** Sends through the executor and the egress door; the request as the server's socket saw it. */
async function sent(
  invocation: Partial<HttpInvocation>,
  args: JsonObject,
  base = server.origin,
): Promise<RawRequest> {
  const executor = createHttpExecutor({
    egress,
    credentials: {
      authorize: async (request) => request,
      plan: async (request) => request,
      refused: () => false,
    },
  });
  const signal = new AbortController().signal;
  const operation = operationOf(invocation);
  const deadline = Date.now() + DEFAULT_LIMITS.timeoutMs;
  const call: Call = {
    id: 'c',
    principal: LOCAL_PRINCIPAL,
    tool: 't',
    operation,
    arguments: args,
    deadline,
    signal,
    channel: {},
    dryRun: false,
    depth: 0,
  };
  const seen = server.requests.length;
  await executor.execute(call, { connection: connectionOf({ baseUrl: base }), signal, deadline });
  expect(server.requests.length).toBe(seen + 1);
  return server.requests.at(-1)!;
}

const line = async (pathKey: string, bindings: readonly Binding[], args: JsonObject) =>
  (await sent({ path: pathKey, bindings }, args)).line.replace(/^GET (.*) HTTP\/1\.1$/, '$1');
const header = (request: RawRequest, name: string) =>
  request.headers.filter(([other]) => other === name).map(([, value]) => value);

describe('the request line, byte for byte', () => {
  it.each<[string, string, Binding[], JsonObject, string]>([
    ['matrix', '/m/{p}/z', [path({ style: 'matrix' })], { p: ['a', 'b'] }, '/m/;p=a,b/z'],
    [
      'matrix exploded',
      '/m/{p}',
      [path({ style: 'matrix', explode: true })],
      { p: ['a', 'b'] },
      '/m/;p=a;p=b',
    ],
    [
      'matrix object',
      '/m/{p}',
      [path({ style: 'matrix', explode: true })],
      { p: { x: 1, y: 2 } },
      '/m/;x=1;y=2',
    ],
    [
      'matrix object with an empty value',
      '/m/{p}',
      [path({ style: 'matrix', explode: true })],
      { p: { x: '', y: 2 } },
      '/m/;x;y=2',
    ],
    [
      'content in a path',
      '/c/{p}',
      [path({ contentType: 'application/json' })],
      { p: { a: '/x' } },
      '/c/%7B%22a%22%3A%22%2Fx%22%7D',
    ],
    ['label', '/l/{p}', [path({ style: 'label' })], { p: ['a', 'b'] }, '/l/.a,b'],
    ['label exploded', '/l/{p}', [path({ style: 'label', explode: true })], { p: ['a', 'b'] }, '/l/.a.b'],
    [
      'deepObject',
      '/d',
      [query({ style: 'deepObject', explode: true })],
      { q: { a: 1, b: { c: 'd' } } },
      '/d?q%5Ba%5D=1&q%5Bb%5D%5Bc%5D=d',
    ],
    ['a comma in an item', '/c', [query({ explode: false })], { q: ['a,b', 'c'] }, '/c?q=a%2Cb,c'],
    [
      'allowReserved',
      '/r',
      [query({ allowReserved: true })],
      { q: 'https://x.example/a?b=c:d' },
      '/r?q=https://x.example/a?b=c:d',
    ],
    ['2.0 csv', '/s', [query({ explode: false })], { q: ['a', 'b'] }, '/s?q=a,b'],
    ['2.0 ssv', '/s', [query({ style: 'spaceDelimited', explode: false })], { q: ['a', 'b'] }, '/s?q=a%20b'],
    ['2.0 tsv', '/s', [query({ explode: false, delimiter: '\t' })], { q: ['a', 'b'] }, '/s?q=a%09b'],
    ['2.0 pipes', '/s', [query({ style: 'pipeDelimited', explode: false })], { q: ['a', 'b'] }, '/s?q=a%7Cb'],
    [
      '2.0 pipes of csv of tsv',
      '/s',
      [query({ style: 'pipeDelimited', explode: false, nested: [',', '\t'] })],
      { q: [['a,b', ['c', 'd']], ['e']] },
      '/s?q=a%2Cb,c%09d%7Ce',
    ],
    ['2.0 csv of tsv', '/s/{p}', [path({ nested: ['\t'] })], { p: [['a', 'b'], ['c']] }, '/s/a%09b,c'],
    ['2.0 multi', '/s', [query({ explode: true })], { q: ['a', 'b'] }, '/s?q=a&q=b'],
    [
      'a replacement pattern',
      '/x/{p}',
      [path(), query()],
      { p: '$&$1', q: "$'$`" },
      '/x/%24%26%241?q=%24%27%24%60',
    ],
    ['an internal parameter', '/i', [{ in: 'query', name: 'v', const: '2' }], {}, '/i?v=2'],
    ['{+name}', '/v1/{+p}:run', [path()], { p: 'projects/a/jobs/b' }, '/v1/projects/a/jobs/b:run'],
    ['an AWS action', '/#Action=List', [query()], { q: 'a' }, '/?Action=List&q=a'],
    ['slashes, question marks, hashes', '/x/{p}/y', [path()], { p: 'a/b?c#d%2e' }, '/x/a%2Fb%3Fc%23d%252e/y'],
    [
      'the same name in path and query',
      '/x/{id}',
      [
        { in: 'path', name: 'id', arg: 'id' },
        { in: 'query', name: 'id', arg: 'query_id' },
      ],
      { id: 'p', query_id: 'q' },
      '/x/p?id=q',
    ],
  ])('%s', async (_, key, bindings, args, expected) => {
    expect(await line(key, bindings, args)).toBe(expected);
  });

  it('stays under the base path', async () => {
    const request = await sent(
      { path: '/x/{p}', bindings: [path()] },
      { p: 'a' },
      `${server.origin}/base/v1/`,
    );
    expect(request.line).toBe('GET /base/v1/x/a HTTP/1.1');
  });

  it.each(['', '.', '..', '../x', '%2e%2e', '..%2fx', '..\\x'])('%j never reaches the wire', async (p) => {
    const seen = server.requests.length;
    await expect(sent({ path: '/x/{p}', bindings: [path()] }, { p })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/p',
    });
    expect(server.requests.length).toBe(seen);
  });
});

describe('the body, byte for byte', () => {
  it.each<[string, Partial<HttpInvocation>, JsonObject, string, string]>([
    [
      'a root array',
      { bindings: [whole('application/json')], body: body('application/json') },
      { body: [1, 'ä'] },
      'application/json',
      '[1,"\u00c3\u00a4"]',
    ],
    [
      'a primitive',
      { bindings: [whole('application/json')], body: body('application/json') },
      { body: 'x' },
      'application/json',
      '"x"',
    ],
    [
      'a vendor type',
      { bindings: [whole('application/merge-patch+json')], body: body('application/merge-patch+json') },
      { body: { a: null } },
      'application/merge-patch+json',
      '{"a":null}',
    ],
    [
      'octets',
      { bindings: [whole('application/octet-stream')], body: body('application/octet-stream') },
      { body: 'AP+A' },
      'application/octet-stream',
      '\u0000\u00ff\u0080',
    ],
    [
      'text',
      { bindings: [whole('text/plain')], body: body('text/plain') },
      { body: 'a\nb' },
      'text/plain',
      'a\nb',
    ],
    [
      'XML',
      { bindings: [whole('application/xml')], body: body('application/xml') },
      { body: '<a/>' },
      'application/xml',
      '<a/>',
    ],
    [
      'urlencoded (2.0 formData too)',
      { bindings: [property('a', FORM), property('b', FORM)], body: body(FORM) },
      { a: 'x y', b: [1, 2] },
      FORM,
      'a=x%20y&b=1&b=2',
    ],
    [
      'an empty object',
      { bindings: [property('a', 'application/json')], body: body('application/json') },
      {},
      'application/json',
      '{}',
    ],
  ])('%s', async (_, invocation, args, type, expected) => {
    const request = await sent({ method: 'POST', ...invocation }, args);
    expect(header(request, 'content-type')).toEqual([type]);
    expect(header(request, 'content-length')).toEqual([String(expected.length)]);
    expect(request.body).toBe(expected);
  });

  it.each(['GET', 'DELETE', 'HEAD', 'QUERY'])('goes with %s', async (method) => {
    const request = await sent(
      { method, bindings: [whole('application/json')], body: body('application/json') },
      { body: { a: 1 } },
    );
    expect(request.line).toBe(`${method} / HTTP/1.1`);
    expect(request.body).toBe('{"a":1}');
  });

  it('no body argument: neither body nor type', async () => {
    const request = await sent(
      {
        method: 'POST',
        bindings: [whole('application/json')],
        body: body('application/json', { required: false }),
      },
      {},
    );
    expect(request.body).toBe('');
    expect(header(request, 'content-type')).toEqual([]);
  });

  it('multipart with a file', async () => {
    const TYPE = 'multipart/form-data';
    const bindings = [property('note', TYPE), property('tags', TYPE), property('file', TYPE)];
    const format = body(TYPE, { encoding: { file: { file: true } } });
    const args = {
      note: 'ä',
      tags: ['x', 'y'],
      file: { data: 'AP8=', filename: 'a"b.bin', contentType: 'image/png' },
    };
    const request = await sent({ method: 'POST', bindings, body: format }, args);
    const boundary = /^multipart\/form-data; boundary=([A-Za-z0-9-]+)$/.exec(
      header(request, 'content-type')[0]!,
    )![1];
    expect(request.body).toBe(
      [
        `--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\n\u00c3\u00a4\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="tags"\r\n\r\nx\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="tags"\r\n\r\ny\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a%22b.bin"\r\nContent-Type: image/png\r\n\r\n\u0000\u00ff\r\n`,
        `--${boundary}--\r\n`,
      ].join(''),
    );
  });
});

describe('headers', () => {
  it('carries Latin-1 values, one cookie header, one Accept', async () => {
    const bindings: Binding[] = [
      { in: 'header', name: 'X-Name', arg: 'name' },
      { in: 'cookie', name: 'a', arg: 'a' },
      { in: 'cookie', name: 'b', arg: 'b' },
    ];
    const request = await sent(
      { bindings, accept: ['application/json'] },
      { name: 'café', a: '1', b: '2;3' },
    );
    expect(header(request, 'x-name')).toEqual(['caf\u00e9']);
    expect(header(request, 'cookie')).toEqual(['a=1; b=2%3B3']);
    expect(header(request, 'accept')).toEqual(['application/json, */*;q=0.1']);
    expect(header(request, 'host')).toEqual([new URL(server.origin).host]);
  });

  it.each(['a\r\nX-Evil: 1', 'a\u0000'])('%j never reaches the wire', async (value) => {
    const seen = server.requests.length;
    const bindings: Binding[] = [{ in: 'header', name: 'X-Name', arg: 'name' }];
    await expect(sent({ bindings }, { name: value })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/name',
    });
    expect(server.requests.length).toBe(seen);
  });
});
