import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArtifactStore, createArtifactStore } from '../../../src/artifacts/index.ts';
import {
  type CompletedResult,
  type Json,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type StoredQuery,
  UNTRUSTED_META,
} from '../../../src/operations/index.ts';
import { readingOn } from '../../../src/results/shaping/answer-store.ts';
import { createShaping, type ShapingOptions } from '../../../src/results/shaping/index.ts';
import {
  encodeStoredAnswer,
  STORED_ANSWER_TYPE,
  type StoredAnswer,
} from '../../../src/results/shaping/stored-answer.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';
import fc from '../../properties.ts';

let directory: string;
let artifacts: ArtifactStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-stored-'));
  artifacts = createArtifactStore(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const engine = createPatternEngine();
const ROWS: Json[] = Array.from({ length: 1000 }, (_, id) => ({
  id,
  status: id % 10 === 0 ? 'error' : 'up',
  at: { rack: id % 3 },
}));

async function stored(answer: Partial<StoredAnswer> = {}): Promise<string> {
  const bytes = encodeStoredAnswer({
    operation: 'ceph/list',
    source: 'ceph',
    structured: { data: ROWS },
    ...answer,
  });
  return (await artifacts.put(bytes, { mimeType: STORED_ANSWER_TYPE, name: 'list.json' })).id;
}

function query(asked: StoredQuery, options: Partial<ShapingOptions> = {}): Promise<CompletedResult> {
  const shaping = createShaping({
    patterns: (pattern) => engine.compile(pattern),
    artifacts: () => artifacts,
    untrusted: () => undefined,
    ...options,
  });
  return shaping.query({ principal: LOCAL_PRINCIPAL }, asked);
}

const outputOf = ({ structured }: CompletedResult) => structured as JsonObject & { data: JsonObject[] };

describe('rows of a stored answer', () => {
  it('are filtered, projected and limited over the whole of it', async () => {
    const responseId = await stored();
    const result = await query({
      responseId,
      filters: { status: 'error', 'at.rack': 0 },
      fields: ['id'],
      limit: 3,
    });
    expect(outputOf(result)).toMatchObject({
      data: [{ id: 0 }, { id: 30 }, { id: 60 }],
      total_count: 34,
      returned_count: 3,
      response_id: responseId,
      next_cursor: expect.any(String),
    });
    expect(result.artifacts).toEqual([`toolcrib://artifacts/${responseId}`]);
  });

  it('are a hundred where nobody names a limit, and a thousand at most', async () => {
    const responseId = await stored();
    expect(outputOf(await query({ responseId }))).toMatchObject({ returned_count: 100, total_count: 1000 });
    expect(outputOf(await query({ responseId, fields: ['id'], limit: 5000 }))['returned_count']).toBe(1000);
  });

  it('are walked by cursors, every one exactly once', async () => {
    const responseId = await stored();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 60, max: 1000 }),
        fc.constantFrom<JsonObject | undefined>(
          undefined,
          { status: 'error' },
          { id: '>500' },
          { status: 'none' },
        ),
        async (limit, filters) => {
          const asked = { responseId, limit, fields: ['id'], ...(filters === undefined ? {} : { filters }) };
          const seen: Json[] = [];
          for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
            const output = outputOf(await query(cursor === undefined ? asked : { ...asked, cursor }));
            seen.push(...output.data.map(({ id }) => id!));
            cursor = output['next_cursor'] as string | undefined;
          }
          const whole = outputOf(await query({ ...asked, limit: 1000 })).data.map(({ id }) => id!);
          expect(seen).toEqual(whole);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('stay labelled as what strangers wrote, and their reader is marked', async () => {
    const told: string[] = [];
    const untrusted = { untrusted: true, source: 'ceph', origin: 'https://ceph.example' };
    const result = await query(
      { responseId: await stored({ untrusted }) },
      { delivered: async (source) => void told.push(source) },
    );
    expect(result.meta).toEqual({ [UNTRUSTED_META]: untrusted });
    expect(told).toEqual(['ceph']);
  });

  it('can be of any JSON that was kept, which is cleaned and counts as untrusted', async () => {
    const { id } = await artifacts.put(Buffer.from('[{"a":"x\\u200b\\u202ey"}]'), {
      mimeType: 'application/json',
      name: 'a',
    });
    const result = await query({ responseId: id });
    expect(outputOf(result).data).toEqual([{ a: 'xy' }]);
    expect(result.meta).toEqual({ [UNTRUSTED_META]: { untrusted: true } });
  });

  it.each([
    ['logs/list', 'logs'],
    [undefined, ''],
  ])('of %s that were kept as they came mark their reader by it', async (operation, source) => {
    const told: string[] = [];
    const description = { mimeType: 'application/json', name: 'a', ...(operation && { operation }) };
    const { id } = await artifacts.put(Buffer.from(`[{"a":"${source}"}]`), description);
    await query({ responseId: id }, { delivered: async (of) => void told.push(of) });
    expect(told).toEqual([source]);
  });

  it('say that the service has more behind them', async () => {
    const output = outputOf(await query({ responseId: await stored({ next: { page: 2 } }) }));
    expect(output['notes']).toContainEqual(expect.stringContaining('rows behind this answer'));
  });

  it('can be parts of an answer that is no list', async () => {
    const responseId = await stored({ structured: { id: 1, config: { log: 'x'.repeat(90_000), level: 3 } } });
    expect(outputOf(await query({ responseId, fields: ['config.level'] }))).toEqual({ config: { level: 3 } });
    expect(outputOf(await query({ responseId }))).toMatchObject({ truncated: true });
  });
});

describe('a text that was stored as it came', () => {
  const text = Array.from({ length: 9000 }, (_, line) => `line ${line}\u0007`).join('\n');

  it('is read by its lines, cleaned and as untrusted', async () => {
    const { id } = await artifacts.put(Buffer.from(text), { mimeType: 'text/plain', name: 'log.txt' });
    const first = await query({ responseId: id });
    expect(outputOf(first)).toMatchObject({ total_count: 9000, returned_count: 100 });
    expect(outputOf(first).data.slice(0, 2)).toEqual(['line 0', 'line 1']);
    expect(first.meta?.[UNTRUSTED_META]).toMatchObject({ untrusted: true });
    const { next_cursor: cursor } = outputOf(first) as unknown as { next_cursor: string };
    expect(outputOf(await query({ responseId: id, cursor })).data[0]).toBe('line 100');
    expect(outputOf(await query({ responseId: id, filters: { _text: 'line 8999' } })).data).toEqual([
      'line 8999',
    ]);
  });
});

describe('readingOn', () => {
  const cut = (mimeType: string, uri: string) =>
    readingOn({
      kind: 'completed',
      content: [
        { type: 'text', text: 'row 0' },
        { type: 'resource_link', name: 'a', uri, mimeType },
      ],
    });

  it('names the response_id of a text that was kept whole, and of nothing else', () => {
    expect(cut('text/csv', 'toolcrib://artifacts/abc').join()).toContain('response_id abc');
    expect(cut('application/pdf', 'toolcrib://artifacts/abc')).toEqual([]);
    expect(cut('text/plain', 'https://elsewhere.example/abc')).toEqual([]);
  });
});

describe('what cannot be asked', () => {
  it.each(['', 'nothing', '0'.repeat(32), '../../etc/passwd'])(
    'an answer that is not there: %j',
    async (responseId) => {
      await expect(query({ responseId })).rejects.toMatchObject({ code: 'response_unknown' });
    },
  );

  it('bytes that hold no rows', async () => {
    const { id } = await artifacts.put(Buffer.from('%PDF'), { mimeType: 'application/pdf', name: 'a.pdf' });
    await expect(query({ responseId: id })).rejects.toMatchObject({ code: 'response_unknown' });
    const broken = await artifacts.put(Buffer.from('{'), { mimeType: STORED_ANSWER_TYPE, name: 'a' });
    await expect(query({ responseId: broken.id })).rejects.toMatchObject({ code: 'response_unknown' });
  });

  it.each(['{"version":2,"structured":[1]}', '{"version":1}', '{"structured":[1]}', '[1]', 'null'])(
    'an answer that another version stored, such as %s',
    async (text) => {
      const { id } = await artifacts.put(Buffer.from(text), { mimeType: STORED_ANSWER_TYPE, name: 'a' });
      await expect(query({ responseId: id })).rejects.toMatchObject({ code: 'response_unknown' });
    },
  );

  it('a cursor of another answer or another question', async () => {
    const responseId = await stored();
    const other = await stored({ structured: [...ROWS, { id: 1000 }] });
    const { next_cursor: cursor } = outputOf(await query({ responseId })) as unknown as {
      next_cursor: string;
    };
    const invalid = { code: 'cursor_invalid' };
    await expect(query({ responseId: other, cursor })).rejects.toMatchObject(invalid);
    await expect(query({ responseId, cursor, filters: { status: 'up' } })).rejects.toMatchObject(invalid);
    await expect(query({ responseId, cursor: 'x' })).rejects.toMatchObject(invalid);
    expect(outputOf(await query({ responseId, cursor })).data[0]).toMatchObject({ id: 100 });
  });

  it('a bad filter', async () => {
    await expect(query({ responseId: await stored(), filters: { stat: 'x' } })).rejects.toMatchObject({
      code: 'filter_invalid',
      message: expect.stringContaining('Rows have "at", "id", "status"'),
    });
  });
});
