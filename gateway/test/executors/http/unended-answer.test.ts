import { createServer, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import type { HttpAnswer } from '../../../src/executors/executor.ts';
import { createHttpExecutor } from '../../../src/executors/http/index.ts';
import { type Call, LOCAL_PRINCIPAL, type Operation } from '../../../src/operations/index.ts';
import { connectionOf, operationOf } from './operation-under-test.ts';

type Begin = (response: ServerResponse) => void;

let server: Server;
let egress: Egress;
let origin: string;
let begin: Begin;
let requests: number;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    request.resume().on('end', () => begin(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  egress = createEgress({ allow: [origin] });
  // the door is opened by its first request, which takes a while where much else goes on
  begin = (response) => response.end();
  const limits = { timeoutMs: 30_000, maxBytes: 1, maxRedirects: 0 };
  await egress.request({ method: 'GET', url: origin, headers: [] }, limits, new AbortController().signal);
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const stream =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Begin =>
  (response) => {
    response.writeHead(200, { 'content-type': type, ...headers }).flushHeaders();
    response.write(body);
  };

/** The service answers, and its answer does not end. */
async function run(
  answer: Begin,
  { method = 'GET', ...operation }: Partial<Operation> & { readonly method?: string } = {},
  conceal?: (body: Uint8Array) => Uint8Array,
): Promise<HttpAnswer> {
  begin = answer;
  requests = 0;
  const signal = new AbortController().signal;
  const deadline = Date.now() + 1000;
  const executor = createHttpExecutor({
    egress,
    credentials: {
      authorize: async (request) => request,
      plan: async (request) => request,
      refused: () => false,
      concealAnswer: (response) =>
        conceal === undefined ? response : { ...response, body: conceal(response.body) },
    },
    retry: { baseDelayMs: 1, maxDelayMs: 1 },
  });
  const call: Call = {
    id: 'c',
    principal: LOCAL_PRINCIPAL,
    tool: 't',
    operation: operationOf({ method }, operation),
    arguments: {},
    deadline,
    signal,
    channel: {},
    dryRun: false,
    depth: 0,
  };
  const raw = await executor.execute(call, {
    connection: connectionOf({ baseUrl: origin }),
    signal,
    deadline,
  });
  return raw as HttpAnswer;
}

const NOTE =
  'The answer had not ended when the time of the call was over: this is what had come of it until then.';
const cut = {
  code: 'deadline_exceeded',
  message: expect.stringMatching(/had not ended/),
  next: expect.stringContaining('an answer that ends'),
};

describe('a stream without an end', () => {
  it('is answered with what came while the call waited', async () => {
    const raw = await run(stream('text/event-stream', 'data: 1\n\ndata: 2\n\ndata: '));
    expect(raw).toMatchObject({ status: 200, url: `${origin}/`, attempts: 1, warnings: [NOTE] });
    expect(Buffer.from(raw.body).toString()).toBe('data: 1\n\ndata: 2\n\n');
    expect(requests).toBe(1);
  });

  it('may have had nothing to tell', async () => {
    const raw = await run((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    expect(raw).toMatchObject({ status: 200, warnings: [NOTE] });
    expect(raw.body).toHaveLength(0);
  });

  it('by POST, where that reads', async () => {
    const read = run(stream('application/json', '{"a":1}\n{"a":2}\n'), { method: 'POST', access: 'read' });
    expect((await read).warnings).toEqual([NOTE]);
  });

  it('has its credential hidden like every answer', async () => {
    const raw = await run(stream('text/plain', 'token s3cret\n'), {}, (body) =>
      Buffer.from(Buffer.from(body).toString().replace('s3cret', '••••')),
    );
    expect(Buffer.from(raw.body).toString()).toBe('token ••••\n');
    expect(raw.warnings).toEqual([NOTE]);
  });
});

describe('the deadline has passed', () => {
  it.each([
    ['a document of which a part means nothing', stream('text/html', '<p>\n<p>\n')],
    ['JSON that is not whole', stream('application/json', '{\n"a": 1,\n"b"')],
    ['a download that stands still', stream('text/plain', 'one\n', { 'content-length': '400' })],
    ['what cannot be decoded', stream('text/plain', gzipSync('one\n'), { 'content-encoding': 'gzip' })],
  ])('for %s', async (_what, answer) => {
    await expect(run(answer)).rejects.toMatchObject(cut);
  });

  it('for an error that does not end', async () => {
    const answer: Begin = (response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.write('one\n');
    };
    await expect(run(answer)).rejects.toMatchObject(cut);
  });

  it('for a write: whether it was carried out is not known', async () => {
    const write = run(stream('text/plain', 'one\n'), {
      method: 'POST',
      access: 'write',
      safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
    });
    await expect(write).rejects.toMatchObject({ code: 'outcome_unknown' });
  });
});
