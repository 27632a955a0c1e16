import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolTemplate } from '../src/cli/templates/tool.ts';
import {
  type CompletedResult,
  type ConfigurationInput,
  createGateway,
  defineTool,
  type EmbedOptions,
  type Gateway,
  type OwnKindsInput,
  type SourceKind,
} from '../src/index.ts';

let folder = '';
let gateway: Gateway | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-tool-packages-'));
  await mkdir(join(folder, 'tools', 'words'), { recursive: true });
  await write();
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function write(change: (code: string) => string = (code) => code) {
  for (const [file, text] of Object.entries(toolTemplate('words')))
    await writeFile(join(folder, 'tools', 'words', file), file === 'tool.ts' ? change(text) : text);
}

async function start(configuration: ConfigurationInput | OwnKindsInput, options: EmbedOptions = {}) {
  const state = join(folder, 'state');
  const given = { stateDirectory: state, ...configuration } as ConfigurationInput;
  gateway = await createGateway(given, { baseDirectory: folder, ...options });
  return gateway;
}

const call = async (tool: string, args: Record<string, never> | object = {}) =>
  (await gateway!.call({ tool, arguments: args as never })) as CompletedResult;
const count = async () => (await call('words', { text: 'one two' })).structured;

describe('a source of tool packages', () => {
  it('is one line of configuration, and its tool is called as its folder says', async () => {
    await start({ sources: { office: { package: './tools' } } });
    expect(gateway!.view().tools.map(({ name }) => name)).toEqual(['words']);
    expect(await count()).toEqual({ words: 2 });
    expect((await call('words', { txt: '' })).error?.code).toBe('arguments_invalid');
  });

  it('is there again at the next start, with its code', async () => {
    await start({ sources: { office: { package: './tools' } } });
    await gateway!.close();
    await start({ sources: { office: { package: './tools' } } });
    expect(await count()).toEqual({ words: 2 });
  });

  it('follows its files while it runs', async () => {
    await start({ sources: { office: { package: './tools' } } });
    expect(await count()).toEqual({ words: 2 });
    await write((code) => code.replace('.length', '.length * 100'));
    await expect.poll(count).toEqual({ words: 200 });
    // a slip of the pen costs nothing: the last good code stays
    await write(() => 'export default {');
    await gateway!.refresh('office').catch(() => undefined);
    expect(await count()).toEqual({ words: 200 });
  });
});

describe('budgets', () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    input: z.strictObject({ a: z.number() }),
    access: 'read',
    cost: { usd: 0.4 },
    handler: ({ a }) => ({ sum: a + 1 }),
  });
  const functions = { desk: { tools: [add] } };

  it('hold whoever calls, count nothing that never was a call, and are events beyond', async () => {
    await start({ policy: { budgets: [{ name: 'two', source: 'desk', calls: 2 }] } }, { functions });
    expect((await call('add', { a: 'x' })).error?.code).toBe('arguments_invalid');
    await gateway!.call({ tool: 'add', arguments: { a: 1 }, dryRun: true });
    expect((await call('add', { a: 1 })).structured).toEqual({ sum: 2 });
    expect((await call('add', { a: 1 })).structured).toEqual({ sum: 2 });
    expect((await call('add', { a: 1 })).error).toMatchObject({
      code: 'budget_exceeded',
      details: { budget: 'two', unit: 'calls', used: 2, limit: 2 },
    });
    const events = await gateway!.events();
    expect(events.at(-1)).toMatchObject({ type: 'call-failed', tool: 'add', code: 'budget_exceeded' });
  });

  it('survive a restart, and count dollars', async () => {
    const configuration = { policy: { budgets: [{ name: 'dollars', usd: 1 }] } };
    await start(configuration, { functions });
    await call('add', { a: 1 });
    await gateway!.close();
    await start(configuration, { functions });
    await call('add', { a: 1 });
    expect((await call('add', { a: 1 })).error).toMatchObject({
      code: 'budget_exceeded',
      details: { budget: 'dollars', unit: 'usd', used: 0.8, limit: 1 },
    });
  });

  it('hold as much in memory, where there is no store', async () => {
    await start({ store: 'none', policy: { budgets: [{ tool: 'add', calls: 1 }] } }, { functions });
    expect((await call('add', { a: 1 })).error).toBeUndefined();
    expect((await call('add', { a: 1 })).error?.code).toBe('budget_exceeded');
  });

  it('are shown by the API, with the terms of every tool', async () => {
    await start({ policy: { budgets: [{ name: 'two', calls: 2 }] } }, { functions });
    await call('add', { a: 1 });
    const get = async (path: string) =>
      (await gateway!.fetch(new Request(`http://127.0.0.1${path}`))).json() as Promise<Record<string, never>>;
    expect(await get('/api/v1/budgets')).toMatchObject({
      budgets: [{ budget: 'two', principal: 'local', used: { calls: 1, usd: 0.4 }, limit: { calls: 2 } }],
    });
    expect(await get('/api/v1/tools/add')).toMatchObject({
      operation: { cost: { usd: 0.4 }, safety: { network: true, idempotent: true } },
    });
  });

  it('count by what the operator says calls cost', async () => {
    await writeFile(
      join(folder, 'maps.json'),
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Maps', version: '1' },
        servers: [{ url: 'https://maps.example.com' }],
        paths: { '/find': { get: { operationId: 'find', tags: ['search'], responses: {} } } },
      }),
    );
    await start({ sources: { maps: { openapi: './maps.json', costs: [{ tag: 'search', usd: 0.05 }] } } });
    expect(gateway!.view().catalog.byTool('maps_find')!.facts.cost).toEqual({ usd: 0.05 });
  });
});

describe('a source kind of the embedder’s own', () => {
  const kind: SourceKind<{ greeting: string }> = {
    kind: 'greeter',
    config: z.strictObject({ greeting: z.string() }),
    describe: async ({ greeting }, { name, baseDirectory, reader, signal }) => ({
      operations: [
        {
          id: 'greet',
          source: name,
          description: `${greeting} ${Buffer.from(await reader.read(join(baseDirectory, 'who.txt'), signal))}`,
          input: { type: 'object' },
          access: 'read',
          tags: [],
          safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
          invocation: {
            kind: 'http',
            method: 'GET',
            path: '/greet',
            servers: [{ url: 'https://greet.example.com' }],
            bindings: [],
            accept: [],
            security: [],
          },
        },
      ],
      skipped: [],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      securitySchemes: {},
      components: {},
      diagnostics: [],
      fingerprint: greeting,
    }),
  };

  it('is named in the configuration like any other, and its files are watched', async () => {
    await writeFile(join(folder, 'who.txt'), 'world');
    gateway = await createGateway(
      { stateDirectory: join(folder, 'state'), sources: { hi: { greeter: { greeting: 'Hello' } } } },
      { baseDirectory: folder, sourceKinds: [kind] },
    );
    const described = () => gateway!.view().tools.map(({ tool }) => tool.description);
    expect(described()).toEqual(['Hello world']);
    await writeFile(join(folder, 'who.txt'), 'moon');
    await expect.poll(described).toEqual(['Hello moon']);
  });

  it('says in its own words what it could not read, and what is wrong with what it described', async () => {
    const sources = { hi: { greeter: { greeting: 'Hello' } } };
    const failing = (describe: () => unknown) =>
      start({ sources }, { sourceKinds: [{ ...kind, describe } as never] });
    const lists = {
      operations: [],
      skipped: [],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      diagnostics: [],
    };
    const empty = { ...lists, fingerprint: 'none', securitySchemes: {}, components: {} };
    const broken = () => {
      throw new TypeError('Line 3 of who.txt is empty');
    };
    for (const [describe, said] of [
      [broken, 'The source kind greeter cannot describe hi: Line 3 of who.txt is empty'],
      [() => undefined, 'it returned no description'],
      [() => ({ operations: [] }), 'the list `skipped` is missing'],
      [() => ({ ...empty, fingerprint: undefined }), 'the `fingerprint` is missing'],
      [() => ({ ...empty, components: undefined }), '`components` is missing'],
      [() => ({ ...empty, operations: [{ id: 'a' }] }), 'the text `source` is missing of operations[0]'],
      [
        () => ({ ...empty, operations: [{ id: 'a', source: 'hi', description: '', access: 'raed' }] }),
        '`access` is none of read, write, delete, dangerous of operations[0]',
      ],
    ] as const) {
      await expect(failing(describe)).rejects.toMatchObject({
        code: 'source_invalid',
        message: expect.stringContaining(said),
        next: expect.stringContaining('describe'),
      });
    }
  });

  it('is held to its own settings, and takes no name of ours', async () => {
    const wrong = { sources: { hi: { greeter: { greeting: 7 } } } };
    await expect(start(wrong, { sourceKinds: [kind] })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('sources.hi.greeter.greeting: '),
      pointer: '#/sources/hi/greeter/greeting',
    });
    await expect(start({}, { sourceKinds: [{ ...kind, kind: 'openapi' }] })).rejects.toMatchObject({
      code: 'configuration_invalid',
    });
    await expect(start({ sources: { hi: { greeter: { greeting: '' } } } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('greeter'),
    });
  });
});
