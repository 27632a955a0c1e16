// npm run test:n8n: workflows of a real n8n as tools of a real gateway. Exits 0 when all holds. See docs/n8n.md.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from '../../src/index.ts';
import { type Case, casesOf } from './cases.ts';
import { SECRETS, webhook } from './flows.ts';
import { type Instance, startInstance } from './instance.ts';

const note = (text: string) => process.stdout.write(`${text}\n`);
const FENCE = '```';

const n8n = await startInstance(note);
try {
  await verify(n8n);
  note('All holds.');
} finally {
  await n8n.stop();
}

async function verify(instance: Instance): Promise<void> {
  const cases = casesOf(await createCredentials(instance));
  const ids = new Map<string, string>();
  for (const flow of new Set(cases.map((one) => one.flow))) {
    const { id } = await instance.api('POST', '/workflows', flow);
    await instance.api('POST', `/workflows/${id}/activate`);
    ids.set(flow.name, String(id));
  }
  note(`${ids.size} workflows are active`);
  const gateway = await createGateway(
    { store: 'none', cache: false, sources: { flows: sourceOf(instance) } },
    { baseDirectory: import.meta.dirname },
  );
  const client = new Client({ name: 'test-n8n', version: '1.0.0' });
  try {
    const { url } = await gateway.listen({ port: 0 });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    await callEach(client, cases);
    await mismatch(client);
    await wrongCredentials(instance);
    await changes(client, instance, cases[0]!, ids.get('Echo')!);
  } finally {
    await client.close();
    await gateway.close();
  }
}

async function createCredentials({ api }: Instance) {
  const make = async (name: string, type: string, data: object) =>
    String((await api('POST', '/credentials', { name, type, data }))['id']);
  return {
    basic: await make('Basic login', 'httpBasicAuth', SECRETS.basic),
    header: await make('Flow key', 'httpHeaderAuth', SECRETS.header),
    jwt: await make('Signed', 'jwtAuth', { keyType: 'passphrase', secret: SECRETS.jwt, algorithm: 'HS256' }),
  };
}

function sourceOf({ url, apiKey }: Instance) {
  const { user, password } = SECRETS.basic;
  return {
    n8n: { url, apiKey, authHeaders: { 'Flow key': SECRETS.header.name }, refresh: '1s' },
    credentials: {
      schemes: {
        'Basic login': { basic: { username: user, password } },
        'Flow key': { apiKey: SECRETS.header.value },
        Signed: { bearer: signedToken() },
      },
    },
  };
}

function signedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'toolcrib' })}`;
  return `${text}.${createHmac('sha256', SECRETS.jwt).update(text).digest('base64url')}`;
}

async function callEach(client: Client, cases: readonly Case[]): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), cases.map(({ tool }) => tool).sort());
  for (const one of cases) {
    const tool = tools.find(({ name }) => name === one.tool)!;
    if (one.takes !== undefined) assert.deepEqual(membersOf(tool.inputSchema), one.takes, one.tool);
    const { result, text } = await callRegistered(client, one);
    assert.equal(result.isError === true, one.isError === true, `${one.tool}: ${text}`);
    if (one.structured !== undefined) assert.deepEqual(result.structuredContent, one.structured, one.tool);
    if (one.text !== undefined) assert.match(text, one.text, one.tool);
    note(`${one.tool}: ${text.slice(0, 80).replaceAll('\n', ' ')}`);
  }
}

/** n8n 2 registers the webhooks of an activated workflow a moment later. */
async function callRegistered(client: Client, { tool, arguments: given }: Pick<Case, 'tool' | 'arguments'>) {
  for (const end = performance.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const result = await client.callTool({ name: tool, arguments: given });
    const text = (result.content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
    if (!text.includes('is not registered') || performance.now() > end) return { result, text };
  }
}

function membersOf(schema: { properties?: object | undefined }): Record<string, readonly string[]> {
  const members = (value: object) => Object.keys((value as { properties?: object }).properties ?? {});
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, value]) => [name, members(value as object)]),
  );
}

/** What n8n says to a credential that is none of its own; a tool passes it on as an error. */
async function wrongCredentials(instance: Instance): Promise<void> {
  const { n8n } = sourceOf(instance);
  const credentials = { basic: { username: 'ann', password: 'no' }, apiKey: 'no', bearer: 'x.y.z' };
  const sources = { flows: { n8n, credentials } };
  const gateway = await createGateway({ store: 'none', cache: false, sources });
  try {
    for (const [tool, status] of Object.entries({ basic: 401, header: 403, jwt: 403 })) {
      const result = await gateway.call({ tool: `n8n_Auth_${tool}`, arguments: {} });
      assert.equal(result.kind === 'completed' && result.error?.status, status, tool);
      note(`${tool}: a wrong credential is refused with ${status}`);
    }
  } finally {
    await gateway.close();
  }
}

/** An error that the workflow reports with status 200 does not pass for an answer. */
async function mismatch(client: Client): Promise<void> {
  const result = await client.callTool({ name: 'n8n_Respond', arguments: { body: {} } });
  assert.equal(result.isError, true);
  assert.match(JSON.stringify(result.content), /output_invalid/);
  note('An answer that does not fit its schema is refused');
}

/** Edited and published: the tool is another one, at the next look. Deactivated: it is gone. */
async function changes(client: Client, { api }: Instance, { flow }: Case, id: string): Promise<void> {
  const input = `${FENCE}toolcrib-input\ntype: object\nproperties: { count: { type: integer } }\n${FENCE}`;
  const [, ...others] = flow.nodes;
  const changed = webhook(
    { path: 'echo', httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    { notes: `Counts.\n${input}` },
  );
  await api('PUT', `/workflows/${id}`, { ...flow, nodes: [changed, ...others] });
  await api('POST', `/workflows/${id}/activate`);
  const echo = async () => (await client.listTools()).tools.find(({ name }) => name === 'n8n_Echo');
  await until(async () => (await echo())?.description === 'Counts.');
  const { result } = await callRegistered(client, { tool: 'n8n_Echo', arguments: { count: 3 } });
  assert.deepEqual((result.structuredContent as { body: object }).body, { count: 3 });
  note('A changed workflow changed its tool');
  await api('POST', `/workflows/${id}/deactivate`);
  await until(async () => (await echo()) === undefined);
  note('A deactivated workflow took its tool along');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    assert.ok(performance.now() < end, 'It did not happen within 20 s.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
