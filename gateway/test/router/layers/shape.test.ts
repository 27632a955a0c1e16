import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArtifactStore, createArtifactStore } from '../../../src/artifacts/index.ts';
import { ToolcribError } from '../../../src/errors.ts';
import type { RawResult } from '../../../src/executors/executor.ts';
import {
  type Call,
  type CompletedResult,
  HEADERS_META,
  type Json,
  type JsonObject,
  LOCAL_PRINCIPAL,
  NEXT_PAGE_META,
  type Operation,
  type Principal,
  type ShapingRequest,
  UNTRUSTED_META,
} from '../../../src/operations/index.ts';
import { normalizeResult } from '../../../src/results/index.ts';
import {
  createShaping,
  findRows,
  type Shaping,
  type ShapingOptions,
} from '../../../src/results/shaping/index.ts';
import { compose, type Next } from '../../../src/router/compose.ts';
import { shapeLayer } from '../../../src/router/layers/shape.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';
import { callOf } from '../taint-cases.ts';

let directory: string;
let artifacts: Map<string, ArtifactStore>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-shape-'));
  artifacts = new Map();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const engine = createPatternEngine();

/** Each principal has a store of its own here, as `ownedArtifacts` makes one of the common store. */
function storeOf({ id }: Principal): ArtifactStore {
  if (!artifacts.has(id)) artifacts.set(id, createArtifactStore(join(directory, id)));
  return artifacts.get(id)!;
}

function shapingWith(options: Partial<ShapingOptions> = {}): Shaping {
  return createShaping({
    patterns: (pattern) => engine.compile(pattern),
    artifacts: storeOf,
    untrusted: () => undefined,
    ...options,
  });
}

const disks = (count: number, from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, index) => {
    const id = from + index;
    return { id, name: `osd.${id}`, status: id % 10 === 0 ? 'error' : 'up', at: { rack: id % 3 } };
  });

function operationWith(properties: JsonObject, more: Partial<Operation> = {}): Operation {
  return {
    ...callOf('ceph', 'read').operation,
    id: 'listDisks',
    input: { type: 'object', properties },
    invocation: {
      kind: 'http',
      method: 'GET',
      path: '/disks',
      bindings: Object.keys(properties).map((arg) => ({ in: 'query', name: arg, arg })),
    } as unknown as Operation['invocation'],
    ...more,
  };
}

/** Rows as they may be. */
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const answered = (structured: Json, more: Partial<CompletedResult> = {}): CompletedResult => ({
  kind: 'completed',
  content: [{ type: 'text', text: JSON.stringify(structured) }],
  structured,
  status: 200,
  ...more,
});

interface Bench {
  ask(request?: ShapingRequest, more?: Partial<Call>): Promise<CompletedResult>;
  readonly calls: JsonObject[];
}

function bench(
  operation: Operation,
  serve: (args: JsonObject, call: Call) => CompletedResult | Promise<CompletedResult>,
  options: Partial<ShapingOptions> = {},
): Bench {
  const calls: JsonObject[] = [];
  const core: Next = async (call) => {
    calls.push(call.arguments);
    return await serve(call.arguments, call);
  };
  const onion = compose([shapeLayer(shapingWith(options).call)], core);
  return {
    calls,
    ask: async (request = {}, more = {}) => {
      const call = callOf('ceph', operation.access as 'read', {
        operation,
        shaped: { request, defaultLimit: 10 },
        ...more,
      });
      return (await onion(call)) as CompletedResult;
    },
  };
}

/** Rows of a shaped answer, or of one that stayed as the service gave it. */
const rowsOf = ({ structured }: CompletedResult) => (findRows(structured!)?.rows ?? []) as JsonObject[];
const cursorOf = ({ structured }: CompletedResult): string | undefined => {
  const { returned_count: shaped, next_cursor: cursor } = structured as JsonObject;
  return shaped === undefined ? undefined : (cursor as string | undefined);
};

/** Ids of every row, page after page. */
async function walk(ask: Bench['ask'], request: ShapingRequest = {}): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 500; page++) {
    const result = await ask(cursor === undefined ? request : { ...request, cursor });
    expect(result.error).toBeUndefined();
    seen.push(...rowsOf(result).map(({ id }) => id));
    cursor = cursorOf(result);
    if (cursor === undefined) return seen;
  }
  throw new Error('the walk does not end');
}

const integer = { type: 'integer' };
const text = { type: 'string' };
const TOTAL = 137;
const ALL = Array.from({ length: TOTAL }, (_, id) => id);

/** An operation with an argument that goes into a header. */
const withHeaderArgument = (name: string): Operation => {
  const operation = operationWith({ [name]: text, limit: integer });
  const bindings = [
    { in: 'header', name, arg: name },
    { in: 'query', name: 'limit', arg: 'limit' },
  ];
  return {
    ...operation,
    invocation: { ...operation.invocation, bindings } as unknown as Operation['invocation'],
  };
};

/** Rows from a place on, and a header that says where the next begin. */
async function headed(
  operation: Operation,
  from: number,
  count: number,
  header: (to: number) => Record<string, string>,
): Promise<CompletedResult> {
  const to = Math.min(TOTAL, from + count);
  const raw: RawResult = {
    kind: 'http',
    status: 200,
    headers: { 'content-type': 'application/json', ...(to < TOTAL ? header(to) : {}) },
    body: Buffer.from(JSON.stringify(disks(Math.max(0, to - from), from))),
    url: 'https://x.example/disks',
    attempts: 1,
  };
  return (await normalizeResult(raw, operation, { maxTextLength: 100_000 })) as CompletedResult;
}

/** Services that page in one way each, over the same 137 disks. */
const SERVICES: [string, Operation, (args: JsonObject) => CompletedResult][] = [
  ['everything at once', operationWith({}), () => answered(disks(TOTAL))],
  [
    'pages',
    operationWith({ page: integer, per_page: { type: 'integer', maximum: 100 } }),
    ({ page = 1, per_page: size = 30 }) => {
      const from = (Number(page) - 1) * Number(size);
      return answered(disks(Math.max(0, Math.min(Number(size), TOTAL - from)), from));
    },
  ],
  [
    'offsets with a total',
    operationWith({ offset: integer, limit: integer }),
    ({ offset = 0, limit = 20 }) => {
      const count = Math.max(0, Math.min(Number(limit), TOTAL - Number(offset)));
      return answered({ data: disks(count, Number(offset)), total: TOTAL });
    },
  ],
  [
    'a cursor',
    operationWith({ cursor: text, limit: integer }),
    ({ cursor = 'c0', limit = 20 }) => {
      const from = Number(String(cursor).slice(1));
      const to = Math.min(TOTAL, from + Number(limit));
      return answered({ items: disks(to - from, from), next_cursor: to < TOTAL ? `c${to}` : null });
    },
  ],
  [
    'a Link header',
    operationWith({ since: integer }),
    ({ since = 0 }) => {
      const to = Math.min(TOTAL, Number(since) + 40);
      const meta = to < TOTAL ? { meta: { [NEXT_PAGE_META]: { since: to } } } : {};
      return answered({ result: disks(to - Number(since), Number(since)) }, meta);
    },
  ],
  [
    'links that have a parameter of their own',
    operationWith({}),
    ({ $skiptoken: from = '0' }) => {
      const to = Math.min(TOTAL, Number(from) + 40);
      const more = to < TOTAL ? { nextLink: `https://x.example/disks?api-version=2&$skiptoken=${to}` } : {};
      return answered({ value: disks(to - Number(from), Number(from)), ...more });
    },
  ],
  [
    'one object of limit and after',
    operationWith({ pagination: { type: 'object', properties: { limit: integer, after: integer } } }),
    ({ pagination }) => {
      const { limit = TOTAL, after = 0 } = (pagination ?? {}) as JsonObject;
      const count = Math.max(0, Math.min(Number(limit), TOTAL - Number(after)));
      return answered({ result: { data: disks(count, Number(after)), total: TOTAL, after, limit } });
    },
  ],
];

type Serve = (args: JsonObject, call: Call) => CompletedResult | Promise<CompletedResult>;

/** Services whose body says nothing of pages. */
const BY_HEADERS: [string, Operation, Serve][] = [
  [
    'a cursor that goes forth and back in a header',
    withHeaderArgument('X-Cursor'),
    ({ 'X-Cursor': cursor = 'c0', limit = 20 }, { operation }) =>
      headed(operation, Number(String(cursor).slice(1)), Number(limit), (to) => ({ 'x-cursor': `c${to}` })),
  ],
  [
    'the next page in a header',
    operationWith({ page: integer, per_page: { type: 'integer', maximum: 40 } }),
    ({ page = 1, per_page: size = 30 }, { operation }) =>
      headed(operation, (Number(page) - 1) * Number(size), Number(size), () => ({
        'x-next-page': String(Number(page) + 1),
      })),
  ],
  [
    'a continuation in a header',
    operationWith({ continuationToken: text }),
    ({ continuationToken: from = '0' }, { operation }) =>
      headed(operation, Number(from), 40, (to) => ({ 'x-ms-continuationtoken': String(to) })),
  ],
  [
    'a page that is a text, in a header',
    operationWith({ page: text, limit: integer }),
    ({ page = 'p0', limit = 20 }, { operation }) =>
      headed(operation, Number(String(page).slice(1)), Number(limit), (to) => ({
        'opc-next-page': `p${to}`,
      })),
  ],
  [
    'the address of the next page in a header of its own',
    operationWith({ since: integer }),
    ({ since = 0 }, { operation }) =>
      headed(operation, Number(since), 40, (to) => ({ 'x-next': `https://x.example/disks?since=${to}` })),
  ],
];

describe.each([...SERVICES, ...BY_HEADERS])('a service with %s', (_style, operation, serve) => {
  it('is walked by cursors: every row exactly once', async () => {
    expect(await walk(bench(operation, serve).ask)).toEqual(ALL);
  });

  it.each<ShapingRequest>([
    { limit: 7 },
    { limit: 1000 },
    { fields: ['id'] },
    { pages: 3 },
    { pages: 20, limit: 13 },
  ])('and so with %j', async (request) => {
    expect(await walk(bench(operation, serve).ask, request)).toEqual(ALL);
  });

  it('and every row that a filter keeps', async () => {
    const found = await walk(bench(operation, serve).ask, { filters: { status: 'error' }, limit: 4 });
    expect(found).toEqual(ALL.filter((id) => id % 10 === 0));
  });

  it('and where nothing can be stored', async () => {
    const full = { put: async () => Promise.reject(new Error('disk full')), get: async () => undefined };
    const { ask } = bench(operation, serve, { artifacts: () => full });
    expect(await walk(ask, { limit: 9 })).toEqual(ALL);
  });
});

describe('limits on the wire', () => {
  const paged = SERVICES[2]!;

  it('are the default where the caller names none, and the answer says so', async () => {
    const { ask, calls } = bench(paged[1], paged[2]);
    const result = await ask();
    expect(calls).toEqual([{ limit: 10 }]);
    expect(result.structured).toMatchObject({ returned_count: 10, envelope: { total: 137 } });
    expect((result.structured as JsonObject)['notes']).toContain(
      'Limit in force: 10 rows a page; _limit asks for others.',
    );
  });

  it('are told beside an answer that stays as it is, where it has as many rows', async () => {
    const limited = operationWith({ limit: integer });
    const serve = ({ limit = TOTAL }: JsonObject) => answered({ result: disks(Math.min(7, Number(limit))) });
    const said = { type: 'text', text: 'Note: Limit in force: 5 rows a page; _limit asks for others.' };
    const five = await bench(limited, serve).ask({}, { shaped: { request: {}, defaultLimit: 5 } });
    expect(five.structured).toEqual({ result: disks(5) });
    expect(five.content).toContainEqual(said);
    const all = await bench(limited, serve).ask({}, { shaped: { request: {}, defaultLimit: 10 } });
    expect(all.content).toHaveLength(1);
  });

  it('are what the caller asks for, and wider where a filter needs rows to look at', async () => {
    const { ask, calls } = bench(paged[1], paged[2]);
    await ask({ limit: 3 });
    await ask({ filters: { status: 'error' } });
    await ask({}, { arguments: { limit: 4 } });
    await ask({ off: true });
    expect(calls).toEqual([{ limit: 3 }, { limit: 100 }, { limit: 4 }, {}]);
  });

  it('are left out where the service then gives all there is to filter', async () => {
    const [, operation, serve] = SERVICES.at(-1)!;
    const { ask, calls } = bench(operation, serve);
    const result = await ask({ filters: { status: 'error' } });
    expect(calls).toEqual([{}]);
    expect(result.structured).toMatchObject({ total_count: 14 });
  });

  it('are a thousand rows and a hundred fields at most', async () => {
    const { ask, calls } = bench(paged[1], paged[2]);
    await ask({ limit: 99_999 });
    expect(calls).toEqual([{ limit: 1000 }]);
    const fields = Array.from({ length: 101 }, (_, index) => `f${index}`);
    await expect(ask({ fields })).rejects.toMatchObject({ code: 'arguments_invalid' });
  });

  it('are never added to what writes', async () => {
    const { ask, calls } = bench({ ...paged[1], access: 'write' }, paged[2]);
    const result = await ask({ pages: 5, filters: { nothing: 1 } });
    expect(calls).toEqual([{}]);
    expect(result.structured).toMatchObject({
      data: [],
      notes: [expect.stringContaining('No row has a field')],
    });
  });
});

describe('several pages at once', () => {
  it('say by their headers what the last of them says', async () => {
    const paged = operationWith({ page: integer }, { answerHeaders: ['X-Page-Age'] });
    const byHeader: Serve = ({ page = 1 }) =>
      headed(paged, (Number(page) - 1) * 40, 40, () => ({
        'x-next-page': String(Number(page) + 1),
        'x-page-age': `${page} days`,
      }));
    const result = await bench(paged, byHeader).ask({ pages: 2 });
    expect(result.meta).toEqual({
      [NEXT_PAGE_META]: { page: 3 },
      [HEADERS_META]: { 'X-Page-Age': '2 days' },
    });
    expect((result.structured as JsonObject)['notes']).toContain(
      'Headers of the answer:\nX-Page-Age: 2 days',
    );
  });

  const [, operation, serve] = SERVICES[2]!;

  it('are read one after the other, with progress, and no more than asked for', async () => {
    const said: unknown[] = [];
    const { ask, calls } = bench(operation, serve);
    const channel = { progress: async (...now: unknown[]) => void said.push(now) };
    const result = await ask({ pages: 3 }, { channel });
    expect(calls).toEqual([{ limit: 10 }, { limit: 10, offset: 10 }, { limit: 10, offset: 20 }]);
    expect(result.structured).toMatchObject({ total_count: 30, returned_count: 30 });
    expect(said).toEqual([
      [1, 3, '10 rows read'],
      [2, 3, '20 rows read'],
    ]);
  });

  it('end with the rows that were read where a page fails', async () => {
    const { ask } = bench(operation, (args) => {
      if (args['offset'] === 20) throw new ToolcribError('upstream_failed', 'm');
      return serve(args);
    });
    const result = await ask({ pages: 5 });
    expect(result.structured).toMatchObject({ total_count: 20, next_cursor: expect.any(String) });
    expect((result.structured as JsonObject)['notes']).toContain(
      '2 of 5 pages were read: the next failed (upstream_failed).',
    );
  });

  it('end where the service gives the same page again', async () => {
    const { ask, calls } = bench(operationWith({ cursor: text }), ({ cursor }) =>
      answered({ data: disks(10), next_cursor: cursor === 'a' ? 'b' : 'a' }),
    );
    const result = await ask({ pages: 20 });
    expect(calls).toHaveLength(3);
    expect(cursorOf(result)).toBeUndefined();
  });

  it('say of the last of them whether there are more', async () => {
    const { ask } = bench(operationWith({ cursor: text }), ({ cursor }) =>
      answered({ data: disks(10), has_more: cursor === undefined, ...(cursor ? {} : { next_cursor: 'b' }) }),
    );
    expect((await ask({ pages: 5, fields: ['id'] })).structured).toMatchObject({
      returned_count: 20,
      envelope: { has_more: false },
    });
    const { structured } = await ask({ pages: 5 });
    expect(structured).toEqual({ data: disks(10).concat(disks(10)), has_more: false });
  });

  it('are given with every row where they are short, and say where some are missing', async () => {
    const { ask } = bench(operationWith({ cursor: text }), ({ cursor }) => {
      if (cursor === 'c') throw new ToolcribError('upstream_failed', 'm');
      return answered({ data: disks(3, cursor ? 3 : 0), next_cursor: cursor ? 'c' : 'b' });
    });
    const { structured, content } = await ask({ pages: 5, off: true });
    expect(rowsOf({ structured } as CompletedResult)).toEqual(disks(6));
    expect(JSON.stringify([structured, content])).toContain('2 of 5 pages were read');
  });

  it('end with the deadline', async () => {
    const { ask, calls } = bench(operation, serve);
    const result = await ask({ pages: 20 }, { deadline: Date.now() - 1 });
    expect(calls).toHaveLength(1);
    expect((result.structured as JsonObject)['notes']).toContain('1 of 20 pages were read: the time is up.');
  });

  it('fail as a whole where the first fails, or the caller has gone', async () => {
    const failed = {
      kind: 'completed',
      content: [],
      error: { code: 'upstream_status', message: 'm' },
    } as const;
    expect(await bench(operation, () => failed).ask({ pages: 3 })).toBe(failed);
    const gone = new AbortController();
    const { ask } = bench(operation, (args) => {
      if (args['offset'] === undefined) return serve(args);
      gone.abort();
      throw new ToolcribError('cancelled', 'm');
    });
    await expect(ask({ pages: 3 }, { signal: gone.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a cursor', () => {
  const [, operation, serve] = SERVICES[0]!;

  it('is for the same operation and arguments only', async () => {
    const cursor = cursorOf(await bench(operation, serve).ask())!;
    const other = bench({ ...operation, id: 'other' }, serve);
    await expect(other.ask({ cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
    await expect(bench(operation, serve).ask({ cursor }, { arguments: { q: 1 } })).rejects.toMatchObject({
      code: 'cursor_invalid',
      message: expect.stringContaining('other arguments'),
    });
    await expect(bench(operation, serve).ask({ cursor: 'abc' })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
  });

  it("leads into nobody else's answers, and into none that is gone", async () => {
    const first = bench(operation, serve);
    const cursor = cursorOf(await first.ask())!;
    const other: Principal = { kind: 'user', id: 'eve' } as Principal;
    await expect(first.ask({ cursor }, { principal: other })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
    expect(rowsOf(await first.ask({ cursor })).length).toBeGreaterThan(0);
    expect(first.calls).toHaveLength(1);
  });
});

describe('a bad filter', () => {
  it('is refused before anything is called', async () => {
    const { ask, calls } = bench(operationWith({}), () => answered(disks(9)));
    await expect(ask({ filters: { name: '~(' } })).rejects.toMatchObject({ code: 'filter_invalid' });
    expect(calls).toEqual([]);
  });
});

describe('what is not shaped', () => {
  const [, operation, serve] = SERVICES[0]!;

  it('is a dry run, a call without the wish, a failure, a text', async () => {
    const { ask } = bench(operation, serve);
    const plain = serve({});
    expect(await ask({}, { dryRun: true })).toEqual(plain);
    const core: Next = async () => plain;
    expect(await compose([shapeLayer(shapingWith().call)], core)(callOf('ceph', 'read'))).toBe(plain);
    const said: CompletedResult = { kind: 'completed', content: [{ type: 'text', text: 'Done.' }] };
    expect(await bench(operation, () => said).ask()).toBe(said);
  });
});

describe('a shaped result', () => {
  const label = { untrusted: true, source: 'ceph', origin: 'https://ceph.example' };
  const foreign = () =>
    answered(disks(200), {
      meta: { [UNTRUSTED_META]: label },
      warnings: ['w'],
      artifacts: ['toolcrib://artifacts/raw'],
    });

  it('keeps status, meta and warnings, and names its whole answer first', async () => {
    const result = await bench(operationWith({}), foreign).ask();
    expect(result).toMatchObject({
      status: 200,
      warnings: ['w'],
      outputApplies: false,
      meta: { [UNTRUSTED_META]: label },
    });
    const id = (result.structured as JsonObject)['response_id'] as string;
    expect(result.artifacts).toEqual([`toolcrib://artifacts/${id}`, 'toolcrib://artifacts/raw']);
    expect(result.content).toHaveLength(1);
  });

  it('stays labelled when its rest is read later, and the reader is marked first', async () => {
    const told: string[] = [];
    const { ask } = bench(operationWith({}), foreign, {
      delivered: async (source, { run }) => void told.push(`${source} ${run}`),
    });
    const first = await ask();
    expect(told).toEqual([]);
    const rest = await ask({ cursor: cursorOf(first)! });
    expect(rest.meta).toEqual({ [UNTRUSTED_META]: label });
    expect(told).toEqual(['ceph r1']);
  });

  it('of strangers whose Markdown is taken apart is JSON, never a table', async () => {
    const flat = answered({
      data: json(disks(9).map(({ id }) => ({ id, text: '[a](https://evil.example)', more: 'x' }))),
    });
    const rule = { label: true, clean: true, markdown: 'defang', hosts: [] } as const;
    const textOf = ({ content }: CompletedResult) => (content[0] as { text: string }).text;
    const safe = await bench(operationWith({}), () => flat, { untrusted: () => rule }).ask();
    expect(JSON.parse(textOf(safe))).toEqual(safe.structured);
    const plain = await bench(operationWith({}), () => flat).ask();
    expect(textOf(plain)).toMatch(/^id,text,more\n/);
  });

  it('has whole numbers beyond 2^53 exactly', async () => {
    const exact = `[${Array.from({ length: 9 }, (_, index) => `{"id":900719925474099${index}3}`).join(',')}]`;
    const result: CompletedResult = {
      kind: 'completed',
      content: [{ type: 'text', text: exact }],
      structured: JSON.parse(exact),
    };
    const { ask } = bench(operationWith({}), () => result);
    expect(rowsOf(await ask({ filters: { id: '90071992547409923' } }))).toEqual([
      { id: '90071992547409923' },
    ]);
  });

  it('has decimals of more digits than a double exactly, and compares them', async () => {
    const exact = '[{"of":1.5},{"of":123456789.123456789012345678},{"of":99.000000000000000000}]';
    const result: CompletedResult = {
      kind: 'completed',
      content: [{ type: 'text', text: exact }],
      structured: JSON.parse(exact),
    };
    const { ask } = bench(operationWith({}), () => result);
    expect(rowsOf(await ask({ filters: { of: '>90' } }))).toEqual([
      { of: '123456789.123456789012345678' },
      { of: 99 },
    ]);
  });

  it('is made of text as well, where a tool answers JSON as text', async () => {
    const { content } = answered(disks(200));
    const { ask } = bench(operationWith({}), () => ({ kind: 'completed', content }));
    expect((await ask()).structured).toMatchObject({
      total_count: 200,
      summary: { by_status: { error: 20, up: 180 } },
    });
  });

  it('is made of the whole answer where its text was cut, cleaned as its text was', async () => {
    const rows = disks(2000).map((row) => ({ ...row, big: 9_007_199_254_740_000, note: 'a\u200bb' }));
    const body = JSON.stringify(rows).replaceAll('9007199254740000', '9007199254740993');
    const raw = {
      kind: 'http',
      status: 200,
      url: 'https://ceph.example/disks',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    } as unknown as RawResult;
    const rule = { label: true, clean: true, markdown: 'keep', hosts: [] } as const;
    const operation = operationWith({});
    const serve = async () =>
      (await normalizeResult(
        raw,
        operation,
        { maxTextLength: 500 },
        storeOf(LOCAL_PRINCIPAL),
        undefined,
        rule,
      )) as CompletedResult;
    const served = await serve();
    expect(served.structured).toBeUndefined();
    expect(served.warnings).toContainEqual(expect.stringContaining('The text was cut'));
    const { ask } = bench(operation, serve, { untrusted: () => rule });
    const result = await ask({ filters: { id: 1999 } });
    expect(result.content.map(({ type }) => type)).toEqual(['text']);
    expect(result.warnings ?? []).not.toContainEqual(expect.stringContaining('The text was cut'));
    expect(rowsOf(result)).toEqual([{ ...disks(1, 1999)[0], big: '9007199254740993', note: 'ab' }]);
    expect(result.meta?.[UNTRUSTED_META]).toMatchObject({ untrusted: true });
  });

  it('is none of a text that is no JSON', async () => {
    const said: CompletedResult = {
      kind: 'completed',
      content: [{ type: 'text', text: '[a list] of words' }],
      artifacts: ['toolcrib://artifacts/gone', 'https://evil.example'],
    };
    expect(await bench(operationWith({}), () => said).ask()).toBe(said);
  });

  it('ends with what the hints say of it', async () => {
    const notes = () => ['Holds for 30 s.'];
    const short = await bench(operationWith({}), () => answered(disks(2)), { notes }).ask();
    expect(short.structured).toEqual(disks(2));
    expect(short.content.at(-1)).toEqual({ type: 'text', text: 'Note: Holds for 30 s.' });
  });

  it('says where nothing could be stored', async () => {
    const full = { put: async () => Promise.reject(new Error('disk full')), get: async () => undefined };
    const { structured } = await bench(operationWith({}), foreign, { artifacts: () => full }).ask();
    expect((structured as JsonObject)['notes']).toContain(
      'The whole answer could not be stored: there is no response_id.',
    );
    expect(structured).not.toHaveProperty('response_id');
  });
});
