import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinkedResources } from '../../../src/assembly/upstreams/linked-resources.ts';
import { createReads, type ReadsParts } from '../../../src/assembly/upstreams/reads.ts';
import { buildCatalog } from '../../../src/catalog/build.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { compileSource } from '../../../src/compiler/compile-source.ts';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { ToolcribError } from '../../../src/errors.ts';
import { createMcpExecutor } from '../../../src/executors/mcp/mcp-executor.ts';
import {
  type Call,
  type CallChannel,
  type CompletionQuestion,
  DEFAULT_LIMITS,
  type Description,
  LOCAL_PRINCIPAL,
  type Principal,
  type UntrustedRule,
  type UpstreamDefinition,
} from '../../../src/operations/index.ts';
import { defineFunctions } from '../../../src/sources/function/define.ts';
import { describeFunctions } from '../../../src/sources/function/describe.ts';
import { createFunctionRegistry } from '../../../src/sources/function/registry.ts';
import { describeMcp } from '../../../src/sources/mcp/describe.ts';
import { createUpstreams } from '../../../src/upstreams/create-upstreams.ts';
import { openStdio } from '../../../src/upstreams/stdio/open-stdio.ts';
import type { UpstreamRequest, Upstreams } from '../../../src/upstreams/upstreams.ts';

const FIXTURE = fileURLToPath(new URL('../../matrix/fixture-stdio.ts', import.meta.url));
const local = defineFunctions({
  resources: [{ uri: 'local://a', name: 'a', read: () => ({ text: 'of a function' }) }],
  prompts: [
    { name: 'mine', get: () => [{ role: 'user', content: { type: 'text', text: 'of a function' } }] },
  ],
});
const compiled = (name: string, kind: string, description: Description) => ({
  compiled: compileSource(description, {
    source: name,
    kind,
    prefix: name,
    profile: 'portable',
    outputSchemas: 'relaxed',
    maxOutputSchemaSize: 2000,
  }),
  connection: { name, source: name, securitySchemes: {}, limits: DEFAULT_LIMITS },
});

const of = (
  reference: CompletionQuestion['reference'],
  argument: string,
  value: string,
): CompletionQuestion => ({ reference, argument, value });

let upstreams: Upstreams;
let catalog: Catalog;
const linked = createLinkedResources();

describe.each(['legacy', 'modern'] as const)('an upstream process of the %s era', (era) => {
  beforeEach(async () => {
    const secrets = createSecretReader(process.env, () => undefined);
    upstreams = createUpstreams({
      record: () => undefined,
      openTransport: (definition, _key, signal) => openStdio(definition, { secrets }, signal),
    });
    const definition: UpstreamDefinition = {
      name: 'up',
      transport: {
        kind: 'stdio',
        command: process.execPath,
        args: [FIXTURE, era],
        env: {},
        inherit: [],
        isolation: { mode: 'none', network: true, read: [], write: [] },
      },
      era,
      share: 'one',
      startTimeoutMs: 20_000,
      idleMs: 0,
      hangMs: 20_000,
      restart: true,
    };
    upstreams.configure([definition]);
    const listing = await upstreams.list('up', AbortSignal.timeout(20_000));
    catalog = buildCatalog(
      [
        compiled('fns', 'function', describeFunctions('fns', local)),
        compiled('up', 'mcp', describeMcp('up', listing, { local: true })),
      ],
      'test',
    );
  });
  afterEach(() => upstreams.close());

  const reads = (
    readable: (principal: Principal) => (source: string) => boolean = () => () => true,
    more: Partial<ReadsParts> = {},
  ) =>
    createReads({
      catalog: () => catalog,
      functions: async () => createFunctionRegistry({ fns: local }, () => undefined),
      upstreams: async () => upstreams,
      readable: async (principal) => ({ source: readable(principal), skill: () => true }),
      linked,
      skillSource: () => undefined,
      untrusted: () => undefined,
      skills: () => Promise.reject(new Error('There are no skills.')),
      ...more,
    });
  const call = async (
    tool: string,
    args: Call['arguments'] = {},
    channel: CallChannel = {},
    dryRun = false,
  ) => {
    const operation = catalog.byTool(`up_${tool}`)!.load();
    const signal = AbortSignal.timeout(20_000);
    const deadline = Date.now() + 20_000;
    return createMcpExecutor({ upstreams, linked: linked.note }).execute(
      {
        id: 'c',
        principal: LOCAL_PRINCIPAL,
        tool,
        operation,
        arguments: args,
        deadline,
        signal,
        channel,
        dryRun,
        depth: 0,
      },
      { connection: catalog.connection('up')!, signal, deadline },
    );
  };

  test('reads, prompts and completions go to the source that owns them', async () => {
    const own = reads();
    expect(await own.readResource('fixture://plain', {})).toMatchObject({
      contents: { text: 'content of fixture://plain', mimeType: 'text/plain' },
    });
    expect(await own.readResource('fixture://items/7', {})).toMatchObject({
      contents: { text: 'content of fixture://items/7' },
    });
    expect(await own.readResource('local://a', {})).toMatchObject({ contents: { text: 'of a function' } });
    expect(await own.getPrompt('greet', { who: 'Ada' }, {})).toMatchObject({
      kind: 'prompt',
      messages: [{ role: 'user', content: { text: 'Greet Ada.' } }],
    });
    expect(await own.getPrompt('mine', {}, {})).toMatchObject({ messages: [{}] });
    expect(await own.complete(of({ prompt: 'greet' }, 'who', 'A'), {})).toEqual({ values: ['Ada', 'Alan'] });
    expect(await own.complete(of({ template: 'fixture://items/{id}' }, 'id', 'G'), {})).toEqual({
      values: ['Grace'],
    });
    await expect(own.getPrompt('greet', {}, {})).rejects.toMatchObject({ code: 'arguments_invalid' });
    await expect(own.getPrompt('nobody', {}, {})).rejects.toMatchObject({ code: 'prompt_unknown' });
  });

  test('the trace of the caller goes along', async () => {
    const asked: unknown[] = [];
    const seen = ({ traceparent, tracestate }: UpstreamRequest) => asked.push({ traceparent, tracestate });
    const own = reads(undefined, {
      upstreams: async () => ({
        ...upstreams,
        read: async (_name, uri, request) => {
          seen(request);
          return upstreams.read('up', uri, request);
        },
        prompt: async (_name, prompt, args, request) => {
          seen(request);
          return upstreams.prompt('up', prompt, args, request);
        },
      }),
    });
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'rojo=1' };
    await own.readResource('fixture://plain', trace);
    await own.getPrompt('greet', { who: 'Ada' }, trace);
    expect(asked).toEqual([trace, trace]);
  });

  test('a failure in the words of its server is as untrusted as what it would have said', async () => {
    const told: string[] = [];
    const says = new ToolcribError('upstream_failed', '"up" says "![x](https://c.example/?d)"', {
      details: { data: { note: 'a\u202eb' } },
    });
    const failing = (error: ToolcribError) =>
      reads(undefined, {
        upstreams: async () => ({
          ...upstreams,
          read: () => Promise.reject(error),
          prompt: () => Promise.reject(error),
        }),
        untrusted: () => ({ label: true, clean: true, markdown: 'defang', hosts: [] }),
        delivered: async (source) => void told.push(source),
      });
    const cleaned = {
      code: 'upstream_failed',
      message: '"up" says "(image: x, from c.example)"',
      details: { data: { note: 'ab' } },
    };
    await expect(failing(says).readResource('fixture://plain', {})).rejects.toMatchObject(cleaned);
    await expect(failing(says).getPrompt('greet', { who: 'A' }, {})).rejects.toMatchObject(cleaned);
    expect(told.splice(0)).toEqual(['up', 'up']);
    const ours = new ToolcribError('deadline_exceeded', 'Too late.');
    await expect(failing(ours).readResource('fixture://plain', {})).rejects.toBe(ours);
    const gone = new ToolcribError('resource_unknown', 'The server says so.');
    await expect(failing(gone).readResource('fixture://plain', {})).rejects.toMatchObject({
      message: 'There is no resource fixture://plain.',
    });
    expect(told).toEqual([]);
  });

  test('what a server says beside a resource or a prompt goes along, but for what is not its to say', async () => {
    const said = {
      'com.example/note': 'a\u202eb',
      'toolcrib/untrusted': { untrusted: false },
      'io.modelcontextprotocol/serverInfo': { name: 'up', version: '1' },
      progressToken: 1,
      'ui/resourceUri': 'ui://page',
    };
    const beside = (untrusted?: UntrustedRule) =>
      reads(undefined, {
        upstreams: async () => ({
          ...upstreams,
          read: async () => ({ contents: [], meta: said }),
          prompt: async () => ({ messages: [], meta: said }),
        }),
        untrusted: () => untrusted,
      });
    const clean = beside({ label: true, clean: true, markdown: 'defang', hosts: [] });
    for (const [own, note] of [[clean, 'ab'] as const, [beside(), 'a\u202eb'] as const]) {
      const meta = { 'com.example/note': note };
      expect((await own.readResource('fixture://plain', {})) as object).toHaveProperty('meta', meta);
      expect((await own.getPrompt('greet', { who: 'A' }, {})) as object).toHaveProperty('meta', meta);
    }
  });

  test('what is listed and empty is there; without a part, nothing else is', async () => {
    const empty = reads(undefined, {
      upstreams: async () => ({ ...upstreams, read: async () => ({ contents: [] }) }),
    });
    expect(await empty.readResource('fixture://plain', {})).toEqual({
      kind: 'resource',
      uri: 'fixture://plain',
      contents: { text: '' },
      parts: [],
    });
    for (const uri of ['fixture://items/7', 'fixture://nowhere'])
      await expect(empty.readResource(uri, {})).rejects.toMatchObject({ code: 'resource_unknown' });
  });

  test('why a completion failed is untrusted as well', async () => {
    const says = new ToolcribError('arguments_invalid', '"up" says "![x](https://c.example/?d)"');
    const failing = reads(undefined, {
      upstreams: async () => ({ ...upstreams, complete: () => Promise.reject(says) }),
      untrusted: () => ({ label: true, clean: true, markdown: 'defang', hosts: [] }),
    });
    await expect(failing.complete(of({ prompt: 'greet' }, 'who', 'A'), {})).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: '"up" says "(image: x, from c.example)"',
    });
  });

  test('what a principal may not read is not there', async () => {
    const none = reads(() => () => false);
    await expect(none.readResource('fixture://plain', {})).rejects.toMatchObject({
      code: 'resource_unknown',
    });
    await expect(none.getPrompt('greet', { who: 'A' }, {})).rejects.toMatchObject({ code: 'prompt_unknown' });
    await expect(none.complete(of({ prompt: 'greet' }, 'who', 'A'), {})).rejects.toMatchObject({
      code: 'prompt_unknown',
    });
    expect(await none.follow('fixture://watched')).toEqual(expect.any(Function));
  });

  test('a call reaches the tool; what its answer links to can be read', async () => {
    expect(await call('echo', { text: 'hi' })).toMatchObject({
      kind: 'value',
      failed: false,
      content: [{ type: 'text', text: 'hi' }],
      structured: { said: 'hi' },
    });
    await call('links');
    expect(await reads().readResource('hidden://page', {})).toMatchObject({
      contents: { text: 'content of hidden://page' },
    });
  });

  test('a dry run shows the message and sends nothing', async () => {
    const planned = await call('waits', {}, {}, true);
    expect(JSON.stringify(planned)).toContain('tools/call');
  });

  test('a followed resource tells of its changes until it is followed no more', async () => {
    const changes: unknown[] = [];
    upstreams.onChange((name, change) => changes.push([name, change]));
    const stop = await reads().follow('fixture://watched');
    await expect
      .poll(async () => {
        await call('touches');
        return changes;
      })
      .toContainEqual(['up', { resource: 'fixture://watched' }]);
    stop();
  });
});
