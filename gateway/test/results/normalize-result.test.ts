import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArtifactStore, artifactIdOf, createArtifactStore } from '../../src/artifacts/index.ts';
import { EgressFailure } from '../../src/egress/index.ts';
import { ToolcribError } from '../../src/errors.ts';
import type { RawResult } from '../../src/executors/executor.ts';
import type { CompletedResult, ContentBlock, JsonSchema, Operation } from '../../src/operations/index.ts';
import { normalizeResult } from '../../src/results/index.ts';
import { decodeStoredAnswer, STORED_ANSWER_TYPE } from '../../src/results/shaping/stored-answer.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';
import { framesOf } from './frames.ts';

let directory: string;
let artifacts: ArtifactStore;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-results-'));
  artifacts = createArtifactStore(join(directory, 'artifacts'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const LIMITS = { maxTextLength: 1000 };
const plain = operationOf({ path: '/pets' });
const typed = operationOf({ path: '/pets' }, { output: { type: 'object' } });
const wrapping = operationOf({ path: '/pets', wrapsResult: true }, { output: { type: 'object' } });

const http = (
  status: number,
  contentType: string | undefined,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): RawResult => ({
  kind: 'http',
  status,
  headers: { ...(contentType === undefined ? {} : { 'content-type': contentType }), ...headers },
  body: typeof body === 'string' ? Buffer.from(body) : body,
  url: 'https://api.example.com/v1/pets',
  attempts: 1,
});

async function completed(
  raw: RawResult,
  operation: Operation = plain,
  limits = LIMITS,
  store: ArtifactStore | undefined = artifacts,
): Promise<CompletedResult> {
  const result = await normalizeResult(raw, operation, limits, store);
  if (result.kind !== 'completed') throw new Error(`not completed but ${result.kind}`);
  return result;
}

const text = (result: CompletedResult) =>
  result.content.filter((block) => block.type === 'text').map((block) => block.text);
const link = (result: CompletedResult) =>
  result.content.find((block) => block.type === 'resource_link') as Extract<
    ContentBlock,
    { type: 'resource_link' }
  >;
const stored = async (uri: string) => artifacts.get(artifactIdOf(uri)!);

describe('JSON answers', () => {
  it.each([
    ['application/json', '{ "a": [1, 2] }', '{"a":[1,2]}'],
    ['application/vnd.api+json; charset=utf-8', '{"ä":"é"}', '{"ä":"é"}'],
    ['application/vnd.acme.v2.json', '[1]', '[1]'],
    ['APPLICATION/JSON', '\ufeff{}', '{}'],
  ])('%s becomes structured content and compact text', async (type, body, expected) => {
    const result = await completed(http(200, type, body));
    expect(result).toEqual({
      kind: 'completed',
      content: [{ type: 'text', text: expected }],
      structured: JSON.parse(expected),
      status: 200,
    });
  });

  it.each(['[1,2]', '"x"', '7', 'null'])(
    'a root of %s is wrapped where the operation says so',
    async (body) => {
      const result = await completed(http(200, 'application/json', body), wrapping);
      expect(result.structured).toEqual({ result: JSON.parse(body) });
      expect(text(result)).toEqual([`{"result":${body}}`]);
      expect((await completed(http(200, 'application/json', body))).structured).toEqual(JSON.parse(body));
    },
  );

  it('keeps the digits of numbers that no double holds, and says where', async () => {
    const result = await completed(
      http(
        200,
        'application/json',
        '{"id": 12345678901234567890, "n": 9007199254740992, "f": 0.1234567890123456789}',
      ),
    );
    expect(text(result)[0]).toBe(
      '{"id":12345678901234567890,"n":9007199254740992,"f":0.1234567890123456789}',
    );
    expect(text(result)[1]).toMatch(/no double holds are exact in the text only/);
    expect(result.warnings).toHaveLength(1);
  });

  it('keeps them where a double holds the number and writes it with other digits', async () => {
    const result = await completed(http(200, 'application/json', '{"id":1152921504606846976}'));
    expect(text(result)[0]).toBe('{"id":1152921504606846976}');
  });

  it('does not call a number null that no double reaches', async () => {
    const result = await completed(http(200, 'application/json', '{"n":1e400,"m":1e300}'));
    expect(text(result)[0]).toBe('{"n":1e400,"m":1e+300}');
    expect(result.warnings).toHaveLength(1);
  });

  it('invalid JSON is text with a note', async () => {
    const result = await completed(http(200, 'application/json', '{"a":'));
    expect(text(result)).toEqual([
      '{"a":',
      'Note: The service calls this application/json, but it is not valid JSON.',
    ]);
    expect(result.error).toBeUndefined();
    expect(result.structured).toBeUndefined();
  });

  it('so is what is nested deeper than anybody means, whatever Node could still write', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const most = await completed(http(200, 'application/json', nested(500)), typed);
    expect(most.structured).toEqual(JSON.parse(nested(500)));
    const more = await completed(http(200, 'application/json', nested(501)), typed);
    expect(more.structured).toBeTypeOf('string');
    expect(more.warnings).toContain(
      'The service calls this application/json, but it is nested more than 500 levels deep.',
    );
  });

  it('invalid JSON is held against the output that is promised', async () => {
    const raw = http(200, 'application/json', '{"a":NaN}');
    expect((await completed(raw, typed)).structured).toBe('{"a":NaN}');
    expect((await completed(raw, wrapping)).structured).toEqual({ result: '{"a":NaN}' });
    expect((await completed(raw, typed)).outputApplies).toBeUndefined();
  });

  it('several texts, one a line, are one list', async () => {
    const result = await completed(
      http(200, 'application/json', '{"a": 1}\n[2]\r\n\n{"a":9007199254740993}\n'),
    );
    expect(text(result)[0]).toBe('[{"a":1},[2],{"a":9007199254740993}]');
    expect(text(result)).toContain(
      'Note: The service sent 3 JSON texts, one a line, as application/json; they stand here as one list.',
    );
    expect(result.structured).toEqual([{ a: 1 }, [2], { a: 9007199254740992 }]);
    expect(result.warnings).toHaveLength(2);
  });

  it('several texts, one a line, of no type', async () => {
    const result = await completed(http(200, undefined, '{"a":1}\n{"a":2}\n'));
    expect(result.structured).toEqual([{ a: 1 }, { a: 2 }]);
    expect(text(result)).toContain(
      'Note: The service sent 2 JSON texts, one a line; they stand here as one list.',
    );
  });

  describe('records that are promised as a list', () => {
    const output = { type: 'object', properties: { result: { type: 'array' } } } as const;
    const listing = operationOf({ path: '/pets', wrapsResult: true }, { output });
    it.each<[string, string, unknown[]]>([
      ['application/jsonl', '{"a":1}\n2\n', [{ a: 1 }, 2]],
      ['application/x-ndjson; charset=utf-8', '{"a":1}', [{ a: 1 }]],
      ['application/json-seq', '\u001e{\n"a":1}\n\u001e"b"\n', [{ a: 1 }, 'b']],
      ['application/geo+json-seq', '\u001e{}', [{}]],
    ])('%s of %j', async (type, body, values) => {
      const result = await completed(http(200, type, body), listing);
      expect(result.structured).toEqual({ result: values });
      expect(text(result)).toEqual([JSON.stringify({ result: values })]);
      expect(result.outputApplies).toBeUndefined();
    });

    it('stay text where one of them is no JSON, or nothing is promised', async () => {
      expect(text(await completed(http(200, 'application/jsonl', '{}\n{"a":'), listing))).toEqual([
        '{}\n{"a":',
      ]);
      expect(text(await completed(http(200, 'application/jsonl', '{}\n{}')))).toEqual(['{}\n{}']);
    });
  });

  it.each<[string, JsonSchema, boolean, unknown]>([
    ['a list', { type: 'array' }, true, { result: [{}, {}] }],
    ['anything', {}, true, { result: [{}, {}] }],
    [
      'a line',
      { oneOf: [{ type: 'object' }, { type: 'object' }], type: 'object' },
      false,
      { result: [{}, {}] },
    ],
  ])('of a promise that speaks of %s', async (_what, result, applies, structured) => {
    const output = { type: 'object', properties: { result } } as const;
    const wrapped = operationOf({ path: '/pets', wrapsResult: true }, { output });
    const answer = await completed(http(200, 'application/json', '{}\n{}\n'), wrapped);
    expect(answer.structured).toEqual(structured);
    expect(answer.outputApplies).toBe(applies ? undefined : false);
    expect((await completed(http(200, 'application/json', '{}\n{}'), typed)).outputApplies).toBe(false);
  });

  it.each(['{"a":1}\n{"a":', '{"a":1}\nwords', '1\n2', '{"a":1}{"a":2}'])(
    'what is no list of texts, one a line, stays what it is: %j',
    async (body) => {
      expect(text(await completed(http(200, 'application/json', body)))[0]).toBe(body);
    },
  );

  it('is cut with a note, and whole in an artifact', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(3000) });
    const result = await completed(http(200, 'application/json', body));
    expect(text(result)[0]).toBe(body.slice(0, 1000));
    expect(text(result)[1]).toContain(`${body.length - 1000} of ${body.length} characters`);
    expect(link(result)).toMatchObject({
      mimeType: 'application/json',
      name: 'underTest.json',
      size: body.length,
    });
    expect(Buffer.from((await stored(link(result).uri))!.bytes).toString()).toBe(body);
    expect(result.structured).toBeUndefined();
    expect((await completed(http(200, 'application/json', body), typed)).structured).toEqual(
      JSON.parse(body),
    );
  });

  it('never cuts within a character', async () => {
    const result = await completed(http(200, 'text/plain', `${'x'.repeat(9)}😀${'y'.repeat(20)}`), plain, {
      maxTextLength: 10,
    });
    expect(text(result)[0]).toBe('x'.repeat(9));
    expect(text(result)[1]).toContain('22 of 31 characters');
  });
});

describe('answers without a body', () => {
  it.each([
    [204, {}, 'Done: the service answered 204 No Content.'],
    [200, {}, 'Done: the service answered 200 OK.'],
    [202, { location: '/jobs/7' }, 'Done: the service answered 202 Accepted.\nLocation: /jobs/7'],
    [
      202,
      { 'operation-location': 'https://a.example/jobs/7', 'retry-after': '30', date: 'today' },
      'Done: the service answered 202 Accepted.\nOperation-Location: https://a.example/jobs/7\nRetry-After: 30',
    ],
    [204, { etag: '"7"', server: 'x' }, 'Done: the service answered 204 No Content.\nETag: "7"'],
    [204, { constructor: 'x' }, 'Done: the service answered 204 No Content.'],
    [299, {}, 'Done: the service answered 299.'],
  ])('%s %j is a sentence', async (status, headers, sentence) => {
    const result = await completed(http(status, undefined, '', headers as Record<string, string>));
    const told = sentence.split('\n').slice(1);
    expect(result).toEqual({
      kind: 'completed',
      content: [{ type: 'text', text: sentence }],
      status,
      ...(told.length === 0
        ? {}
        : { meta: { 'toolcrib/headers': Object.fromEntries(told.map((line) => line.split(': '))) } }),
    });
  });

  it('nor is a line break one after a write, as Podman sends it; what is read may be just that', async () => {
    const write = operationOf({ method: 'POST' }, { access: 'write' });
    expect(text(await completed(http(201, 'text/plain', '\n'), write))).toEqual([
      'Done: the service answered 201 Created.',
    ]);
    expect(text(await completed(http(200, 'text/plain', '\n'), plain))).toEqual(['\n']);
  });

  it('satisfies a declared output, to which no check applies', async () => {
    expect(await completed(http(204, undefined, ''), typed)).toMatchObject({
      structured: {},
      outputApplies: false,
    });
    expect(await completed(http(204, undefined, ''), wrapping)).toMatchObject({
      structured: { result: null },
      outputApplies: false,
    });
  });

  it('HEAD shows the headers, but no session', async () => {
    const head = operationOf({ method: 'HEAD' });
    const headers = {
      etag: '"1"',
      'last-modified': 'today',
      'set-cookie': 'a=secret',
      'x-auth-token': 'secret',
    };
    const result = await completed(http(200, 'text/plain', '', headers), head);
    expect(text(result)).toEqual([
      'Done: the service answered 200 OK.\nETag: "1"\ncontent-type: text/plain\nlast-modified: today',
    ]);
    expect(result.meta).toEqual({
      'toolcrib/headers': { ETag: '"1"', 'content-type': 'text/plain', 'last-modified': 'today' },
    });
  });
});

describe('headers beside a body', () => {
  const told = operationOf(
    { path: '/pets' },
    { answerHeaders: ['ETag', 'X-Total-Count', 'constructor', 'Content-Range'] },
  );
  const json = (headers: Record<string, string>, status = 200, body = '{"id":7}') =>
    http(status, 'application/json', body, headers);

  it('are told where the operation names them, to models and to programs', async () => {
    const result = await completed(json({ etag: '"7"', 'x-total-count': '0', 'x-request-id': 'r' }), told);
    expect(text(result)).toEqual(['{"id":7}', 'Headers of the answer:\nETag: "7"\nX-Total-Count: 0']);
    expect(result.meta).toEqual({ 'toolcrib/headers': { ETag: '"7"', 'X-Total-Count': '0' } });
  });

  it.each([
    ['x-total-count', 'X-Total-Count'],
    ['x-total', 'X-Total'],
    ['x-pagination', 'X-Pagination'],
  ])('say how many there are in all, where no document names %s', async (name, shown) => {
    const result = await completed(json({ [name]: '37' }));
    expect(text(result)).toEqual(['{"id":7}', `Headers of the answer:\n${shown}: 37`]);
    expect(result.meta).toEqual({ 'toolcrib/headers': { [shown]: '37' } });
  });

  it('say which part of the whole it is, where the service sent a part', async () => {
    const range = { 'content-range': 'bytes 0-7/1000' };
    const result = await completed(json(range, 206));
    expect(text(result)).toEqual(['{"id":7}', 'Headers of the answer:\nContent-Range: bytes 0-7/1000']);
    expect(result.meta).toEqual({ 'toolcrib/headers': { 'Content-Range': 'bytes 0-7/1000' } });
    expect(text(await completed(json(range)))).toEqual(['{"id":7}']);
  });

  it.each([
    ['x-start-after', 'k7'],
    ['x-next-page', '2'],
    ['x-continuation-token', 'abc'],
    ['x-next-offset', '20'],
    ['link', '</pets?from=k7>; rel="next"'],
  ])('say that there is more, where nothing leads there by %s', async (name, value) => {
    const result = await completed(json({ [name]: value }));
    const shown = name === 'link' ? 'Link' : name;
    expect(text(result)).toEqual(['{"id":7}', `Headers of the answer:\n${shown}: ${value}`]);
    expect(result.meta).toEqual({ 'toolcrib/headers': { [shown]: value } });
  });

  it('say it once, as the argument that leads there', async () => {
    const paged = operationOf(
      { path: '/pets', bindings: [{ arg: 'page', in: 'query', name: 'page' }] },
      { input: { type: 'object', properties: { page: { type: 'integer' } } } },
    );
    const said = text(await completed(json({ 'x-next-page': '2', 'x-start-after': 'k7' }), paged));
    expect(said).toEqual(['{"id":7}', expect.stringContaining('{"page":2}')]);
  });

  it('are not told otherwise, nor where the service sends none', async () => {
    expect(text(await completed(json({ etag: '"7"' })))).toEqual(['{"id":7}']);
    expect(await completed(json({}), told)).not.toHaveProperty('meta');
  });

  it('of a family of headers those that came are told', async () => {
    const said = { 'x-object-meta-color': 'blue', 'x-object-meta-api-key': 'k', 'x-object-metal': 'tin' };
    const operation = operationOf({}, { answerHeaders: ['X-Object-Meta-*'] });
    const { meta } = await completed(json(said), operation);
    expect(meta).toMatchObject({ 'toolcrib/headers': { 'X-Object-Meta-color': 'blue' } });
    expect(JSON.stringify(meta)).not.toMatch(/api-key|tin/);
  });

  it('are there for programs: versions, places, what ends, and links that are no page', async () => {
    const headers = {
      etag: '"7"',
      'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
      'content-location': '/pets/7',
      deprecation: '@1688169599',
      sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
      link: '</pets/7/toys>; rel="toys"',
      'set-cookie': 'session=secret',
      'x-request-id': 'r',
    };
    const result = await completed(json(headers));
    expect(text(result)).toEqual(['{"id":7}']);
    expect(result.meta).toEqual({
      'toolcrib/headers': {
        'Content-Location': '/pets/7',
        ETag: '"7"',
        'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
        Deprecation: '@1688169599',
        Sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
        Link: '</pets/7/toys>; rel="toys"',
      },
    });
    expect(
      (await completed(json({ etag: '"7"' }), operationOf({}, { answerHeaders: ['etag'] }))).meta,
    ).toEqual({
      'toolcrib/headers': { etag: '"7"' },
    });
  });

  it('say no user and no password of an address', async () => {
    const location = 'https://ada:hunter2@api.example.com/pets/7';
    const result = await completed(json({ location, 'content-location': location }, 201));
    expect(JSON.stringify(result)).not.toMatch(/ada|hunter2/);
    expect(text(result)[1]).toContain('Location: https://api.example.com/pets/7');
  });

  it.each([
    [201, { location: '/pets/7' }, ['Location: /pets/7']],
    [202, { location: '/jobs/1', 'retry-after': '5' }, ['Location: /jobs/1', 'Retry-After: 5']],
    [200, { 'operation-location': '/jobs/1' }, ['Operation-Location: /jobs/1']],
    [200, { location: '/pets/7' }, undefined],
  ])('%s %j says where the outcome is', async (status, headers, lines) => {
    const [, header] = text(await completed(json(headers as Record<string, string>, status)));
    expect(header?.split('\n').slice(1)).toEqual(lines);
  });

  it('an address that stands in the body is not said twice', async () => {
    const body = '{"url":"https://api.example.com/pets/7"}';
    const answer = json({ location: 'https://api.example.com/pets/7' }, 201, body);
    expect(text(await completed(answer))).toEqual([body]);
  });

  it('a long value is cut, as text and as data', async () => {
    const result = await completed(json({ etag: `"${'x'.repeat(9000)}"` }), told);
    expect(text(result)[1]!.length).toBeLessThan(4200);
  });
});

describe('JSON whose type names another charset than its own', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['application/json;charset=ISO-8859-1', '["grüß"]', '["grüß"]'],
    ['application/json; charset=windows-1252', '["€"]', '["€"]'],
    ['application/json; charset=ISO-8859-1', Buffer.from('["grüß"]', 'latin1'), '["grüß"]'],
    ['application/json; charset=utf-16', Buffer.from('["gr"]', 'utf16le'), '["gr"]'],
    ['application/json; charset=iso-2022-jp', Buffer.from('["\x1b$BF|\x1b(B"]', 'latin1'), '["日"]'],
  ])('is UTF-8 where its bytes are: %s', async (type, body, expected) => {
    expect(text(await completed(http(200, type, body)))).toEqual([expected]);
  });
});

describe('text answers', () => {
  it.each<[string | undefined, Uint8Array | string, string]>([
    ['text/plain', 'grüß', 'grüß'],
    ['text/plain; charset=ISO-8859-1', Buffer.from('grüß', 'latin1'), 'grüß'],
    ['text/plain; charset="utf-16le"', Buffer.from('grüß', 'utf16le'), 'grüß'],
    ['text/plain; charset=x-unknown', 'grüß', 'grüß'],
    ['text/csv', 'a,b\n1,2', 'a,b\n1,2'],
    ['application/xml', '<a/>', '<a/>'],
    [
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', 'latin1'),
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>',
    ],
    ['image/svg+xml', '<svg/>', '<svg/>'],
    ['application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
    ['text/event-stream', 'data: 1\n\n', 'data: 1\n\n'],
    ['application/yaml', 'a: 1', 'a: 1'],
    [undefined, 'just text', 'just text'],
  ])('%s', async (type, body, expected) => {
    const result = await completed(http(200, type, body));
    expect(text(result)).toEqual([expected]);
    expect(result.structured).toBeUndefined();
  });

  it.each<[string, Uint8Array, string, string]>([
    ['application/json', Buffer.from('{"a":"caf\xe9"}', 'latin1'), '{"a":"caf\ufffd"}', 'utf-8'],
    ['text/plain', Buffer.from('caf\xe9', 'latin1'), 'caf\ufffd', 'utf-8'],
    ['text/plain; charset=shift_jis', Buffer.from([0x41, 0x81]), 'A\ufffd', 'shift_jis'],
  ])('%s with bytes that mean nothing says so and is kept', async (type, body, shown, charset) => {
    const result = await completed(http(200, type, body));
    expect(text(result)[0]).toBe(shown);
    expect(text(result)[1]).toContain(`is no ${charset}`);
    expect(Buffer.from((await stored(link(result).uri))!.bytes).equals(body)).toBe(true);
    expect(result).toMatchObject({ artifacts: [link(result).uri], warnings: [expect.any(String)] });
  });

  it('is kept once where it is cut, too', async () => {
    const result = await completed(http(200, 'text/plain', Buffer.from('\xe9'.repeat(2000), 'latin1')));
    expect(result.artifacts).toEqual([link(result).uri]);
    expect(result.content.filter(({ type }) => type === 'resource_link')).toHaveLength(1);
    expect(result.warnings).toHaveLength(2);
  });

  it('a replacement character of the service itself is nothing to speak of', async () => {
    expect(text(await completed(http(200, 'text/plain', 'a\ufffdb')))).toEqual(['a\ufffdb']);
  });

  it('JSON under a text type is JSON where the operation promises it', async () => {
    const raw = http(200, 'text/plain', '{"a":1}');
    expect((await completed(raw, typed)).structured).toEqual({ a: 1 });
    expect((await completed(raw)).structured).toBeUndefined();
    expect((await completed(http(200, undefined, '[1]'))).structured).toEqual([1]);
  });

  it.each(['application/octet-stream', 'application/vnd.acme.order', 'json'])(
    'so is JSON under %s',
    async (type) => {
      const raw = http(200, type, ' {"a":1}');
      expect((await completed(raw, typed)).structured).toEqual({ a: 1 });
      expect(link(await completed(raw))).toBeDefined();
      expect(link(await completed(http(200, type, '{"a":'), typed))).toBeDefined();
    },
  );

  it('a text in place of the JSON that is promised is held against its schema', async () => {
    const page = '<title>Sign in</title>';
    const result = await completed(http(200, 'text/html', page), typed);
    expect(result).toMatchObject({ structured: page, content: [{ text: page }] });
    expect(result.outputApplies).toBeUndefined();
  });

  it('a text of a type that the document names beside JSON breaks no promise', async () => {
    const accept = ['application/json', 'text/csv; charset=utf-8'];
    const operation = operationOf({ path: '/pets', accept }, { output: { type: 'object' } });
    const csv = await completed(http(200, 'text/csv', 'a,b'), operation);
    expect(csv).toMatchObject({ structured: 'a,b', outputApplies: false });
    const broken = await completed(http(200, 'application/json', 'a,b'), operation);
    expect(broken.outputApplies).toBeUndefined();
  });

  it.each<[object, string, unknown]>([
    [{ type: 'string' }, '1.10', '1.10'],
    [{ type: ['string', 'null'] }, '12345678901234567890', '12345678901234567890'],
    [{ $ref: '#/$defs/text' }, 'true', 'true'],
    [{ type: 'string' }, '{"a":1}', '{"a":1}'],
    [{ type: 'string' }, '"quoted"', 'quoted'],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, '[1]', [1]],
    [{ type: 'integer' }, '42', 42],
    [{ allOf: [{}] }, '42', 42],
    [{ type: 'array' }, '42', '42'],
  ])('where the result is %j, the text %s is %j', async (result, body, expected) => {
    const output = { type: 'object', properties: { result }, $defs: { text: { type: 'string' } } } as const;
    const operation = operationOf({ path: '/pets', wrapsResult: true }, { output: output as never });
    expect((await completed(http(200, 'text/plain', body), operation)).structured).toEqual({
      result: expected,
    });
  });

  it('a text without a type that reads as a number keeps its digits', async () => {
    expect(text(await completed(http(200, undefined, '1.10')))).toEqual(['1.10']);
  });
});

describe('bytes', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

  it.each(['image/png', 'image/webp', 'audio/mpeg'])('%s is a block of its own, intact', async (mimeType) => {
    const result = await completed(http(200, mimeType, PNG));
    expect(result.content).toEqual([
      { type: mimeType.split('/')[0], data: PNG.toString('base64'), mimeType },
    ]);
  });

  it.each(['image/png', 'application/pdf', 'application/octet-stream', 'video/mp4'])(
    'large or other: %s is an artifact',
    async (mimeType) => {
      const body = Buffer.alloc(1024 * 1024 + 1, 7);
      const result = await completed(http(200, mimeType, body));
      expect(link(result)).toMatchObject({ mimeType, size: body.length });
      expect(text(result)[0]).toContain(link(result).uri);
      expect(body.equals((await stored(link(result).uri))!.bytes)).toBe(true);
    },
  );

  it.each([
    [200, STORED_ANSWER_TYPE],
    [422, STORED_ANSWER_TYPE],
    [422, ` ${STORED_ANSWER_TYPE.toUpperCase()}`],
  ])(
    'of a service that answers %i and calls it %s is kept as what it is: nothing of it was cleaned here',
    async (status, mimeType) => {
      const body = JSON.stringify({ version: 1, structured: { pad: 'x'.repeat(30_000) } });
      const result = await completed(http(status, mimeType, body));
      const kept = (await stored(link(result).uri))!;
      expect(kept.mimeType).toBe('application/json');
      expect(decodeStoredAnswer(kept)?.untrusted).toEqual({ untrusted: true });
    },
  );

  it.each([
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=plain.pdf', 'plain.pdf'],
    ["attachment; filename=x; filename*=UTF-8''gr%C3%BC%C3%9F.pdf", 'grüß.pdf'],
    ["attachment; filename=x; filename*=iso-8859-1'en'%A3%20rates.pdf", '£ rates.pdf'],
    ["attachment; filename*=UTF-8''100%.pdf", '100%.pdf'],
    [Buffer.from('attachment; filename="Übersicht €.pdf"').toString('latin1'), 'Übersicht €.pdf'],
    ['attachment; filename="Über.pdf"', 'Über.pdf'],
    ['attachment; filename=annual report.pdf; size=9', 'annual report.pdf'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename=".."', 'underTest.pdf'],
    ['inline', 'underTest.pdf'],
  ])('the name of %s is %s', async (disposition, name) => {
    const result = await completed(http(200, 'application/pdf', PNG, { 'content-disposition': disposition }));
    expect(link(result).name).toBe(name);
  });

  it('of a container are the lines that it wrote', async () => {
    const result = await completed(http(200, undefined, framesOf([1, '{"a":1}\n'], [2, 'oops\n'])));
    expect(text(result)).toEqual(['{"a":1}\noops\n']);
    const long = await completed(http(200, undefined, framesOf([1, 'x'.repeat(2000)])));
    expect(Buffer.from((await stored(link(long).uri))!.bytes).toString()).toBe('x'.repeat(2000));
  });

  it('without a type, bytes that are no text are an artifact', async () => {
    expect(link(await completed(http(200, undefined, PNG)))).toMatchObject({
      mimeType: 'application/octet-stream',
    });
  });

  it.each([
    'application/octet-stream',
    'binary/octet-stream',
    'application/force-download',
    'multipart/mixed;boundary=b',
  ])('that are a text, as a log often is, are told as one under %s, beside the file', async (type) => {
    const headers = { 'content-disposition': 'inline;filename=lxc.log' };
    const result = await completed(http(200, type, '\u001b[1mstarted\u001b[0m\tgrün\n', headers));
    expect(text(result)).toEqual(['\u001b[1mstarted\u001b[0m\tgrün\n']);
    expect(link(result)).toMatchObject({ name: 'lxc.log', mimeType: 'text/plain', size: 22 });
  });

  it('that are a long text are cut, and kept once', async () => {
    const result = await completed(http(200, 'application/octet-stream', 'x'.repeat(2000)));
    expect(text(result)[1]).toMatch(/characters are not shown/);
    expect(result.content.filter(({ type }) => type === 'resource_link')).toHaveLength(1);
  });

  it.each([
    ['of a known type', 'application/vnd.acme', 'words'],
    ['with control characters', 'application/octet-stream', 'a\u0001b'],
    ['that are no UTF-8', 'application/octet-stream', PNG],
  ])('%s stay a file', async (_case, type, body) => {
    expect(text(await completed(http(200, type, body)))[0]).toMatch(/^The service answered \d+ bytes of/);
  });

  it('of a bucket that cannot be reached the caller reads the code, and not where it is', async () => {
    const cause = new EgressFailure('connect_refused', 'none', 'minio.internal:9000 refuses the connection');
    const error = new ToolcribError('store_unavailable', `It cannot be used: ${cause.message}`, { cause });
    const away: ArtifactStore = {
      ...createArtifactStore(directory),
      put: () => Promise.reject(error),
    };
    const result = await completed(http(200, 'application/pdf', PNG), plain, LIMITS, away);
    expect(result.warnings![0]).toMatch(/could not be stored \(store_unavailable\)/);
    expect(JSON.stringify(result)).not.toContain('minio');
  });

  it('a store that cannot write costs the artifact, not the result', async () => {
    const file = join(directory, 'a-file');
    await writeFile(file, '');
    const result = await completed(
      http(200, 'application/pdf', PNG),
      plain,
      LIMITS,
      createArtifactStore(join(file, 'below')),
    );
    expect(result.error).toBeUndefined();
    expect(result.warnings![0]).toMatch(/could not be stored \((ENOTDIR|ENOENT|EEXIST)\)/);
  });
});

describe('answers that are no success', () => {
  it.each<[number, string | undefined, string, string]>([
    [
      404,
      'application/problem+json',
      '{"title":"Not found","detail":"No pet 7","status":404}',
      '404 Not Found: No pet 7',
    ],
    [
      422,
      'application/problem+json',
      '{"title":"Invalid","errors":[{"pointer":"#/name","detail":"is required"}]}',
      'Invalid; #/name: is required',
    ],
    [
      422,
      'application/json',
      '{"detail":[{"loc":["body","age"],"msg":"not a number","type":"t"}]}',
      'body.age: not a number',
    ],
    [
      400,
      'application/json',
      '{"error":"invalid_grant","error_description":"expired"}',
      'invalid_grant; expired',
    ],
    [400, 'application/json', '{"error":{"code":42,"message":"bad id"}}', 'bad id'],
    [
      422,
      'application/json',
      '{"message":"Failed","errors":{"email":["is taken"]}}',
      'Failed; email: is taken',
    ],
    [
      400,
      'application/json',
      '{"name":"BadRequest","message":"validation failed","code":400,"data":[{"instancePath":"/$select","message":"must be array"},{"instancePath":"","params":{"additionalProperty":"x"},"message":"must NOT have additional properties"}]}',
      'validation failed; /$select: must be array; must NOT have additional properties (x)',
    ],
    [
      400,
      'application/json',
      '{"errors":[{"name":"ValidationError","data":{"errors":[{"label":"Title","message":"Too long.","path":"title"}]},"message":"The following field is invalid: Title"}]}',
      'The following field is invalid: Title; title: Too long.',
    ],
    [400, 'application/json', '{"message":"No","data":[1]}', '400 Bad Request: No; data: [1]'],
    [400, 'application/problem+json; charset=utf-8', '{"title":"No","balance":30}', 'No; balance: 30'],
    [
      400,
      'application/json',
      '{"status_code":400,"detail":"Validation failed for POST /items","extra":[{"message":"Invalid ISO8601 duration","key":"wait","source":"body"},{"message":"Too much","key":"data"}]}',
      'Validation failed for POST /items; body.wait: Invalid ISO8601 duration; Too much',
    ],
    [400, 'application/json', '{"message":"No","extra":{"left":3}}', 'No; extra: {"left":3}'],
    [
      400,
      'application/json',
      '{"defined":false,"code":"BAD_REQUEST","status":400,"message":"Input validation failed","data":{"issues":[{"expected":"date","code":"invalid_type","path":["since"],"message":"Expected date"}]}}',
      'Input validation failed; since: Expected date (invalid_type) (BAD_REQUEST)',
    ],
    [
      400,
      'application/json',
      '{"data":null,"error":{"status":400,"name":"ValidationError","message":"2 errors occurred","details":{"errors":[{"path":["data","title"],"message":"too short","name":"ValidationError"},{"path":[],"message":"odd","name":"ValidationError"}]}}}',
      '2 errors occurred; errors: data.title: too short; odd',
    ],
    [
      400,
      'application/json',
      '{"code":"E_INVALID","problems":["\\"name\\" is required."],"message":"1 invalid parameter."}',
      '1 invalid parameter.; "name" is required. (E_INVALID)',
    ],
    [
      400,
      'application/json',
      '{"statusCode":400,"error":"Bad Request","message":"Validation failed","validation":{"body":{"source":"body","keys":["name"],"message":"\\"name\\" is required"}}}',
      'Request: Validation failed; body: "name" is required',
    ],
    [
      400,
      'application/json',
      '{"statusCode":400,"error":"Bad Request","message":"Invalid request payload input","validation":{"source":"payload","keys":["name"]}}',
      'Request: Invalid request payload input; source: payload; keys: name',
    ],
    [
      422,
      'application/json',
      '{"type":"validation","on":"params","property":"/id","message":"Expected union value","errors":[{"type":62,"path":"/id","value":"abc","message":"Expected union value","errors":[{"iterator":{}},{"iterator":{}}],"summary":"Property \'id\' should be one of: \'numeric\', \'number\'"}]}',
      "Entity: /id: Expected union value; Property 'id' should be one of: 'numeric', 'number'",
    ],
    [
      422,
      'application/vnd.api+json',
      '{"errors":[{"source":{"pointer":"/data/attributes/age"},"title":"Invalid","detail":"Must be a number"}]}',
      '/data/attributes/age: Invalid; Must be a number',
    ],
    [
      400,
      'application/json',
      '{"name":"BadRequestError","message":"Invalid body","errors":[{"target":{"a":1},"value":[{}],"property":"more","children":[{"target":[{}],"value":{},"property":"1","children":[{"target":{},"property":"street","children":[],"constraints":{"isString":"street must be a string"}}]}]},{"target":{"a":1},"property":"name","children":[],"constraints":{"isLength":"name is too short","isString":"name must be a string"}}]}',
      '400 Bad Request: Invalid body; more.1.street: street must be a string; name: name is too short; name: name must be a string',
    ],
    [
      404,
      'application/json',
      '{"name":"NotFoundError","stack":"Error\\n    at run (/srv/app.js:1:2)"}',
      '404 Not Found: {"name":"NotFoundError"}',
    ],
    [
      401,
      'application/json',
      '{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}',
      'Invalid ApiKey; errorcode: oauth.v2.InvalidApiKey',
    ],
    [
      400,
      'application/json',
      '{"errorMessages":["No such issue"],"errors":{"summary":"is required"}}',
      'No such issue; summary: is required',
    ],
    [
      400,
      'application/json',
      '{"name":["is taken","is short"],"email":["is none"]}',
      'name: is taken; is short; email: is none',
    ],
    [400, 'application/json', '{"name":["is taken"],"ids":[1]}', '{"name":["is taken"],"ids":[1]}'],
    [
      400,
      'application/json',
      '{"query":[{"instancePath":"/tags","keyword":"type","params":{"type":"array"},"message":"must be array"}]}',
      'Request: query: /tags: must be array',
    ],
    [
      400,
      'application/json',
      '{"name":"BadDataError","message":"Validation failed: User id is missing","details":[{"message":"User id is missing"}]}',
      'Validation failed: User id is missing',
    ],
    [
      402,
      'application/json',
      '{"error":{"message":"Your card was declined.","code":"card_declined","type":"card_error"}}',
      'Your card was declined. (card_declined)',
    ],
    [422, 'application/json', '{"errorCode":"14_030","message":"No URL"}', 'No URL (14_030)'],
    [
      400,
      'application/json',
      '{"Details":"Boolean value expected","HttpError":"Bad Request","HttpStatus":400,"Message":"Bad file format","Uri":"/tools"}',
      '400 Bad Request: Bad file format; Boolean value expected',
    ],
    [
      400,
      'application/json',
      '{"Message":"The request is invalid.","ModelState":{"pet.Age":["must be a number"]}}',
      'The request is invalid.; pet.Age: must be a number',
    ],
    [422, 'application/json', '{"Errors":[{"Field":"Name","Message":"is required"}]}', 'Name: is required'],
    [
      409,
      'application/json',
      '{"code":"23505","details":"Key (id)=(7) already exists.","hint":"Take another.","message":"duplicate key"}',
      'duplicate key; Key (id)=(7) already exists.; Take another. (23505)',
    ],
    [
      500,
      'text/html',
      '<html><head><title>502 Bad &amp; Gateway</title></head><body><h1>Sorry</h1><script>x</script></body></html>',
      '502 Bad & Gateway: Sorry',
    ],
    [
      404,
      'text/html',
      '<html><head><title>Error</title></head><body><pre>Cannot GET /pets</pre></body></html>',
      'Not Found: Cannot GET /pets',
    ],
    [
      500,
      'text/html',
      '<title>Error</title><pre>TypeError: no pets<br> &nbsp; &nbsp;at pets.js:1</pre>',
      'Server Error: TypeError: no pets',
    ],
    [
      409,
      'text/html',
      '<title>409 Conflict</title>\n<h1>Conflict</h1>\n<p>The name is taken.</p>',
      '409 Conflict: The name is taken.',
    ],
    [400, 'text/html', '<title>Error</title><p></p>', '400 Bad Request: Error'],
    [
      502,
      'text/html',
      '<title>Bad Gateway</title><h1>Our pets are away</h1><p>Hello</p>',
      '502 Bad Gateway: Bad Gateway: Our pets are away',
    ],
    [
      500,
      'text/html',
      '<title>KeyError at &#x2F;notes</title><h1><b>KeyError</b> at</h1><h2>key not found: &quot;a&#x27;&quot;</h2>',
      'KeyError at /notes: key not found: "a\'"',
    ],
    [
      500,
      'text/html',
      '<title>ValueError at /x</title><h1>ValueError\n at /x</h1><pre class="exception_value">no &#x1F4A5;</pre><h2>Traceback</h2>',
      'ValueError at /x: no \u{1f4a5}',
    ],
    [
      500,
      'text/html',
      '<title>Exception caught</title><h1>\n RuntimeError\n in NotesController#index</h1><div class="message">boom</div>',
      'Exception caught: RuntimeError in NotesController#index: boom',
    ],
    [500, 'text/html', '<title>E at /x</title>&#x110000;', '500 Internal Server Error: E at /x'],
    [500, 'text/plain', 'boom\u001b[31m', 'boom [31m'],
    [500, 'application/json', '{"odd":1}', '{"odd":1}'],
    [500, 'application/json', '{"broken"', '{"broken"'],
    [500, 'image/png', '\u0089\u0000', 'bytes of image/png'],
  ])('%s %s %s', async (status, type, body, useful) => {
    const result = await completed(http(status, type, type === 'image/png' ? Buffer.from([0x89, 0]) : body));
    expect(result.error).toMatchObject({ code: 'upstream_status', status });
    expect(result.error!.message).toMatch(new RegExp(`^GET /pets answered ${status} `));
    expect(result.error!.message).toContain(useful);
    expect(text(result)[0]).toBe(`upstream_status: ${result.error!.message}\n${result.error!.next}`);
    expect(result.structured).toBeUndefined();
  });

  describe('about a list that the service took for a text', () => {
    const listing = operationOf(
      {
        path: '/pets',
        bindings: [
          { in: 'query', name: 'tags', arg: 'tags' },
          { in: 'query', name: 'ids', arg: 'ids', explode: false },
        ],
      },
      {
        input: {
          type: 'object',
          properties: {
            tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
            ids: { type: 'array' },
          },
        },
      },
    );
    const told = async (query: string, message: string, operation = listing) => {
      const raw = {
        ...http(400, 'application/json', JSON.stringify({ message })),
        url: `https://x.example/pets?${query}`,
      };
      return (await completed(raw as RawResult, operation)).error!.next;
    };

    it.each([
      'tags: Invalid input: expected array, received string',
      '/tags must be array',
      'tags must be an array',
    ])('tells how it went out: %s', async (message) =>
      expect(await told('tags=a', message)).toMatch(/ went out as tags=….*`style: deepObject`/),
    );

    it('tells how a joined one went out', async () =>
      expect(await told('ids=1,2', 'ids must be an array')).toMatch(
        / A list went out as ids=…, its items joined as the description has them,.* written ids\[\]=….*`style: deepObject`/,
      ));

    it.each([
      ['several items', 'tags=a&tags=b', 'must be array'],
      ['other words', 'tags=a', 'tags is odd'],
      ['no list in the query', 'x=1', 'must be array'],
    ])('tells nothing of it after %s', async (_what, query, message) => {
      expect(await told(query, message)).toBe(
        'The service refuses the arguments: correct what it names and call again.',
      );
    });
  });

  it('are told without facts where a double would round one of them', async () => {
    const body = '{"title":"No","id":9007199254740993}';
    const { error } = await completed(http(400, 'application/problem+json', body));
    expect(error!.message).toMatch(/ 400 Bad Request: No$/);
    expect(error!.details).toEqual({ body });
  });

  it.each([
    '{"errors":[{"message":"Bad Request"}]}',
    '{"error":{"status":400,"message":"bad request.","details":{}}}',
    '{"data":null,"error":{"status":400,"name":"BadRequestError","message":"Bad Request","details":{}}}',
  ])('of a body that says the status alone, in parts, nothing is told: %s', async (body) => {
    const { error } = await completed(http(400, 'application/json', body));
    expect(error!.message).toBe('GET /pets answered 400 Bad Request.');
  });

  it.each<[number, Record<string, string>, boolean]>([
    [400, { 'sec-websocket-version': '13' }, true],
    [426, { upgrade: 'h2c, WebSocket', connection: 'Upgrade' }, true],
    [426, { upgrade: 'TLS/1.2' }, false],
    [404, { 'sec-websocket-version': '13' }, false],
  ])('%s with %j is told as a WebSocket: %s', async (status, headers, isSocket) => {
    const { error } = await completed(http(status, 'text/plain', 'Bad Request', headers));
    expect(error?.next?.includes('WebSocket')).toBe(isSocket);
  });

  it.each([
    '{"code":400,"message":"Bad"}',
    '{"code":"400","message":"Bad"}',
    '{"code":"Bad","message":"Bad"}',
    '{"code":0,"message":"Bad"}',
  ])('says nothing twice: %s', async (body) => {
    const { error } = await completed(http(400, 'application/json', body));
    expect(error!.message).toBe('GET /pets answered 400 Bad Request: Bad');
  });

  it.each([
    [401, [], /description asks for none here.*`headers` of the source/],
    [403, [{}], /description asks for none here/],
    [401, [{ key: [] }], /the operator configures it/],
    [404, [], /^Nothing is there/],
  ])(
    '%s to a request without a credential, of %j, tells why there was none',
    async (status, security, next) => {
      const raw = { ...http(status, undefined, ''), anonymous: true } as RawResult;
      expect((await completed(raw, operationOf({ path: '/pets', security }))).error!.next).toMatch(next);
    },
  );

  it.each([
    ['{"message":"other features depend on it"}', /^The service forbids this: heed the reason/],
    ['{"message":"Forbidden"}', /^The account may not do this/],
    ['', /^The account may not do this/],
  ])('a 403 that says %s', async (body, next) => {
    expect((await completed(http(403, 'application/json', body))).error!.next).toMatch(next);
  });

  it('a refused sign-in tells its caller first to correct what the service names', async () => {
    const next = async (body: string, headers = {}) => {
      const raw = { ...http(401, 'application/json', body, headers), anonymous: true } as RawResult;
      return (await completed(raw, operationOf({ path: '/login', security: [] }))).error!.next;
    };
    expect(await next('{"message":"incorrect password"}')).toMatch(
      /^Correct what the service names\. No cred/,
    );
    expect(await next('{"message":"Unauthorized"}')).toMatch(/^No credential was sent/);
    const challenge = { 'www-authenticate': 'Bearer' };
    expect(await next('{"message":"Not authenticated"}', challenge)).toMatch(/^No credential was sent/);
    expect(await next('', challenge)).toMatch(/^No credential was sent/);
  });

  it('500 with words may be about the arguments, without any it is not', async () => {
    const next = async (body: string) => (await completed(http(500, 'application/json', body))).error!.next;
    expect(await next('{"message":"invalid duration \\"yesterday\\""}')).toMatch(/names an argument/);
    expect(await next('{"message":"Internal Server Error"}')).toBe('The service failed: call again later.');
  });

  it.each([
    ['/pets/{id}', /check the identifiers/],
    ['/pets', /no such path: the operator compares the base URL of the source/],
  ])('404 at %s tells what may be wrong', async (path, next) => {
    const { error } = await completed(http(404, undefined, ''), operationOf({ path }));
    expect(error!.next).toMatch(next);
  });

  it('404 with a reason, at a path without parameters, speaks of the arguments first', async () => {
    const raw = http(404, 'application/json', '{"detail":"Invalid page."}');
    const { error } = await completed(raw, operationOf({ path: '/pets' }));
    expect(error!.next).toMatch(/^Nothing is there: heed what the service says of it.*no such path/);
  });

  it('415 to a call without a body says what is known of that, in place of what the status says', async () => {
    const advice = { text: 'No body was sent.', next: 'Send one.', details: {} };
    const { error } = await completed({ ...http(415, undefined, ''), advice } as RawResult);
    expect(error).toMatchObject({
      message: expect.stringMatching(/415 Unsupported Media Type\. No body was sent\.$/),
      next: 'Send one.',
    });
  });

  it.each([
    ['read', /^What the service redirects to is not there: if that is a page to sign in at/],
    ['write', /the write may have happened/],
  ] as const)('404 after a redirect of a %s says where it led', async (access, next) => {
    const raw = { ...http(404, undefined, ''), redirectedTo: '/login' } as RawResult;
    const { error } = await completed(raw, operationOf({ path: '/pets' }, { access }));
    expect(error!.message).toBe('GET /pets, redirected to /login, answered 404 Not Found.');
    expect(error!.next).toMatch(next);
  });

  it.each([
    ['user', /^The service refuses the credential of your account: connect/],
    ['organisation', /an admin connects the account again/],
    [undefined, /the operator checks the one configured/],
  ] as const)('401 to the account of %s tells who connects it again', async (accountOwner, next) => {
    const raw = { ...http(401, undefined, ''), accountOwner } as RawResult;
    expect((await completed(raw)).error!.next).toMatch(next);
  });

  it.each([
    [400, '{"message":"No such pet","error":"Bad Request","statusCode":400}', '400 Bad Request: No such pet'],
    [404, '{"title":"not found","detail":"No such pet"}', '404 Not Found: No such pet'],
    [400, '{"error":"Bad Requests","message":"x"}', '400 Bad Request: Bad Requests; x'],
    [
      400,
      '{"statusCode":400,"message":["a is short","b is none"],"error":"Bad Request"}',
      '400 Bad Request: a is short; b is none',
    ],
    [
      400,
      '{"error":"Bad Request","faults":{"a":"is short"}}',
      '400 Bad Request: {"error":"Bad Request","faults":{"a":"is short"}}',
    ],
    [400, '{"error":"Bad Request","path":"/pets","details":[]}', '400 Bad Request.'],
    [400, '{"error":["a is short",{"message":"b is none"}]}', '400 Bad Request: a is short; b is none'],
  ])('nor the status in words before the reason: %s %s', async (status, body, said) => {
    const { error } = await completed(http(status, 'application/json', body));
    expect(error!.message).toBe(`GET /pets answered ${said}`);
  });

  it.each([
    ['application/json', '{"message":"Not Found"}'],
    ['application/json', '{"error":{"message":"Not Found","code":"404","@Common.numericSeverity":4}}'],
    ['application/json', '{"error":"not found."}'],
    ['text/html', '<html><title>404 Not Found</title></html>'],
    ['text/html', '<html><title>404: Not Found</title><h1>Not Found</h1></html>'],
  ])('nor the status: %s %s', async (type, body) => {
    const { error } = await completed(http(404, type, body));
    expect(error!.message).toBe('GET /pets answered 404 Not Found.');
  });

  it('a challenge is the reason where the body gives none', async () => {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token", error_description="It expired"' };
    expect((await completed(http(401, undefined, '', headers))).error!.message).toContain('It expired');
    const said = await completed(http(401, 'application/json', '{"message":"No"}', headers));
    expect(said.error!.message).toBe('GET /pets answered 401 Unauthorized: No');
  });

  it('the methods that are allowed are the reason where the body gives none', async () => {
    const message = async (body: string, allow: string) =>
      (await completed(http(405, 'application/json', body, { allow }))).error!.message;
    expect(await message('', 'GET, HEAD')).toBe(
      'GET /pets answered 405 Method Not Allowed: it allows GET, HEAD here',
    );
    expect(await message('{"message":"Method Not Allowed"}', 'PUT')).toMatch(/: it allows PUT here$/);
    expect(await message('{"message":"Read only"}', 'GET')).toMatch(/: Read only$/);
    expect(await message('', '')).toBe('GET /pets answered 405 Method Not Allowed.');
  });

  it('the body for programs keeps the digits that a double rounds', async () => {
    const body = '{"message":"exists","id":12345678901234567890}';
    const { error } = await completed(http(409, 'application/json', body));
    expect(error!.details).toEqual({ body });
  });

  it.each<[number, Record<string, string>, RegExp]>([
    [401, {}, /credential/],
    [403, {}, /permissions/],
    [404, {}, /no such path/],
    [412, {}, /not as this call needs it/],
    [501, {}, /does not offer this/],
    [429, { 'retry-after': '30' }, /wait 30 s/],
    [429, { 'retry-after': '3.5' }, /^(?!.*The service asks to wait)/],
    [429, { 'retry-after': '-1' }, /^(?!.*The service asks to wait)/],
    [
      503,
      { 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      /wait 10 s/,
    ],
    [304, {}, /not changed/],
    [302, { location: 'https://other.example/' }, /other\.example/],
    [418, {}, /correct the call/],
    [599, {}, /later/],
  ])('%s %j says what to do next', async (status, headers, next) => {
    expect((await completed(http(status, undefined, '', headers))).error!.next).toMatch(next);
  });

  it('a write that may have happened is not to be repeated blindly', async () => {
    const raw = { ...http(502, undefined, ''), unknownOutcome: true } as RawResult;
    expect((await completed(raw)).error!.next).toMatch(/may have happened/);
  });

  it('gives programs the body and the wait', async () => {
    const result = await completed(http(429, 'application/json', '{"code":"slow"}', { 'retry-after': '5' }));
    expect(result.error!.details).toEqual({ body: { code: 'slow' }, retryAfterSeconds: 5 });
  });

  it('a long body is cut in the message and whole in an artifact', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(20_000) });
    const result = await completed(http(500, 'application/json', body));
    expect(result.error!.message.length).toBeLessThan(2100);
    expect(Buffer.from((await stored(link(result).uri))!.bytes).toString()).toBe(body);
  });
});

describe('what is no HTTP answer', () => {
  it('content of a function stays as it is', async () => {
    const content: ContentBlock[] = [
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'text', text: 'x' },
    ];
    expect(await completed({ kind: 'value', content, structured: { a: 1 } })).toEqual({
      kind: 'completed',
      content,
      structured: { a: 1 },
    });
  });

  it.each([
    [{ kind: 'value', structured: { a: 1 } }, '{"a":1}'],
    [{ kind: 'value' }, 'Done.'],
  ] as const)('%j has a text', async (raw, expected) => {
    expect(text(await completed(raw))).toEqual([expected]);
  });

  it('a failed function keeps its words', async () => {
    const content: ContentBlock[] = [{ type: 'text', text: 'No such pet.' }];
    expect(await completed({ kind: 'value', content, failed: true })).toMatchObject({
      content,
      error: { code: 'tool_failed', message: 'No such pet.' },
    });
  });

  it('long texts of a function are cut like others', async () => {
    const result = await completed({ kind: 'value', content: [{ type: 'text', text: 'x'.repeat(2000) }] });
    expect(text(result)[0]).toHaveLength(1000);
    expect(link(result).size).toBe(2000);
  });

  it('many texts are cut as one long one, and kept together', async () => {
    const block = (letter: string, length: number): ContentBlock => ({
      type: 'text',
      text: letter.repeat(length),
    });
    const picture: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    const content = [block('a', 700), block('b', 400), picture, block('c', 500), block('d', 10)];
    const result = await completed({ kind: 'value', content });
    const [first, second, note, ...more] = text(result);
    expect([first, second]).toEqual(['a'.repeat(700), 'b'.repeat(300)]);
    expect(note).toContain('610 of 1610 characters are not shown');
    expect(more).toEqual([]);
    expect(link(result).size).toBe(1610 + 3 * 2);
    expect(result).toMatchObject({ content: expect.arrayContaining([picture]) });
  });

  it('a question goes on to the client', async () => {
    const raw: RawResult = { kind: 'input_required', requests: { a: { method: 'roots/list' } } };
    expect(await normalizeResult(raw, plain, LIMITS)).toBe(raw);
  });

  it.each<[string | Uint8Array, object]>([
    ['{"a":1}', { body: '{"a":1}' }],
    [Buffer.from('ä'), { body: 'ä' }],
    [Buffer.from([0, 255]), { body: '(2 bytes that are no text)', bodyBase64: 'AP8=' }],
  ])('a dry run shows the request: %j', async (body, shown) => {
    const request = { method: 'PUT', url: 'https://h.example/x', headers: [['a', 'b']] as const, body };
    const result = await completed({ kind: 'request', request }, typed);
    expect(result).toMatchObject({
      structured: { request: { method: 'PUT', url: 'https://h.example/x', headers: [['a', 'b']], ...shown } },
      outputApplies: false,
    });
    expect(text(result)[0]).toContain('nothing was sent:\nPUT https://h.example/x\na: b\n\n');
  });
});
