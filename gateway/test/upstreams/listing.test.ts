import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import type { Json, JsonObject } from '../../src/operations/index.ts';
import { MAX_LEVELS } from '../../src/operations/json/is-shallow.ts';
import { listEverything } from '../../src/upstreams/listing.ts';
import type { Session } from '../../src/upstreams/session/session.ts';
import { abortedCall, ServerError, SessionError } from '../../src/upstreams/session/session-error.ts';

type Answer = (cursor: string | undefined) => unknown;
const TERMS = { signal: new AbortController().signal, deadline: Date.now() + 20_000 };
const ALL = { tools: {}, resources: {}, prompts: {} };
const unknown = () => {
  throw new ServerError(-32601, 'Method not found', undefined);
};

/** What is listed of a server that answers so, and what it was asked. */
async function listed(
  answers: Readonly<Record<string, Answer>>,
  { capabilities = ALL as JsonObject, era = 'legacy' as 'legacy' | 'modern', isHttp = false } = {},
) {
  const asked: string[] = [];
  const session = {
    facts: { era, capabilities, server: { name: 's', version: '1' } },
    async request(method: string, { cursor }: { cursor?: string }) {
      asked.push(cursor === undefined ? method : `${method} ${cursor}`);
      return (answers[method] ?? unknown)(cursor);
    },
  } as unknown as Session;
  return { listing: await listEverything(session, 'up', isHttp, TERMS), asked };
}

const tool = (name: Json, more: JsonObject = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const tools =
  (...list: unknown[]): Answer =>
  () => ({ tools: list });

describe('a list', () => {
  test('is asked for where its capability was declared, and nowhere else', async () => {
    const { asked, listing } = await listed(
      { 'tools/list': tools(tool('a')) },
      { capabilities: { tools: {} } },
    );
    expect(asked).toEqual(['tools/list']);
    expect(listing).toMatchObject({ tools: [tool('a')], resources: [], resourceTemplates: [], prompts: [] });
    expect(listing).not.toHaveProperty('missing');
  });

  test('is read to its last page; an empty cursor is none', async () => {
    const { asked, listing } = await listed({
      'tools/list': (cursor) =>
        cursor === undefined
          ? { tools: [tool('a')], nextCursor: '2' }
          : { tools: [tool('b')], nextCursor: '' },
    });
    expect(listing.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(asked.filter((line) => line.startsWith('tools'))).toEqual(['tools/list', 'tools/list 2']);
  });

  test('goes on behind an empty cursor since 2026-07-28', async () => {
    const { asked, listing } = await listed(
      {
        'tools/list': (cursor) =>
          cursor === undefined ? { tools: [tool('a')], nextCursor: '' } : { tools: [tool('b')] },
      },
      { capabilities: { tools: {} }, era: 'modern' },
    );
    expect(asked).toEqual(['tools/list', 'tools/list ']);
    expect(listing.tools.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each<[what: string, answer: () => unknown]>([
    ['the same page', () => ({ tools: [tool('a')], nextCursor: '' })],
    ['an empty page', () => ({ tools: [], nextCursor: '' })],
    [
      'an error',
      () => {
        throw new ServerError(-32602, 'Invalid cursor', undefined);
      },
    ],
  ])(
    'whose server means its end by an empty cursor, and has %s behind it, is whole',
    async (_what, answer) => {
      const { listing } = await listed(
        {
          'tools/list': (cursor) =>
            cursor === undefined ? { tools: [tool('a')], nextCursor: '' } : answer(),
        },
        { capabilities: { tools: {} }, era: 'modern' },
      );
      expect(listing.tools.map(({ name }) => name)).toEqual(['a']);
    },
  );

  test('that its server has no method for is empty, and nothing is missing', async () => {
    const { listing } = await listed({ 'resources/list': () => ({ resources: [] }) });
    expect(listing).toMatchObject({ tools: [], prompts: [] });
    expect(listing).not.toHaveProperty('missing');
  });

  test('that ends in the middle with "no such method" is none: half of it would look like all', async () => {
    const half =
      (member: string): Answer =>
      (cursor) =>
        cursor === undefined ? { [member]: [{ name: 'a', uri: 'a:b' }], nextCursor: '2' } : unknown();
    const { listing } = await listed({
      'tools/list': tools(),
      'resources/list': half('resources'),
    });
    expect(listing.resources).toEqual([]);
    expect(listing.missing).toEqual([
      { list: 'resources', why: 'The server answers resources/list with error -32601: "Method not found"' },
    ]);
    await expect(listed({ 'tools/list': half('tools') })).rejects.toMatchObject({ code: -32601 });
  });

  test('that its server answers with an error is missing, with what it says and no control characters', async () => {
    const { listing } = await listed({
      'tools/list': tools(),
      'prompts/list': () => {
        throw new ServerError(-32603, `\u001b[31mno database ${'x'.repeat(500)}`, undefined);
      },
    });
    const [{ list, why } = { list: '', why: '' }] = listing.missing ?? [];
    expect(list).toBe('prompts');
    expect(why).toMatch(/^The server answers prompts\/list with error -32603: ".*no database x/);
    expect(why).not.toContain('\u001b');
    expect(why.length).toBeLessThan(380);
  });

  test.each<[what: string, answer: Answer, why: string]>([
    [
      'has no member of its name',
      () => ({}),
      'The answer of "up" to resources/list cannot be used: its answer has no resources',
    ],
    [
      'goes in a circle',
      () => ({ resources: [], nextCursor: '1' }),
      'The answer of "up" to resources/list cannot be used: its pages go in a circle',
    ],
    [
      'is no result',
      () => {
        throw new SessionError('malformed', 'The answer is no object.');
      },
      'The server answers resources/list with what is no result',
    ],
    [
      'does not come',
      () => {
        throw new SessionError('deadline', 'The deadline passed.');
      },
      'The server leaves resources/list without an answer',
    ],
  ])('that %s is missing, and the tools are there', async (_what, answer, why) => {
    const { listing } = await listed({ 'tools/list': tools(tool('a')), 'resources/list': answer });
    expect(listing.tools).toHaveLength(1);
    expect(listing.missing).toEqual([{ list: 'resources', why }]);
  });

  test('that hangs is waited for no longer than the grace, counted from the tools', async () => {
    const toolsAsked = Promise.withResolvers<JsonObject>();
    const session = {
      facts: { era: 'legacy', capabilities: ALL, server: { name: 's', version: '1' } },
      request(method: string, _params: object, { signal }: { signal: AbortSignal }) {
        if (method === 'tools/list') return toolsAsked.promise;
        if (method === 'resources/list') return Promise.resolve({ resources: [{ name: 'r', uri: 'a:b' }] });
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(abortedCall(signal)));
        });
      },
    } as unknown as Session;
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const listing = listEverything(session, 'up', false, {
      ...TERMS,
      deadline: Date.now() + 60_000,
      graceMs: 3_000,
    });
    let isOver = false;
    void listing.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    toolsAsked.resolve({ tools: [tool('a')] });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await listing).toMatchObject({
      tools: [tool('a')],
      resources: [{ name: 'r' }],
      prompts: [],
      missing: [
        { list: 'resourceTemplates', why: 'The server leaves resources/templates/list without an answer' },
        { list: 'prompts', why: 'The server leaves prompts/list without an answer' },
      ],
    });
  });

  test('of resources has half of the time, so that tools can be offered where it never comes', async () => {
    const given: Record<string, number> = {};
    const session = {
      facts: { era: 'legacy', capabilities: ALL, server: { name: 's', version: '1' } },
      async request(method: string, _params: object, { deadline }: { deadline: number }) {
        given[method] = deadline - Date.now();
        return { tools: [], resources: [], resourceTemplates: [], prompts: [] };
      },
    } as unknown as Session;
    await listEverything(session, 'up', false, { ...TERMS, deadline: Date.now() + 60_000 });
    expect(given['tools/list']).toBeGreaterThan(55_000);
    expect(given['resources/list']).toBeGreaterThan(25_000);
    expect(given['resources/list']).toBeLessThan(31_000);
    expect(given['prompts/list']).toBeLessThan(31_000);
  });

  test('that got no answer fails all: the connection did, not the list', async () => {
    const lost = () => {
      throw new SessionError('lost', 'gone');
    };
    const all = { 'tools/list': tools(), 'resources/list': lost, 'prompts/list': lost };
    await expect(listed(all)).rejects.toMatchObject({ kind: 'lost' });
  });

  test.each([
    ['no member of its name', {}],
    ['a member that is no list', { tools: { a: 1 } }],
  ])('with %s is refused', async (_what, answer) => {
    await expect(listed({ 'tools/list': () => answer })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('its answer has no tools'),
    });
  });
});

describe('an entry', () => {
  test('without what names it is left out; an address names it, as of the nameless templates of mcp-lite', async () => {
    const { listing } = await listed({
      'tools/list': tools(tool('a'), tool(''), tool(7), null, 'b', [1]),
      'resources/list': () => ({ resources: [{ uri: 'a:b', name: 'r' }, { name: 'no' }, { uri: 'a:c' }] }),
      'resources/templates/list': () => ({
        resourceTemplates: [{ uriTemplate: 'a:{b}', name: 't' }, { name: 'no' }, { uriTemplate: 'a:{c}' }],
      }),
      'prompts/list': () => ({ prompts: [{ name: 'p' }, { title: 'no' }, { name: '' }] }),
    });
    expect(listing.tools).toEqual([tool('a')]);
    expect(listing.resources).toEqual([
      { uri: 'a:b', name: 'r' },
      { uri: 'a:c', name: 'a:c' },
    ]);
    expect(listing.resourceTemplates).toEqual([
      { uriTemplate: 'a:{b}', name: 't' },
      { uriTemplate: 'a:{c}', name: 'a:{c}' },
    ]);
    expect(listing.prompts).toEqual([{ name: 'p' }]);
  });

  test('without a schema takes any object, and what is too deep is left out of it', async () => {
    const deep = JSON.parse(`${'['.repeat(MAX_LEVELS + 2)}${']'.repeat(MAX_LEVELS + 2)}`);
    const { listing } = await listed({ 'tools/list': tools({ name: 'a', title: 'A', icons: deep }) });
    expect(listing.tools).toEqual([{ name: 'a', title: 'A', inputSchema: { type: 'object' } }]);
  });

  /** Two arguments want one header, which no request can have (MCP 2026-07-28, x-mcp-header). */
  const unusable = tool('b', {
    inputSchema: {
      type: 'object',
      properties: {
        one: { type: 'string', 'x-mcp-header': 'Same' },
        two: { type: 'string', 'x-mcp-header': 'Same' },
      },
    },
  });
  test.each([
    ['modern', true, ['a']],
    ['modern', false, ['a', 'b']],
    ['legacy', true, ['a', 'b']],
  ] as const)(
    'whose headers contradict each other is left out where there are such (%s, HTTP %s)',
    async (era, isHttp, names) => {
      const { listing } = await listed({ 'tools/list': tools(tool('a'), unusable) }, { era, isHttp });
      expect(listing.tools.map(({ name }) => name)).toEqual(names);
      expect(listing.leftOut ?? []).toEqual(names.length === 1 ? ['b'] : []);
    },
  );
});

describe('a list without end is refused', () => {
  const refused = (why: string) =>
    expect.objectContaining({ code: 'upstream_failed', message: expect.stringContaining(why) });
  const numbered =
    (page: (at: number) => JsonObject): Answer =>
    (cursor) =>
      page(Number(cursor ?? 0));

  test('by its pages: 500 are read', async () => {
    const pages = (count: number) =>
      numbered((at) => ({ tools: [tool(`t${at}`)], ...(at + 1 < count && { nextCursor: String(at + 1) }) }));
    expect((await listed({ 'tools/list': pages(500) })).listing.tools).toHaveLength(500);
    await expect(listed({ 'tools/list': pages(501) })).rejects.toEqual(refused('more than 500 pages'));
  });

  test('by its entries: 20,000 are read', async () => {
    const entries = (count: number) => tools(...Array.from({ length: count }, (_, at) => tool(`t${at}`)));
    expect((await listed({ 'tools/list': entries(20_000) })).listing.tools).toHaveLength(20_000);
    await expect(listed({ 'tools/list': entries(20_001) })).rejects.toEqual(
      refused('more than 20000 entries'),
    );
  });

  test('by its length, over all pages', async () => {
    const half = 17 * 1024 * 1024;
    const long = numbered((at) => ({
      tools: [tool(`t${at}`, { description: 'x'.repeat(half) })],
      ...(at === 0 && { nextCursor: '1' }),
    }));
    await expect(listed({ 'tools/list': long })).rejects.toEqual(refused('larger than 33554432 characters'));
  });

  test('by a circle', async () => {
    const circle = numbered((at) => ({ tools: [], nextCursor: String((at + 1) % 3) }));
    const { message } = await listed({ 'tools/list': circle }).then(
      () => new ToolcribError('internal', 'listed'),
      (error: ToolcribError) => error,
    );
    expect(message).toContain('its pages go in a circle');
  });
});
