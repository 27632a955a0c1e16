import { beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_TOPOLOGY_OPTIONS,
  type ResolvedCall,
  type TokenCount,
  type VisibleOperation,
} from '../../src/operations/index.ts';
import { createTokenCounter } from '../../src/tokens/index.ts';
import { givenText } from '../../src/topology/given-text.ts';
import { search } from '../../src/topology/search.ts';
import type { OperationSet } from '../../src/topology/topology.ts';
import { plainOperation } from '../catalog/compiled-source.ts';
import {
  answered,
  contextBench,
  operationsOf,
  plainOperations,
  setOf,
  TICKETS,
  toolNamed,
  visible,
} from './search-set.ts';

let desk: OperationSet;
let count: TokenCount;
beforeAll(async () => {
  desk = setOf(await operationsOf('desk', TICKETS), plainOperations('bulk', 40));
  count = createTokenCounter();
});
const publish = (set = desk, more = {}) => search.publish(set, { ...DEFAULT_TOPOLOGY_OPTIONS, ...more });
const tool = (name: string) => toolNamed(publish(), name);

describe('the list', () => {
  it('is four tools, however many operations there are', () => {
    expect(publish().map(({ name }) => name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
      'query_result',
    ]);
  });

  it('takes at most 500 tokens, with many sources of long names too', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      plainOperations(`source-with-a-long-name-${index}`, 1),
    );
    for (const set of [desk, setOf(...many)]) {
      const tokens = publish(set).reduce((sum, one) => sum + count(givenText(one)), 0);
      expect(tokens).toBeLessThanOrEqual(500);
    }
  });

  it('holds pinned operations as they are', () => {
    const [pinned, ...rest] = publish(desk, { pinned: ['desk/getTicket', 'nothing'] });
    expect(pinned).toBe(desk.find('getTicket'));
    expect(rest).toHaveLength(4);
  });

  it('gives way to an operation of the same name', () => {
    const set = setOf([visible(plainOperation('call_tool', 'odd'))]);
    expect(publish(set).map(({ name }) => name)).toContain('call_tool_2');
  });

  it('says that only call_tool may change something, and reaches every operation', () => {
    const [finds, describes, calls] = publish() as ReturnType<typeof toolNamed>[];
    expect(finds!.tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(calls!.tool.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect([finds!.reaches, describes!.reaches]).toEqual([[], []]);
    expect(calls!.reaches).toEqual(desk.operations.map(({ operation }) => operation));
  });
});

describe('call_tool', () => {
  const safety = { network: true, file: true, destructive: false, idempotent: false, openWorld: true };
  const unhinted = { access: 'write', safety: { ...safety, destructiveUnknown: true } } as const;
  const known = plainOperations('known', 1, { access: 'write', safety });
  it.each<[string, VisibleOperation[][], boolean | undefined]>([
    ['destroys nothing where that is known of every operation', [known], false],
    [
      'says nothing of destroying where one operation is unknown',
      [known, plainOperations('mcp', 1, unhinted)],
      undefined,
    ],
    [
      'destroys where one operation does',
      [
        plainOperations('mcp', 1, unhinted),
        plainOperations('rm', 1, { access: 'delete', safety: { ...safety, destructive: true } }),
      ],
      true,
    ],
  ])('%s', (_what, groups, destructiveHint) => {
    const calls = toolNamed(publish(setOf(...groups)), 'call_tool');
    expect(calls.tool.annotations).toHaveProperty('readOnlyHint', false);
    expect(calls.tool.annotations.destructiveHint).toBe(destructiveHint);
  });
});

describe('search_tools', () => {
  it('answers with one line a hit', async () => {
    const text = await answered(tool('search_tools'), { query: 'newest tickets of a project', limit: 2 });
    expect(text.split('\n')).toEqual([
      'listTickets(project) GET /projects/{project}/tickets: Lists tickets of a project, newest first',
      expect.stringMatching(/^\w+Ticket\(/),
      'Next: describe_tool for all arguments, or call_tool.',
    ]);
  });

  it('gives eight hits in 400 tokens', async () => {
    const text = await answered(tool('search_tools'), { query: '' });
    expect(text.split('\n')).toHaveLength(9);
    expect(count(text)).toBeLessThanOrEqual(400);
  });

  it('hands its filters to the search', async () => {
    const queries: unknown[] = [];
    const set: OperationSet = {
      ...desk,
      search: async (query) => {
        queries.push(query);
        return [];
      },
    };
    await answered(toolNamed(publish(set), 'search_tools'), {
      query: 'x',
      intent: 'delete',
      source: 'desk',
      limit: 3,
    });
    expect(queries).toEqual([{ text: 'x', intent: 'delete', source: 'desk', limit: 3 }]);
  });

  it('says what to do where nothing was found', async () => {
    expect(await answered(tool('search_tools'), { query: 'zzz' })).toMatch(/Nothing was found.*other words/);
  });

  it('names the sources there are, where one is unknown', async () => {
    await expect(answered(tool('search_tools'), { query: 'x', source: 'nope' })).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: expect.stringContaining('bulk, desk'),
    });
  });

  it('lists nothing new: a hit is not a choice', async () => {
    const context = contextBench();
    await answered(tool('search_tools'), { query: 'tickets' }, context);
    expect(context.activated).toEqual([]);
  });
});

describe('describe_tool', () => {
  it('says what an operation is for and what it takes', async () => {
    const text = await answered(
      tool('describe_tool'),
      { name: 'listTickets' },
      contextBench({ follows: false }),
    );
    const [head, purpose, args, ...rest] = text.split('\n');
    expect(head).toBe('listTickets GET /projects/{project}/tickets (read)');
    expect(purpose).toMatch(/^Lists tickets of a project, newest first\./);
    const schema = JSON.parse(args!.replace(/^Arguments: /, ''));
    expect(Object.keys(schema.properties)).toEqual(['project', 'status', 'assignee', 'since', 'q', 'limit']);
    expect(schema.required).toEqual(['project']);
    expect(rest).toEqual([]);
  });

  it.each(['getTicket', 'desk/getTicket', 'GET /tickets/{id}'])('knows an operation as %s', async (name) => {
    expect(await answered(tool('describe_tool'), { name })).toMatch(/^getTicket GET/);
  });

  it('has the operation listed from then on', async () => {
    const context = contextBench();
    const text = await answered(tool('describe_tool'), { name: 'getTicket' }, context);
    expect(context.activated).toEqual([['desk/getTicket']]);
    expect(text).toMatch(/Listed as the tool getTicket/);
  });

  it('describes where listing fails', async () => {
    const context = { ...contextBench(), activate: () => Promise.reject(new Error('store gone')) };
    expect(await answered(tool('describe_tool'), { name: 'getTicket' }, context)).not.toMatch(/Listed/);
  });

  it('names the nearest where there is no such operation', async () => {
    await expect(answered(tool('describe_tool'), { name: 'getTickets' })).rejects.toMatchObject({
      code: 'operation_unknown',
      message: expect.stringContaining('getTicket'),
    });
  });
});

describe('hints of an operation', () => {
  const hints = {
    purpose: 'Reads the state of a pool.',
    usage: ['Call it before resizing.'],
    related_endpoints: ['POST /resize', '/secret'],
  };
  const related = visible({
    ...plainOperation('resizePool', 'ceph'),
    invocation: { ...http(), method: 'POST', path: '/resize' },
  });
  const set = setOf([visible({ ...plainOperation('getPool', 'ceph'), hints }), related]);
  const describe = () => toolNamed(publish(set), 'describe_tool');

  it('are shown the first time, and in full on demand', async () => {
    const context = contextBench();
    const first = await answered(describe(), { name: 'getPool' }, context);
    expect(first).toMatch(/Hints:\n.*before resizing/s);
    const second = await answered(describe(), { name: 'getPool' }, context);
    expect(second).toContain('has_hints: true');
    expect(second).not.toContain('before resizing');
    expect(await answered(describe(), { name: 'getPool', full: true }, context)).toContain('before resizing');
  });

  it('lead to related operations that the caller may call, and name no other', async () => {
    const text = await answered(describe(), { name: 'getPool' });
    expect(text).toMatch(/Related:\nresizePool POST \/resize: Does resizePool/);
    expect(text).not.toContain('secret');
  });

  it('take no more than their tokens', async () => {
    const long = {
      ...hints,
      usage: Array.from({ length: 200 }, (_, index) => `Use it in case ${index} of many.`),
    };
    const wordy = setOf([visible({ ...plainOperation('getPool', 'ceph'), hints: long })]);
    const text = await answered(toolNamed(publish(wordy, { hintTokens: 100 }), 'describe_tool'), {
      name: 'getPool',
    });
    expect(count(text)).toBeLessThan(200);
  });
});

describe('call_tool', () => {
  const call = async (args: object, context = contextBench()) =>
    (await tool('call_tool').resolve(args as never, context)) as ResolvedCall;

  it('comes to the operation with its arguments', async () => {
    const resolved = await call({ name: 'createTicket', arguments: { project: 'x', subject: 's' } });
    expect(resolved.operation.id).toBe('createTicket');
    expect(resolved.arguments).toEqual({ project: 'x', subject: 's' });
    expect(resolved.shaped).toBeUndefined();
  });

  it('has what it reads shaped, as asked', async () => {
    const { shaped, arguments: args } = await call({
      name: 'listTickets',
      arguments: { project: 'x', _filter_status: 'open' },
      fields: ['id'],
      limit: 5,
    });
    expect(args).toEqual({ project: 'x' });
    expect(shaped).toEqual({
      request: { filters: { status: 'open' }, fields: ['id'], limit: 5 },
      defaultLimit: 10,
      byProperties: true,
    });
  });

  it('leaves an answer as it is where that is asked for', async () => {
    const { shaped } = await call({ name: 'listTickets', arguments: { project: 'x' }, no_optimize: true });
    expect(shaped?.request).toEqual({ off: true });
  });

  it('takes a call without arguments', async () => {
    expect((await call({ name: 'bulk_op0001' })).arguments).toEqual({});
  });

  it('has the operation listed from then on', async () => {
    const context = contextBench();
    await call({ name: 'getTicket', arguments: { id: '7' } }, context);
    expect(context.activated).toEqual([['desk/getTicket']]);
  });

  it('reaches every operation of the set, and nothing else', async () => {
    for (const { operation, load } of desk.operations) {
      expect((await call({ name: operation })).operation).toBe(load());
    }
    await expect(call({ name: 'eraseEverything' })).rejects.toMatchObject({
      code: 'operation_unknown',
      pointer: '/name',
    });
  });
});

it('searches, describes and calls a typical operation within 1,200 tokens', async () => {
  const flow: unknown[] = [];
  const say = async (name: string, args: object) => {
    flow.push({ name, arguments: args });
    if (name !== 'call_tool') flow.push(await answered(tool(name), args as never));
  };
  await say('search_tools', { query: 'open tickets of a project' });
  await say('describe_tool', { name: 'listTickets' });
  await say('call_tool', {
    name: 'listTickets',
    arguments: { project: 'web', status: 'open' },
    fields: ['id', 'subject'],
  });
  flow.push(Array.from({ length: 10 }, (_, id) => ({ id, subject: `Printer ${id} on fire` })));
  const tokens = flow.reduce<number>(
    (sum, part) => sum + count(typeof part === 'string' ? part : JSON.stringify(part)),
    0,
  );
  expect(tokens).toBeLessThanOrEqual(1200);
});

function http() {
  const { invocation } = plainOperation('x', 'ceph');
  if (invocation.kind !== 'http') throw new Error('a plain operation is called by HTTP');
  return invocation;
}
