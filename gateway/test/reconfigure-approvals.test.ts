import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { approvalAskedFor, DROP_API, PERSON } from './approved-calls.ts';
import { liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('links to where people reach the gateway by the policy of now', async () => {
  const links: string[] = [];
  const receiver = await liveService(async (request) => {
    const { data } = JSON.parse(await text(request));
    links.push(data.link);
    return false;
  });
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', JSON.stringify(DROP_API));
  const write = (url: string) =>
    configure({
      watch: false,
      store: 'sqlite:./store.db',
      policy: { approvals: { url } },
      events: {
        webhooks: [{ url: receiver.base, secret: 'a-signing-secret', types: ['approval-requested'] }],
      },
      sources: { a: { openapi: './a.json' } },
    });
  await write('https://before.example');
  const gateway = await start();
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  await write('https://after.example');
  await gateway.reconfigure(await load());
  // webhooks begin a while after the gateway listens, with what happens then
  let id = 0;
  await expect
    .poll(
      async () => {
        await gateway.call({ tool: 'a_drop', arguments: { id: ++id } });
        return links.length;
      },
      { interval: 200 },
    )
    .toBeGreaterThan(0);
  expect(links[0]).toMatch(/^https:\/\/after\.example\/approve\//);
});

/** Speaks as much MCP as one tool needs that destroys what its argument names. */
const SERVER = `
import { createInterface } from 'node:readline';
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'wipe', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
});
`;

it('asks anew where an upstream server is another one, not where its variables differ', async () => {
  const { put, configure, load, start } = await liveFolder();
  await put('server.mjs', SERVER);
  const write = (database: string, token: string) =>
    configure({
      watch: false,
      sources: {
        files: {
          mcp: { command: process.execPath, args: ['./server.mjs', database], env: { TOKEN: token } },
        },
      },
    });
  await write('staging', 'first');
  const gateway = await start();
  const approval = async () => {
    const result = await gateway.call({ tool: 'files_wipe' });
    return result.kind === 'completed' ? result.error?.details?.['approval'] : undefined;
  };
  const asked = await approval();
  expect(asked).toMatch(/^[0-9a-f]{32}$/);
  await write('staging', 'second');
  await gateway.reconfigure(await load());
  expect(await approval()).toBe(asked);
  await write('production', 'second');
  await gateway.reconfigure(await load());
  expect(await approval()).not.toBe(asked);
});

it.each([
  ['credential', { bearer: { env: 'SANDBOX_TOKEN' } }, { bearer: { env: 'PRODUCTION_TOKEN' } }],
  ['client', oauth2('sandbox'), oauth2('production')],
])('what was agreed to for one %s does not count for another that takes its name', async (_, one, other) => {
  const { base, seen } = await liveService();
  const { put, configure, load, start } = await liveFolder();
  await put(
    'api.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Api', version: '1' },
      servers: [{ url: base }],
      paths: { '/all': { delete: { operationId: 'drop', responses: { 204: { description: 'gone' } } } } },
    }),
  );
  const write = (sandbox: object, production: object) =>
    configure({
      watch: false,
      egress: { allow: [base] },
      sources: {
        sandbox: { openapi: './api.json', credentials: sandbox },
        production: { openapi: './api.json', credentials: production },
      },
    });
  await write(one, other);
  const gateway = await start();
  const approval = async () => approvalAskedFor(await gateway.call({ tool: 'sandbox_drop' }));
  const approvals = await gateway.approvals();
  await approvals.decide((await approval())!, { decision: 'approve_always' }, PERSON);
  expect(await approval()).toBeUndefined();
  expect(await approval()).toBeUndefined();
  expect(seen).toHaveLength(2);
  await write(other, one);
  await gateway.reconfigure(await load());
  expect(await approval()).toMatch(/^[0-9a-f]{32}$/);
  expect(seen).toHaveLength(2);
  await write(one, other);
  await gateway.reconfigure(await load());
  expect(await approval()).toBeUndefined();
});

function oauth2(clientId: string) {
  return { oauth2: { clientId, clientSecret: { env: 'SECRET' }, tokenUrl: 'https://login.example/token' } };
}
