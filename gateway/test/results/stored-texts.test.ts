import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArtifactStore, artifactIdOf, createArtifactStore } from '../../src/artifacts/index.ts';
import { readArtifact } from '../../src/assembly/read-artifact.ts';
import type { CompletedResult, JsonObject } from '../../src/operations/index.ts';
import { normalizeResult } from '../../src/results/index.ts';
import { answerValue } from '../../src/results/shaping/answer-value.ts';
import { decodeStoredAnswer } from '../../src/results/shaping/stored-answer.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';

let folder: string;
let artifacts: ArtifactStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-stored-texts-'));
  artifacts = createArtifactStore(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const operation = operationOf({ path: '/pets' });

/** Every answer is kept whole: the URI of this one. */
async function kept(contentType: string, body: Uint8Array, status = 200): Promise<string> {
  const raw = {
    kind: 'http' as const,
    status,
    headers: { 'content-type': contentType },
    body,
    url: 'https://api.test/',
  };
  const answer = { ...raw, attempts: 1 };
  const result = await normalizeResult(answer, operation, { maxTextLength: 20 }, artifacts, { always: true });
  const { artifacts: uris, content } = result as CompletedResult;
  const linked = content.find((block) => block.type === 'resource_link');
  return uris?.[0] ?? (linked as { uri: string }).uri;
}

const read = async (uri: string) => (await readArtifact(uri, artifacts)).contents as unknown as JsonObject;
const stored = async (uri: string) => (await artifacts.get(artifactIdOf(uri)!))!;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const LINES = 'name;Müller\n'.repeat(20);
const JSON_TEXT = `{"name":"${'Müller '.repeat(10)}"}`;
const XML = `<?xml version="1.0" encoding="ISO-8859-1"?><name>${'Müller '.repeat(10)}</name>`;
const PROBLEM = `{"message":"${'Müller '.repeat(2000)}"}`;

describe.each<[string, string, Uint8Array, string, number?]>([
  ['short in Latin-1', 'text/csv; charset=iso-8859-1', Buffer.from('Müller', 'latin1'), 'Müller'],
  ['cut in Latin-1', 'text/csv; charset=iso-8859-1', Buffer.from(LINES, 'latin1'), LINES],
  ['in UTF-16', 'text/plain; charset=utf-16le', utf16(LINES), LINES],
  ['with a mark of UTF-16', 'text/plain', utf16(`\ufeff${LINES}`), LINES],
  ['with a mark of UTF-8', 'text/plain', Buffer.from(`\ufeff${LINES}`), LINES],
  ['that declares its charset', 'application/xml', Buffer.from(XML, 'latin1'), XML],
  ['of JSON in Latin-1', 'application/json; charset=latin1', Buffer.from(JSON_TEXT, 'latin1'), JSON_TEXT],
  ['of no JSON', 'application/json; charset=latin1', Buffer.from(`${LINES}}`, 'latin1'), `${LINES}}`],
  ['of a failure', 'application/json; charset=latin1', Buffer.from(PROBLEM, 'latin1'), PROBLEM, 400],
])('a stored text %s', (_, type, body, text, status) => {
  it('is read as it was meant', async () => {
    const uri = await kept(type, body, status);
    expect(await read(uri)).toMatchObject({ text });
    const { structured } = decodeStoredAnswer(await stored(uri)) ?? {};
    if (structured !== undefined) expect([text, JSON.stringify(text)]).toContain(textOf(structured));
  });
});

/** JSON text of a value, or the text that it is. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

describe('a stored answer that is no text', () => {
  it.each([
    ['text/plain', Buffer.from('M\xfcller', 'latin1')],
    ['application/vnd.acme', Buffer.from([1, 0xff, 0xfe, 0])],
    ['multipart/mixed; boundary=x', Buffer.from([0x2d, 0xff, 0])],
  ])('of type %s is read as its bytes', async (type, body) => {
    const { blob } = await read(await kept(type, body));
    expect(Buffer.from(blob as string, 'base64').equals(body)).toBe(true);
  });
});

describe('a stored answer of more than a message holds', () => {
  const MOST = 32 * 1024 * 1024;

  it('is not taken into memory, and the failure says how it is got', async () => {
    const { uri } = await artifacts.put(new Uint8Array(MOST + 1), { mimeType: 'video/mp4', name: 'x.mp4' });
    const unread = { ...artifacts, get: () => expect.fail('all of it was read') };
    await expect(readArtifact(uri, unread)).rejects.toMatchObject({
      code: 'artifact_too_large',
      message: expect.stringContaining(`has ${MOST + 1} bytes`),
      next: expect.stringContaining('toolcrib artifacts get'),
      details: { uri, size: MOST + 1 },
    });
  });

  it('is read up to there', async () => {
    const { uri } = await artifacts.put(new Uint8Array(MOST), { mimeType: 'video/mp4', name: 'x.mp4' });
    const { blob } = await read(uri);
    expect(blob).toHaveLength(Math.ceil(MOST / 3) * 4);
  });
});

describe('rows of JSON that was stored as it came', () => {
  it('keep the digits of numbers that no double holds', async () => {
    const uri = await kept('application/json', Buffer.from('{"rows":[{"id":9007199254740993,"n":0.5}]}'));
    expect(decodeStoredAnswer(await stored(uri))?.structured).toEqual({
      rows: [{ id: '9007199254740993', n: 0.5 }],
    });
  });

  it.each([500, 50_000])('that is nested too deeply to be worked with are none: %d', async (levels) => {
    const text = `{"id":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const uri = await kept('application/json', Buffer.from(text));
    const { mimeType, bytes } = await stored(uri);
    expect(decodeStoredAnswer({ mimeType: 'application/json', bytes })).toBeUndefined();
    expect(mimeType).toBe('text/plain');
    const result = { kind: 'completed' as const, content: [{ type: 'text' as const, text }] };
    expect(await answerValue(result, operation, async () => undefined, true)).toBeUndefined();
  });
});
