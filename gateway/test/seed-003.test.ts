import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toRunEvent } from '../src/events/run-event.ts';
import {
  type CompletedResult,
  createGateway,
  defineTool,
  type Gateway,
  type ToolCall,
  type ToolResult,
  type ToolRouter,
} from '../src/index.ts';

/** The test lists of seed 003 §8, by name, through the public surface. */
let folder = '';
let gateway: Gateway | undefined;
let server: Server | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-seed-003-'));
});
afterEach(async () => {
  await gateway?.close();
  server?.closeAllConnections();
  server?.close();
  gateway = server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const document = (servers: string[], methods: Record<string, string> = { get: 'read' }) => ({
  openapi: '3.1.0',
  info: { title: 'Pages', version: '1' },
  paths: Object.fromEntries(
    servers.map((url, index) => [
      `/page${index}`,
      Object.fromEntries(
        Object.entries(methods).map(([method, operationId]) => [
          method,
          { operationId: `${operationId}${index}`, servers: [{ url }], responses: {} },
        ]),
      ),
    ]),
  ),
});

async function open(value: object, source: object = {}) {
  await writeFile(join(folder, 'pages.json'), JSON.stringify(value));
  gateway = await createGateway(
    {
      stateDirectory: join(folder, 'state'),
      sources: { pages: { openapi: './pages.json', prefix: 'none', ...source } },
    },
    { baseDirectory: folder },
  );
}

async function withFunctions(tools: ReturnType<typeof defineTool>[], more: object = {}) {
  const state = join(folder, 'state');
  gateway = await createGateway({ stateDirectory: state, ...more }, { functions: { desk: { tools } } });
}

/** An agent graph knows no more of us than this. */
const router = (): ToolRouter => gateway!;
async function call(tool: string, args: ToolCall['arguments'] = {}): Promise<CompletedResult> {
  const result: ToolResult = await router().call({ tool, arguments: args });
  if (result.kind !== 'completed') throw new Error('The tool asks something.');
  return result;
}

describe('seed 003 §8, unit tests', () => {
  it('schema validation', async () => {
    let executed = 0;
    const divide = defineTool({
      name: 'divide',
      description: 'Divides.',
      input: z.strictObject({ by: z.number().positive() }),
      output: z.strictObject({ result: z.number() }),
      access: 'read',
      handler: ({ by }) => {
        executed++;
        return by === 3 ? ({ result: 'a third' } as never) : { result: 12 / by };
      },
    });
    await withFunctions([divide], { output: { strict: true } });
    expect((await call('divide', { by: 4 })).structured).toEqual({ result: 3 });
    for (const wrong of [{}, { by: '4' }, { by: 0 }, { by: 1, weird: true }])
      expect((await call('divide', wrong)).error, JSON.stringify(wrong)).toMatchObject({
        code: 'arguments_invalid',
      });
    expect(executed).toBe(1);
    expect((await call('divide', { by: 3 })).error?.code).toBe('output_invalid');
  });

  it('SSRF blocking', async () => {
    let reached = 0;
    const loopback = await serve((_request, response) => {
      reached++;
      response.end('{}');
    });
    const { port } = new URL(loopback);
    const inside = [
      loopback,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      `http://0.0.0.0:${port}`,
      `http://2130706433:${port}`,
      'http://10.0.0.1',
      'http://172.16.0.1',
      'http://192.168.0.1',
      'http://169.254.169.254',
      'http://[fd00::1]',
    ];
    await open(document(inside));
    for (const [index, url] of inside.entries())
      expect((await call(`read${index}`)).error, url).toMatchObject({ code: 'egress_blocked' });
    expect(reached).toBe(0);
  });

  it('SSRF blocking: a redirect inside is not followed', async () => {
    let reached = 0;
    const url = await serve((request, response) => {
      if (request.url === '/secret') reached++;
      const { port } = server!.address() as AddressInfo;
      response.writeHead(302, { location: `http://localhost:${port}/secret` }).end();
    });
    await open(document([url]), { baseUrl: url });
    expect((await call('read0')).error).toMatchObject({ code: 'egress_blocked' });
    expect(reached).toBe(0);
  });

  it('retry/backoff behavior', async () => {
    const seen: { method: string; at: number }[] = [];
    const url = await serve((request, response) => {
      seen.push({ method: request.method!, at: performance.now() });
      const failing = seen.filter(({ method }) => method === request.method).length < 3;
      response.writeHead(failing ? 503 : 200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
    await open(document([url], { get: 'read', post: 'write' }), { baseUrl: url });
    expect((await call('read0')).structured).toEqual({ ok: true });
    expect(seen).toHaveLength(3);
    expect(seen[2]!.at - seen[0]!.at, 'waits before it asks again').toBeGreaterThan(0);
    // a write that may have happened is never repeated
    seen.length = 0;
    expect((await call('write0')).error).toBeDefined();
    expect(seen.map(({ method }) => method)).toEqual(['POST']);
  });
});

describe('seed 003 §8, integration tests', () => {
  const page = defineTool({
    name: 'page',
    description: 'A page.',
    input: z.strictObject({ size: z.int(), password: z.string().optional() }),
    access: 'read',
    handler: ({ size }) => {
      if (size < 0) throw new Error('There is no such page.');
      return 'x'.repeat(size);
    },
  });

  it('tool call writes TOOL_CALL_* events', async () => {
    await withFunctions([page]);
    await call('page', { size: 3, password: 'hunter2-hunter2' });
    await call('page', { size: -1 });
    const events = (await gateway!.events())
      .map(toRunEvent)
      .filter(({ type }) => type.startsWith('TOOL_CALL'));
    expect(events).toMatchObject([
      { type: 'TOOL_CALL_STARTED', tool_name: 'page', input: { size: 3 } },
      {
        type: 'TOOL_CALL_COMPLETED',
        tool_name: 'page',
        summary: expect.stringMatching(/\S/),
        duration_ms: expect.any(Number),
      },
      { type: 'TOOL_CALL_STARTED', tool_name: 'page', input: { size: -1 } },
      {
        type: 'TOOL_CALL_FAILED',
        tool_name: 'page',
        error_code: 'tool_failed',
        error_message: expect.stringContaining('no such page'),
        duration_ms: expect.any(Number),
      },
    ]);
    const [started, completed] = events as { correlation_id?: string }[];
    expect(completed!.correlation_id).toBe(started!.correlation_id);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('tool output stored as artifact', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('line of text\n'.repeat(10_000));
    });
    await open(document([url]), { baseUrl: url, limits: { maxTextLength: 1000 } });
    const result = await call('read0');
    expect(JSON.stringify(result.content).length).toBeLessThan(5000);
    const events = (await gateway!.events()).map(toRunEvent);
    const completed = events.find(({ type }) => type === 'TOOL_CALL_COMPLETED') as {
      output_artifact_id?: string;
    };
    expect(completed.output_artifact_id).toMatch(/./);
    expect(JSON.stringify(events)).not.toContain('line of text\\nline of text\\nline of text');
    const stored = await (await gateway!.artifacts()).get(completed.output_artifact_id!);
    expect(Buffer.from(stored!.bytes).toString()).toBe('line of text\n'.repeat(10_000));
  });
});
