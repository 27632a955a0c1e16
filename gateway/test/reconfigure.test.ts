import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createGateway, type Event, type Gateway, loadConfiguration } from '../src/index.ts';

/** An API with one operation; answers who was asked and with which key. */
const api = createServer((request, response) => {
  const slow = request.url?.startsWith('/slow') ? 300 : 0;
  setTimeout(() => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ path: request.url, key: request.headers['x-key'] ?? null }));
  }, slow);
});
let base: string;
let folder: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => api.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-reconfigure-'));
  return () => rm(folder, { recursive: true, force: true });
});

const documentWith = (...operations: string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Api', version: '1' },
    servers: [{ url: base }],
    paths: Object.fromEntries(
      operations.map((id) => [
        `/${id}`,
        { get: { operationId: id, responses: { 200: { description: 'ok' } } } },
      ]),
    ),
  });

interface Written {
  readonly [source: string]: Record<string, unknown>;
}

const file = () => join(folder, 'toolcrib.yaml');
const write = (sources: Written, rest: Record<string, unknown> = {}) =>
  writeFile(file(), stringify({ store: 'none', cache: false, sources, ...rest }));
const load = () =>
  loadConfiguration({
    file: file(),
    cwd: folder,
    env: {},
    overrides: { stateDirectory: join(folder, 'state') },
  });

async function running(use: (gateway: Gateway, events: Event[]) => Promise<void>): Promise<void> {
  const gateway = await createGateway(await load(), { reload: load });
  const events: Event[] = [];
  gateway.onEvent((event) => events.push(event));
  try {
    await use(gateway, events);
  } finally {
    await gateway.close();
  }
}

const names = (gateway: Gateway) => gateway.view().tools.map(({ name }) => name);

describe('a configuration that changes while the gateway runs', () => {
  it('adds, changes and removes sources when its file is saved, and tells clients', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one'));
    await writeFile(join(folder, 'b.json'), documentWith('two'));
    await write({ a: { openapi: './a.json', baseUrl: base } });
    await running(async (gateway, events) => {
      let told = 0;
      gateway.onChange((change) => {
        if (change === 'tools') told++;
      });
      expect(names(gateway)).toEqual(['a_one']);
      await write({ a: { openapi: './a.json', baseUrl: base }, b: { openapi: './b.json', baseUrl: base } });
      await expect.poll(() => names(gateway)).toEqual(['a_one', 'b_two']);
      await write({ b: { openapi: './b.json', baseUrl: base, headers: { 'x-key': 'new' } } });
      await expect.poll(() => names(gateway)).toEqual(['b_two']);
      const result = await gateway.call({ tool: 'b_two' });
      expect(result).toMatchObject({ structured: { path: '/two', key: 'new' } });
      await expect(gateway.call({ tool: 'a_one' })).rejects.toMatchObject({ code: 'tool_unknown' });
      expect(told).toBeGreaterThanOrEqual(2);
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['source-added', 'source-changed', 'source-removed', 'catalog-swapped']),
      );
    });
  });

  it('lets a call in flight end as it began', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('slow'));
    await write({ a: { openapi: './a.json', baseUrl: base, headers: { 'x-key': 'old' } } });
    await running(async (gateway) => {
      const pending = gateway.call({ tool: 'a_slow' });
      await write({ a: { openapi: './a.json', baseUrl: base, headers: { 'x-key': 'new' } } });
      await gateway.reconfigure(await load());
      expect(await pending).toMatchObject({ structured: { key: 'old' } });
      expect(await gateway.call({ tool: 'a_slow' })).toMatchObject({ structured: { key: 'new' } });
    });
  });

  it('goes on as it is when the file cannot be used', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one'));
    await write({ a: { openapi: './a.json', baseUrl: base } });
    await running(async (gateway) => {
      await writeFile(file(), 'sources: { a: { openapi: [');
      await write({ a: { openapi: './a.json', baseUrl: base, prefix: 'renamed' } });
      await expect.poll(() => names(gateway)).toEqual(['renamed_one']);
    });
  });

  it('shows another topology at once, and tells clients', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one', 'two'));
    const sources = { a: { openapi: './a.json', baseUrl: base } };
    await write(sources);
    await running(async (gateway) => {
      let told = 0;
      gateway.onChange((change) => {
        if (change === 'tools') told++;
      });
      expect(names(gateway)).toEqual(['a_one', 'a_two']);
      await write(sources, { topology: 'base' });
      const changes = await gateway.reconfigure(await load());
      expect(changes).toMatchObject({ changed: [], reshaped: true, afterRestart: [] });
      expect(names(gateway)).toEqual(['call_api_endpoint', 'get_reference_schema', 'list_api_endpoints']);
      expect(told).toBeGreaterThanOrEqual(1);
      const result = await gateway.call({ tool: 'call_api_endpoint', arguments: { operation: 'two' } });
      expect(result).toMatchObject({ structured: { path: '/two' } });
      await expect(gateway.call({ tool: 'a_one' })).resolves.toMatchObject({ structured: { path: '/one' } });
    });
  });

  it('names what counts only after a restart', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one'));
    await write({ a: { openapi: './a.json', baseUrl: base } });
    await running(async (gateway) => {
      await write({ a: { openapi: './a.json', baseUrl: base } }, { name: 'other', server: { port: 1 } });
      const changes = await gateway.reconfigure(await load());
      expect(changes).toEqual({
        added: [],
        changed: [],
        removed: [],
        reshaped: false,
        afterRestart: ['name', 'server'],
      });
      expect(gateway.configuration.name).toBe('toolcrib');
    });
  });

  it('says so where levels for new users wait for a restart', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one'));
    await write({ a: { openapi: './a.json', baseUrl: base } });
    await running(async (gateway) => {
      const before = gateway.configuration.policy.defaults;
      const levels = { organisation: { '*': 'none' }, user: { '*': 'none' } };
      const narrowed = { policy: { defaults: levels, approvals: { write: 'ask' } } };
      await write({ a: { openapi: './a.json', baseUrl: base } }, narrowed);
      const changes = await gateway.reconfigure(await load());
      expect(changes.afterRestart).toEqual(['policy.defaults']);
      expect(gateway.configuration.policy).toMatchObject({ defaults: before, approvals: { write: 'ask' } });
    });
  });

  it('compiles every source again when the shape of output schemas changes', async () => {
    await writeFile(join(folder, 'a.json'), documentWith('one'));
    const sources = { a: { openapi: './a.json', baseUrl: base } };
    await write(sources);
    await running(async (gateway) => {
      await write(sources, { output: { schemas: false } });
      expect((await gateway.reconfigure(await load())).changed).toEqual(['a']);
      await write(sources, { output: { schemas: false, strict: true } });
      expect((await gateway.reconfigure(await load())).changed).toEqual([]);
    });
  });

  it('lists output schemas as strictly as answers are held to them', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const document = JSON.parse(documentWith('one'));
    document.paths['/one'].get.responses[200].content = { 'application/json': { schema } };
    await writeFile(join(folder, 'a.json'), JSON.stringify(document));
    const sources = { a: { openapi: './a.json', baseUrl: base } };
    const required = (gateway: Gateway) => gateway.view().tools[0]?.tool.outputSchema?.['required'];
    await write(sources);
    await running(async (gateway) => {
      expect(required(gateway)).toBeUndefined();
      await write(sources, { output: { strict: true } });
      await gateway.reconfigure(await load());
      expect(required(gateway)).toEqual(['id']);
    });
  });
});
