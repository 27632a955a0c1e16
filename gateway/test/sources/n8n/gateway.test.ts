import { createHmac } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import {
  type DoubleNode,
  type DoubleWorkflow,
  type N8nDouble,
  Responded,
  startN8n,
} from '../../doubles/n8n.ts';
import { fence } from './describing.ts';

const SECRET = 'a passphrase that is long enough for HS256';
const CREDENTIALS = {
  'Basic login': { user: 'ann', password: 'open sesame' },
  'Flow key': { name: 'X-Flow-Key', value: 'flow-key-7' },
  Signed: { secret: SECRET },
};

function signed(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'toolcrib' })}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

let n8n: N8nDouble;
let gateway: Gateway | undefined;
let client: Client | undefined;
beforeEach(async () => {
  n8n = await startN8n({ credentials: CREDENTIALS });
});
afterEach(async () => {
  await client?.close();
  await gateway?.close();
  await n8n.close();
  client = gateway = undefined;
});

const node = (parameters: object, more: Partial<DoubleNode> = {}): DoubleNode => ({
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  webhookId: 'a8a1b1c6-0000-4000-8000-000000000001',
  parameters: { path: 'flow', httpMethod: 'POST', responseMode: 'lastNode', ...parameters },
  ...more,
});
const flow = (
  name: string,
  parameters: object = {},
  more: Partial<DoubleNode> = {},
  run?: DoubleWorkflow['run'],
): DoubleWorkflow => ({
  id: name,
  name,
  nodes: [node({ path: name.toLowerCase(), ...parameters }, more)],
  ...(run === undefined ? {} : { run }),
});
const echo: DoubleWorkflow['run'] = ({ body, query, params }) => ({ body, query, params });

/** A gateway over the double; without `credentials` for its webhooks. */
async function open(settings: object = {}, credentials: object = {}): Promise<Client> {
  gateway = await createGateway(
    {
      store: 'none',
      cache: false,
      sources: {
        flows: {
          n8n: {
            url: n8n.url,
            apiKey: n8n.apiKey,
            authHeaders: { 'Flow key': 'X-Flow-Key' },
            refresh: 1000,
            ...settings,
          },
          credentials,
          limits: { timeout: '5s' },
        },
      },
    },
    { baseDirectory: import.meta.dirname },
  );
  const { url } = await gateway.listen({ port: 0 });
  client = new Client({ name: 'flows', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return client;
}

const call = (name: string, args: Record<string, unknown> = {}) =>
  client!.callTool({ name, arguments: args });
const text = (result: Awaited<ReturnType<typeof call>>) =>
  (result.content as { text?: string }[]).map((block) => block.text).join('\n');
const names = async () => (await client!.listTools()).tools.map(({ name }) => name);

describe('workflows as tools', () => {
  it('are listed by their names, and called by these or with a dot', async () => {
    n8n.publish(flow('Echo', {}, {}, echo), { ...flow('Draft'), active: false });
    await open();
    const { tools } = await client!.listTools();
    expect(tools).toMatchObject([
      { name: 'n8n_Echo', title: 'n8n.Echo', annotations: { readOnlyHint: false } },
    ]);
    const body = { a: [1, 'ü'] };
    for (const name of ['n8n_Echo', 'n8n.Echo']) {
      const result = await call(name, { body });
      expect(result.structuredContent).toEqual({ body, query: {}, params: {} });
    }
    const [sent] = n8n.requests.filter(({ path }) => path.startsWith('/webhook'));
    expect(sent).toMatchObject({ method: 'POST', path: '/webhook/echo' });
    expect(sent!.headers['user-agent']).toContain('Toolcrib');
  });

  it('are read page by page', async () => {
    await n8n.close();
    n8n = await startN8n({ pageSize: 2 });
    n8n.publish(...['A', 'B', 'C', 'D', 'E'].map((name) => flow(name)));
    await open();
    expect(await names()).toEqual(['n8n_A', 'n8n_B', 'n8n_C', 'n8n_D', 'n8n_E']);
    expect(n8n.requests.filter(({ path }) => path === '/api/v1/workflows')).toHaveLength(3);
  });

  it('take path parameters and queries', async () => {
    n8n.publish(
      flow('Path', { path: 'users/:id/x' }, {}, echo),
      flow('Query', { httpMethod: 'GET' }, {}, echo),
    );
    await open();
    expect((await call('n8n_Path', { id: '7 ü', body: {} })).structuredContent).toMatchObject({
      params: { id: '7 ü' },
    });
    const sent = n8n.requests.length;
    expect((await call('n8n_Path', { id: '7/8', body: {} })).isError).toBe(true);
    expect(n8n.requests).toHaveLength(sent);
    const asked = await call('n8n_Query', { query: { page: 2, tag: ['a', 'b'] } });
    expect(asked.structuredContent).toMatchObject({ query: { page: '2', tag: ['a', 'b'] } });
  });

  it('a declared list is one to the workflow, also with a single value', async () => {
    const note = '```toolcrib-input\ntype: object\nproperties: { tag: { type: array, items: {} } }\n```';
    n8n.publish(flow('Tagged', { httpMethod: 'GET' }, { notes: note }, echo));
    await open();
    const one = await call('n8n_Tagged', { tag: ['a'] });
    expect(one.structuredContent).toMatchObject({ query: { tag: ['a'] } });
    const two = await call('n8n_Tagged', { tag: ['a', 'b&c'] });
    expect(two.structuredContent).toMatchObject({ query: { tag: ['a', 'b&c'] } });
  });

  it('a workflow whose last node gives no item has failed for its caller', async () => {
    n8n.publish(flow('Nothing', {}, {}, () => undefined));
    await open();
    const result = await call('n8n_Nothing', { body: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('No item to return was found');
  });
});

describe('authentication', () => {
  const asks = (authentication: string, type: string, name: string) =>
    flow('Guarded', { authentication }, { credentials: { [type]: { id: '1', name } } }, echo);
  const kinds: readonly [string, DoubleWorkflow, object, object, number][] = [
    [
      'basic',
      asks('basicAuth', 'httpBasicAuth', 'Basic login'),
      { basic: { username: 'ann', password: 'open sesame' } },
      { basic: { username: 'ann', password: 'no' } },
      401,
    ],
    [
      'header',
      asks('headerAuth', 'httpHeaderAuth', 'Flow key'),
      { apiKey: 'flow-key-7' },
      { apiKey: 'no' },
      403,
    ],
    ['jwt', asks('jwtAuth', 'jwtAuth', 'Signed'), { bearer: signed() }, { bearer: 'x.y.z' }, 403],
  ];

  it.each(kinds)('%s: with the credential of its name the workflow runs', async (_kind, workflow, right) => {
    n8n.publish(workflow);
    const [credential] = Object.values(workflow.nodes[0]!.credentials!);
    await open({}, { schemes: { [credential!.name]: right } });
    expect((await call('n8n_Guarded', { body: { a: 1 } })).structuredContent).toMatchObject({
      body: { a: 1 },
    });
  });

  it.each(kinds)(
    '%s: a wrong one is refused, and the answer says so',
    async (_kind, workflow, _right, wrong, status) => {
      n8n.publish(workflow);
      await open({}, wrong);
      const result = await call('n8n_Guarded', { body: {} });
      expect(result.isError).toBe(true);
      expect(text(result)).toContain(`answered ${status}`);
    },
  );

  it.each(kinds)('%s: without one nothing is sent', async (_kind, workflow) => {
    n8n.publish(workflow);
    await open();
    const result = await call('n8n_Guarded', { body: {} });
    expect(result.isError).toBe(true);
    expect(text(result)).toContain('credentials_missing');
    expect(n8n.requests.filter(({ path }) => path.startsWith('/webhook'))).toEqual([]);
  });
});

describe('answers', () => {
  it('onReceived: that it was started', async () => {
    n8n.publish(flow('Go', { responseMode: undefined }));
    await open();
    expect((await call('n8n_Go')).structuredContent).toEqual({ message: 'Workflow was started' });
    const { tools } = await client!.listTools();
    expect(tools[0]!.description).toContain('not what came of it');
  });

  it('all entries are under `result`', async () => {
    n8n.publish(flow('All', { responseData: 'allEntries' }, {}, () => [{ a: 1 }, { a: 2 }]));
    await open();
    expect((await call('n8n_All')).structuredContent).toEqual({ result: [{ a: 1 }, { a: 2 }] });
  });

  it('text and nothing at all are answers too', async () => {
    n8n.publish(
      flow(
        'Words',
        { responseMode: 'responseNode' },
        {},
        () => new Responded('plain words', { type: 'text/html; charset=utf-8' }),
      ),
      flow('Silent', { responseData: 'noData' }),
    );
    await open();
    expect(text(await call('n8n_Words'))).toContain('plain words');
    expect((await call('n8n_Silent')).isError).not.toBe(true);
  });

  it('a stream is read to its end', async () => {
    n8n.publish(flow('Flowing', { responseMode: 'streaming' }, {}, () => ({ ok: true })));
    await open();
    const pieces = JSON.parse(text(await call('n8n_Flowing')).split('\n')[0]!);
    expect(pieces.map(({ type }: { type: string }) => type)).toEqual(['begin', 'item', 'end']);
  });

  it('a webhook that ignores bots answers', async () => {
    n8n.publish(flow('People', { options: { ignoreBots: true } }, {}, echo));
    await open();
    expect((await call('n8n_People', { body: {} })).isError).not.toBe(true);
  });

  it('a run that failed is an error, and is not run again', async () => {
    n8n.publish(
      flow('Fail', { httpMethod: 'GET' }, {}, () => {
        throw new Error('out of stock');
      }),
    );
    await open();
    const result = await call('n8n_Fail');
    expect(result.isError).toBe(true);
    expect(text(result)).toContain('Error in workflow');
    expect(n8n.requests.filter(({ path }) => path === '/webhook/fail')).toHaveLength(1);
  });

  it('an address that is gone says what n8n says', async () => {
    n8n.publish(flow('Gone'));
    await open({ refresh: false });
    n8n.publish();
    const result = await call('n8n_Gone');
    expect(result.isError).toBe(true);
    expect(text(result)).toContain('is not registered');
  });

  it('too many requests are tried again later, since nothing ran', async () => {
    n8n.publish(flow('Busy', {}, {}, echo));
    await open();
    n8n.answerNext({ status: 429, headers: { 'retry-after': '0' }, body: { message: 'Too many requests' } });
    expect((await call('n8n_Busy', { body: {} })).isError).not.toBe(true);
  });
});

describe('a workflow that changes', () => {
  it('changes its tool, comes and goes while clients are connected', async () => {
    n8n.publish(flow('First'));
    await open();
    const notes = `Counts.\n${fence('toolcrib-input', 'type: object\nproperties: { count: { type: integer } }')}`;
    n8n.publish(flow('First', {}, { notes }), flow('Second'));
    await expect.poll(names).toEqual(['n8n_First', 'n8n_Second']);
    const { tools } = await client!.listTools();
    expect(tools[0]).toMatchObject({
      description: 'Counts.',
      inputSchema: { properties: { count: { type: 'integer' } } },
    });
    n8n.publish(flow('Second'));
    await expect.poll(names).toEqual(['n8n_Second']);
  });

  it('keeps its tools while n8n cannot be asked', async () => {
    n8n.publish(flow('Stays', {}, {}, echo));
    await open();
    n8n.answerNext({ status: 500 });
    const asked = n8n.requests.length;
    await expect.poll(() => n8n.requests.length).toBeGreaterThan(asked + 1);
    expect(await names()).toEqual(['n8n_Stays']);
    expect((await call('n8n_Stays', { body: {} })).isError).not.toBe(true);
  });
});

describe('the key of the public API', () => {
  it('a wrong one is named with its place, never with its value', async () => {
    const opening = open({ apiKey: 'wrong-key-value' });
    await expect(opening).rejects.toMatchObject({ code: 'source_unreadable', status: 401 });
    await expect(opening).rejects.not.toThrow(/wrong-key-value/);
  });

  it('an environment variable that is not set is told', async () => {
    await expect(open({ apiKey: { env: 'N8N_KEY_THAT_IS_NOT_SET' } })).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });

  it('goes to the API alone', async () => {
    n8n.publish(flow('Echo', {}, {}, echo));
    await open();
    await call('n8n_Echo', { body: {} });
    const [sent] = n8n.requests.filter(({ path }) => path.startsWith('/webhook'));
    expect(sent).toMatchObject({ path: '/webhook/echo' });
    expect(sent!.headers).not.toHaveProperty('x-n8n-api-key');
    expect(JSON.stringify((await client!.listTools()).tools)).not.toContain(n8n.apiKey);
  });
});
