import { describe, expect, it } from 'vitest';
import { createWebExecutor, type WebExecutorOptions } from '../../../src/executors/web/web-executor.ts';
import type { Call, JsonObject, WebCapability } from '../../../src/operations/index.ts';
import { describeWeb } from '../../../src/sources/web/describe.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import { startBrave } from '../../doubles/brave.ts';
import { startOpenSearch } from '../../doubles/opensearch.ts';
import { startSearxng } from '../../doubles/searxng.ts';
import { REFUSED_PORT } from '../../refused-port.ts';
import { html, PARAGRAPHS, startSite } from '../../web/direct/site.ts';
import { closing, failureOf, parts } from '../../web/searching.ts';

const keep = closing();
const EVERYTHING = { search: 'brave', scrape: 'direct', retrieve: { provider: 'postgres', table: 't' } };

function call(capability: WebCapability, args: JsonObject, extra: object = {}): Call {
  const operation = describeWeb('web', EVERYTHING).operations.find(({ id }) => id === capability)!;
  return {
    id: 'call-1',
    tool: `web_${capability}`,
    operation,
    arguments: args,
    dryRun: false,
    ...extra,
  } as unknown as Call;
}

async function run(executor: ReturnType<typeof createWebExecutor>, asked: Call) {
  const context = {
    connection: {} as never,
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
  };
  const raw = await executor.execute(asked, context);
  if (raw.kind !== 'value') throw new Error(`Unexpected ${raw.kind}`);
  return raw;
}

async function executor(settings: () => unknown, urls: string[], more: Partial<WebExecutorOptions> = {}) {
  const { egress, secrets } = parts(urls, { BRAVE_API_KEY: 'brave-double-key-5f2c' });
  keep(egress);
  return keep(createWebExecutor({ settings, egress, secrets: secrets!, ...more }));
}

/** The contract is checked as the router checks it. */
function fits(capability: WebCapability, structured: unknown): void {
  const { output, input } = call(capability, {}).operation;
  expect(createValidator().validate(output!, structured as never, 'property')).toMatchObject({ valid: true });
  expect(input['additionalProperties']).toBe(false);
}

describe('search', () => {
  it('answers with text for a model, structured results, and where they are from', async () => {
    const brave = keep(await startBrave());
    brave.pages.push({
      title: 'One',
      url: 'https://example.org/1',
      description: 'first',
      page_age: '2024-01-02T00:00:00',
    });
    const web = await executor(() => ({ search: { provider: 'brave', baseUrl: brave.url } }), [brave.url]);
    const raw = await run(web, call('search', { query: 'x', count: 3, freshness: 'day' }));
    expect(raw.content).toEqual([
      { type: 'text', text: '1. One\n   https://example.org/1 (2024-01-02T00:00:00.000Z)\n   first' },
    ]);
    expect(raw.meta).toEqual({ 'toolcrib/untrusted': { origin: brave.url } });
    fits('search', raw.structured);
  });

  it('follows the configuration from call to call; the contract stays', async () => {
    const [brave, searxng] = [keep(await startBrave()), keep(await startSearxng())];
    brave.pages.push({ title: 'B', url: 'https://example.org/b', description: 'b' });
    searxng.pages.push({ title: 'S', url: 'https://example.org/s' });
    let settings: object = { search: { provider: 'brave', baseUrl: brave.url } };
    const web = await executor(() => settings, [brave.url, searxng.url]);
    const first = await run(web, call('search', { query: 'x' }));
    settings = { search: { provider: 'searxng', baseUrl: searxng.url } };
    const second = await run(web, call('search', { query: 'x' }));
    expect([first, second].map(({ structured }) => (structured as JsonObject)['provider'])).toEqual([
      'brave',
      'searxng',
    ]);
    for (const { structured } of [first, second]) fits('search', structured);
  });

  it('of a chain names those that did not answer', async () => {
    const searxng = keep(await startSearxng());
    const gone = `http://127.0.0.1:${REFUSED_PORT}`;
    const search = [
      { provider: 'brave', baseUrl: gone },
      { provider: 'searxng', baseUrl: searxng.url },
    ];
    const web = await executor(() => ({ search }), [gone, searxng.url]);
    const raw = await run(web, call('search', { query: 'nothing' }));
    expect(raw.content?.map((block) => (block.type === 'text' ? block.text : ''))).toEqual([
      'Nothing was found for: nothing',
      expect.stringMatching(/^Note: brave did not answer: /),
    ]);
    fits('search', raw.structured);
  });
});

describe('scrape', () => {
  it('reads a page; its address is the origin', async () => {
    const site = keep(
      await startSite({ '/p': html(`<article><h1>Pots</h1>${PARAGRAPHS}</article>`, '<title>Pots</title>') }),
    );
    const web = await executor(() => ({ scrape: { provider: 'direct', allow: [site.host] } }), []);
    const raw = await run(web, call('scrape', { url: `${site.url}/p` }));
    expect(raw.meta).toEqual({ 'toolcrib/untrusted': { origin: `${site.url}/p` } });
    expect(raw.content?.[0]).toMatchObject({ text: expect.stringContaining('about teapots') });
    fits('scrape', raw.structured);
  });

  it('cannot reach what the configuration allows for APIs', async () => {
    const [site, opensearch] = [keep(await startSite({ '/': html('x') })), keep(await startOpenSearch())];
    const settings = {
      scrape: { provider: 'direct', allow: [site.host] },
      retrieve: { provider: 'opensearch', baseUrl: opensearch.url, index: 'chunks' },
    };
    const web = await executor(() => settings, [opensearch.url]);
    const error = await failureOf(run(web, call('scrape', { url: `${opensearch.url}/_cat/indices` })));
    expect(error.code).toBe('egress_blocked');
    expect(opensearch.requests).toHaveLength(0);
  });
});

describe('retrieve', () => {
  it('gives passages with their ids, scores and sources', async () => {
    const opensearch = keep(await startOpenSearch());
    opensearch.documents.set('7', { text: 'About teapots', source: 'https://docs.example/7', tenant: 'a' });
    const retrieve = { provider: 'opensearch', baseUrl: opensearch.url, index: 'chunks' };
    const web = await executor(() => ({ retrieve }), [opensearch.url]);
    const raw = await run(web, call('retrieve', { query: 'teapots', filters: { tenant: 'a' }, count: 2 }));
    expect(raw.content?.[0]).toEqual({
      type: 'text',
      text: '[7] https://docs.example/7 (score 1)\nAbout teapots',
    });
    expect(raw.meta).toEqual({ 'toolcrib/untrusted': { origin: opensearch.url } });
    fits('retrieve', raw.structured);
  });

  it('through a tool of an MCP server carries the call on whose behalf it is', async () => {
    const asked: unknown[] = [];
    const web = await executor(() => ({ retrieve: { provider: 'mcp', server: 'kb', tool: 'find' } }), [], {
      mcp: async (server, tool, args, { call: asking }) => {
        asked.push([server, tool, args, asking.id]);
        return { structuredContent: { passages: [{ id: '1', text: 'Known' }] } };
      },
    });
    const raw = await run(web, call('retrieve', { query: 'q' }));
    expect(asked).toEqual([['kb', 'find', { query: 'q', count: 10 }, 'call-1']]);
    fits('retrieve', raw.structured);
    const without = await executor(() => ({ retrieve: { provider: 'mcp', server: 'kb', tool: 'find' } }), []);
    expect(await failureOf(run(without, call('retrieve', { query: 'q' })))).toMatchObject({
      code: 'configuration_invalid',
    });
  });
});

describe('a dry run', () => {
  it('says who would be asked, and asks nobody', async () => {
    const web = await executor(
      () => ({ search: ['brave', { provider: 'searxng', baseUrl: 'https://s.example' }] }),
      [],
    );
    const raw = await run(web, call('search', { query: 'x' }, { dryRun: true }));
    expect(JSON.parse((raw.content![0] as { text: string }).text)).toEqual({
      web: 'search',
      providers: ['brave', 'searxng'],
      arguments: { query: 'x' },
    });
  });
});

describe('a source whose configuration has gone', () => {
  it('is an error that says so', async () => {
    const web = await executor(() => undefined, []);
    expect(await failureOf(run(web, call('search', { query: 'x' })))).toMatchObject({
      code: 'configuration_invalid',
    });
  });
});
