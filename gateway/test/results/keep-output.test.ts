import { describe, expect, it } from 'vitest';
import type { ArtifactDescription, ArtifactStore } from '../../src/artifacts/index.ts';
import type { RawResult } from '../../src/executors/executor.ts';
import type { CompletedResult } from '../../src/operations/index.ts';
import { type KeepRule, normalizeResult } from '../../src/results/index.ts';
import { plainOperation } from '../catalog/compiled-source.ts';

const operation = plainOperation('getPet', 'pets');
const http = (body: string, contentType: string, status = 200): RawResult => ({
  kind: 'http',
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
  url: 'https://api.test/pets/1',
  attempts: 1,
});

async function normalised(raw: RawResult, keep?: KeepRule, limit = 100) {
  const put: Array<ArtifactDescription & { readonly text: string }> = [];
  const store: Pick<ArtifactStore, 'put'> = {
    async put(bytes, description) {
      put.push({ ...description, text: Buffer.from(bytes).toString() });
      return { uri: `toolcrib://artifacts/${put.length}`, size: bytes.length, ...description } as never;
    },
  };
  const result = (await normalizeResult(
    raw,
    operation,
    { maxTextLength: limit },
    store,
    keep,
  )) as CompletedResult;
  return { put, result };
}

describe('which outputs are kept', () => {
  it.each<[string, RawResult, KeepRule | undefined, readonly string[]]>([
    ['what fits is not', http('{"a":1}', 'application/json'), undefined, []],
    ['what is cut is, once', http('x'.repeat(200), 'text/plain'), { always: true }, ['x'.repeat(200)]],
    ['what is binary is', http('\u0000\u0001', 'application/zip'), undefined, ['\u0000\u0001']],
    ['everything is, if asked for', http('{"a":1}', 'application/json'), { always: true }, ['{"a":1}']],
    [
      'what is larger than asked for',
      http('12345678', 'text/plain'),
      { always: false, aboveBytes: 7 },
      ['12345678'],
    ],
    ['what is no larger is not', http('1234567', 'text/plain'), { always: false, aboveBytes: 7 }, []],
    ['an empty answer is not', http('', 'text/plain', 204), { always: true }, []],
    ['a failure is not', http('{"error":1}', 'application/json', 404), { always: true }, []],
    ['a value is, as JSON', { kind: 'value', structured: { a: 1 } }, { always: true }, ['{"a":1}']],
    [
      'a value that its text repeats is, once',
      { kind: 'value', structured: { a: 1, b: 2 }, content: [{ type: 'text', text: '{ "b": 2, "a": 1 }' }] },
      { always: true },
      ['{"a":1,"b":2}'],
    ],
    [
      'a value is, with the text that says something else',
      { kind: 'value', structured: { a: 1 }, content: [{ type: 'text', text: 'One was found.' }] },
      { always: true },
      ['{"content":[{"type":"text","text":"One was found."}],"structuredContent":{"a":1}}'],
    ],
    [
      'a text is, as text',
      { kind: 'value', content: [{ type: 'text', text: 'hello' }] },
      { always: true },
      ['hello'],
    ],
    [
      'an image is, as bytes',
      { kind: 'value', content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }] },
      { always: true },
      ['hello'],
    ],
    ['a failed value is not', { kind: 'value', failed: true, structured: {} }, { always: true }, []],
  ])('%s', async (_name, raw, keep, expected) => {
    const { put, result } = await normalised(raw, keep);
    expect(put.map(({ text }) => text)).toEqual(expected);
    expect(result.artifacts ?? []).toEqual(expected.map((_, index) => `toolcrib://artifacts/${index + 1}`));
  });

  it('keeps the type that the service gave', async () => {
    const { put } = await normalised(http('{"a":1}', 'application/json; charset=utf-8'), { always: true });
    expect(put[0]).toMatchObject({ mimeType: 'application/json', name: expect.stringMatching(/\.json$/) });
  });

  it('a store that cannot write costs the artifact, not the result', async () => {
    const store: Pick<ArtifactStore, 'put'> = { put: () => Promise.reject(new Error('disk is full')) };
    const result = (await normalizeResult(
      http('{"a":1}', 'application/json'),
      operation,
      { maxTextLength: 100 },
      store,
      {
        always: true,
      },
    )) as CompletedResult;
    expect(result).toMatchObject({
      structured: { a: 1 },
      warnings: [expect.stringContaining('disk is full')],
    });
    expect(result).not.toHaveProperty('artifacts');
  });

  it.each([
    ['cut', 'x'.repeat(200), 'text/plain'],
    ['cut and partly unreadable', `${'x'.repeat(200)}\xff`, 'text/plain; charset=utf-8'],
    ['a file', '%PDF-1.7', 'application/pdf'],
  ])('what cannot be stored is tried once and said once: %s', async (_, body, type) => {
    let attempts = 0;
    const put = () => {
      attempts++;
      return Promise.reject(new Error('disk is full'));
    };
    const raw = { ...http('', type), body: Buffer.from(body, 'latin1') };
    const result = (await normalizeResult(
      raw,
      operation,
      { maxTextLength: 100 },
      { put },
      {
        always: true,
      },
    )) as CompletedResult;
    expect(attempts).toBe(1);
    expect(result.warnings?.join(' ').match(/could not be stored/g)).toHaveLength(1);
  });
});
