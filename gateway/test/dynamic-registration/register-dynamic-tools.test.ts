import { existsSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type ArmContext,
  closeDynamicTools,
  type DynamicToolServer,
  type RegistrationOptions,
  registerDynamicTools,
  registerToolsForConnection,
} from '../../src/index.ts';
import { plain, SLACK, SLACK_TOOLS } from '../azure-seed/support/connectors.ts';
import {
  CONSENT,
  consentAt,
  linkIn,
  MARK,
  openArm,
  QUIET,
  temporaryFolder,
} from '../azure-seed/support/office.ts';
import type { ArmDouble, ArmOptions, ConnectorDocument } from '../doubles/arm/arm.ts';
import { armError } from '../doubles/arm/arm-errors.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';

const SHARED = new URL('../../../../shared/data/arm/', import.meta.url);

type Answer = { content: { type: string; text: string }[]; isError?: boolean };
type Registration = [
  name: string,
  description: string,
  schema: Record<string, z.ZodType>,
  handler: (args: Record<string, unknown>) => Promise<Answer>,
];

/** As little of the older server as the seed's code uses: `tool()` and the notice. Refuses a second tool of one name. */
function olderServer() {
  const tools = new Map<string, Registration>();
  const state = { told: 0 };
  const server = {
    tool(...registration: Registration) {
      const [name] = registration;
      if (tools.has(name)) throw new Error(`Tool ${name} is already registered`);
      tools.set(name, registration);
    },
    sendToolListChanged() {
      state.told++;
    },
  };
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await tools.get(name)![3](args);
    return { text: content.map(({ text }) => text).join('\n'), failed: isError === true };
  };
  return { server: server as DynamicToolServer, tools, state, call, names: () => [...tools.keys()].sort() };
}

type Rest = [
  tokenProvider: () => Promise<string>,
  armContext: ArmContext,
  userAgentProvider: () => string,
  options: RegistrationOptions,
];

/** What the seed's functions take beside the server. */
async function rest(server: DynamicToolServer, arm: ArmDouble, folder?: string): Promise<Rest> {
  const stateDirectory = folder ?? (await temporaryFolder());
  // before the folder goes
  onTestFinished(() => closeDynamicTools(server));
  const context = {
    subscriptionId: arm.subscription,
    resourceGroup: arm.resourceGroup,
    location: arm.location,
  };
  const options = { armEndpoint: arm.url, configuration: { stateDirectory }, logger: QUIET };
  return [async () => arm.token(), context, () => 'seed-test/1.0', options];
}

const GROUP: ArmOptions = {
  connectors: [plain('post', 'ReadPost', 'ListBoxes'), plain('drive', 'ListFiles'), SLACK],
  connections: [
    { name: 'post', api: 'post', displayName: 'Post' },
    { name: 'drive', api: 'drive', displayName: 'Drive', status: 'Error' },
  ],
};

const exportsOf = (arm: ArmDouble, api: string) =>
  arm.requests.filter(({ path, query }) => query['export'] === 'true' && path.endsWith(`/${api}`)).length;

describe('registerDynamicTools (seed §5.1) on a server with tool()', () => {
  it('registers every operation with its name, description and schema, and counts them', async () => {
    const arm = await openArm(GROUP);
    const { server, tools, names } = olderServer();
    const given = await rest(server, arm);
    const stats = await registerDynamicTools(server, ...given);
    expect(stats).toEqual({ registered: 3, skipped: 0, errors: [] });
    expect(names()).toEqual(['drive_list_files', 'post_list_boxes', 'post_read_post']);
    expect(tools.get('post_read_post')![1]).toBe('[Post] ReadPost of post');
    expect(tools.get('drive_list_files')![1]).toBe(`[Drive] ListFiles of drive${MARK}`);
    // each once: the list, and a schema for each API
    expect([exportsOf(arm, 'post'), exportsOf(arm, 'drive'), arm.requests.length]).toEqual([1, 1, 3]);
    for (const { headers, authorized } of arm.requests)
      expect([headers['user-agent'], authorized]).toEqual(['seed-test/1.0', true]);
  });

  it('calls go out as one dynamicInvoke each, and come back as text', async () => {
    const arm = await openArm({ connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] });
    const { server, call, tools } = olderServer();
    await registerDynamicTools(server, ...(await rest(server, arm)));
    const args = { To: 'ada@example.com;bob@example.com', Subject: 'Tides' };
    // what an older server does with the types before it calls
    expect(z.object(tools.get('mail_send_mail_v2')![2]).parse(args)).toEqual(args);
    const sent = await call('mail_send_mail_v2', args);
    expect(sent.failed, sent.text).toBe(false);
    expect(arm.invocations).toMatchObject([
      { operationId: 'SendMailV2', method: 'POST', path: '/v2/Mail', body: args, problems: [] },
    ]);
    const listed = await call('mail_list_mail_v3', { _top: 3 });
    expect(JSON.parse(listed.text)).toMatchObject({ value: [{ Subject: 'sample Subject' }] });
  });

  it('a raw proxy is not registered', async () => {
    const arm = await openArm({ connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] });
    const { server, names } = olderServer();
    expect((await registerDynamicTools(server, ...(await rest(server, arm)))).registered).toBe(14);
    expect(names()).not.toContain('mail_http_request');
  });

  it('a failed call is an error in the words of the seed', async () => {
    const arm = await openArm(GROUP);
    const { server, call } = olderServer();
    await registerDynamicTools(server, ...(await rest(server, arm)));
    arm.script('post.ReadPost', { status: 'NotFound', body: { error: { message: 'No such post.' } } });
    const { text, failed } = await call('post_read_post');
    expect([failed, text]).toEqual([
      true,
      expect.stringMatching(/^Error invoking post\.ReadPost: .*No such post/),
    ]);
  });

  it('a connection that nobody signed in answers with the link; after the consent it works', async () => {
    const arm = await openArm(GROUP);
    const { server, call } = olderServer();
    await registerDynamicTools(server, ...(await rest(server, arm)));
    const refused = await call('drive_list_files');
    expect(refused).toEqual({ failed: true, text: expect.stringMatching(CONSENT) });
    await consentAt(linkIn(refused.text));
    expect((await call('drive_list_files')).failed).toBe(false);
  });

  it('an API whose schema cannot be fetched is an error, the others are registered (§13.1)', async () => {
    const arm = await openArm(GROUP);
    arm.breakApi('drive', 'not-json');
    const { server, names } = olderServer();
    const stats = await registerDynamicTools(server, ...(await rest(server, arm)));
    expect(stats).toEqual({
      registered: 2,
      skipped: 0,
      errors: [expect.stringMatching(/^drive: schema fetch failed — /)],
    });
    expect(names()).toEqual(['post_list_boxes', 'post_read_post']);
  });

  it('a tool that the server does not take is skipped, with why', async () => {
    const arm = await openArm(GROUP);
    const { server, tools } = olderServer();
    tools.set('post_read_post', [] as never);
    const stats = await registerDynamicTools(server, ...(await rest(server, arm)));
    expect(stats).toEqual({
      registered: 2,
      skipped: 1,
      errors: ['post_read_post: Tool post_read_post is already registered'],
    });
  });

  it.each([
    [
      '403',
      armError(403, 'AuthorizationFailed', 'No right to Microsoft.Web/connections/read.'),
      /AuthorizationFailed|right|403/,
    ],
    ['401', armError(401, 'InvalidAuthenticationToken', 'The access token is invalid.'), /token/i],
    ['the network', 'drop', /./],
  ] as const)(
    'rejects when the connections cannot be listed: %s; the next call begins anew',
    async (_name, plan, why) => {
      const arm = await openArm(GROUP);
      arm.interrupt({ when: () => true, plan, times: 'always' });
      const { server, names } = olderServer();
      const given = await rest(server, arm);
      await expect(registerDynamicTools(server, ...given)).rejects.toThrow(why);
      expect(names()).toEqual([]);
      arm.forget();
      expect(await registerDynamicTools(server, ...given)).toEqual({ registered: 3, skipped: 0, errors: [] });
    },
  );

  it('a group without connections is no error', async () => {
    const arm = await openArm({ connectors: [], connections: [] });
    const { server } = olderServer();
    expect(await registerDynamicTools(server, ...(await rest(server, arm)))).toEqual({
      registered: 0,
      skipped: 0,
      errors: [],
    });
  });

  it('called again, it registers what is new and nothing twice', async () => {
    const arm = await openArm(GROUP);
    const { server, names } = olderServer();
    const given = await rest(server, arm);
    await registerDynamicTools(server, ...given);
    expect(await registerDynamicTools(server, ...given)).toMatchObject({ registered: 0, skipped: 0 });
    arm.putConnection({ name: 'slack', api: 'slack' });
    expect(await registerDynamicTools(server, ...given)).toEqual({
      registered: SLACK_TOOLS,
      skipped: 0,
      errors: [],
    });
    expect(names()).toHaveLength(SLACK_TOOLS + 3);
  });

  it('called twice at once, it registers every tool once', async () => {
    const arm = await openArm(GROUP);
    const { server } = olderServer();
    const given = await rest(server, arm);
    const both = await Promise.all([
      registerDynamicTools(server, ...given),
      registerDynamicTools(server, ...given),
    ]);
    expect(both[0]!.registered + both[1]!.registered).toBe(3);
    expect(both.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('a list that fails later takes nothing away, and is said', async () => {
    const arm = await openArm(GROUP);
    const { server, names } = olderServer();
    const given = await rest(server, arm);
    await registerDynamicTools(server, ...given);
    arm.deny('Microsoft.Web/connections/read');
    const stats = await registerDynamicTools(server, ...given);
    expect(stats).toMatchObject({
      registered: 0,
      errors: [expect.stringContaining('Microsoft.Web/connections/read')],
    });
    expect(names()).toHaveLength(3);
  });

  it('another process over the same state folder sees what changed meanwhile', async () => {
    const arm = await openArm(GROUP);
    const first = olderServer();
    const folder = await temporaryFolder();
    await registerDynamicTools(first.server, ...(await rest(first.server, arm, folder)));
    await closeDynamicTools(first.server);
    arm.removeConnection('drive');
    arm.putConnection({ name: 'slack', api: 'slack' });
    const second = olderServer();
    const stats = await registerDynamicTools(second.server, ...(await rest(second.server, arm, folder)));
    expect(stats).toEqual({ registered: SLACK_TOOLS + 2, skipped: 0, errors: [] });
    expect(second.names()).not.toContain('drive_list_files');
  });

  it('two groups on one server keep to their own', async () => {
    const arm = await openArm(GROUP);
    const lab = await openArm({
      resourceGroup: 'lab',
      connectors: [plain('scope', 'See')],
      connections: [{ name: 'scope', api: 'scope' }],
    });
    const { server, names, call } = olderServer();
    await registerDynamicTools(server, ...(await rest(server, arm)));
    expect(await registerDynamicTools(server, ...(await rest(server, lab)))).toMatchObject({ registered: 1 });
    expect(names()).toContain('scope_see');
    await call('scope_see');
    expect([arm.invocations.length, lab.invocations.length]).toEqual([0, 1]);
  });
});

describe('registerToolsForConnection (seed §5.2, §10)', () => {
  const start = async () => {
    const arm = await openArm(GROUP);
    const older = olderServer();
    const given = await rest(older.server, arm);
    await registerDynamicTools(older.server, ...given);
    const put = (name: string, api = name) => {
      arm.putConnection({ name, api });
      return arm.connection(name) as { name: string; properties: { api: { name: string } } };
    };
    return { arm, given, put, ...older };
  };

  it('registers the tools of the new connection alone, and tells the clients once', async () => {
    const { given, put, server, state, names, call } = await start();
    const before = state.told;
    const stats = await registerToolsForConnection(server, put('slack'), ...given);
    expect(stats).toEqual({ registered: SLACK_TOOLS, skipped: 0, errors: [] });
    expect(state.told - before).toBe(1);
    expect(names().filter((name) => !name.startsWith('slack_'))).toHaveLength(3);
    expect((await call('slack_post_message', { channel: 'general', text: 'Hi' })).failed).toBe(false);
  });

  it('API tools already registered: 0, nothing is fetched, nobody is told (§10.3)', async () => {
    const { arm, given, put, server, state } = await start();
    const before = arm.requests.length;
    const stats = await registerToolsForConnection(server, put('post'), ...given);
    expect(stats).toEqual({ registered: 0, skipped: 0, errors: [] });
    expect([state.told, arm.requests.length]).toEqual([0, before]);
  });

  it('schema fetch fails: an error, and a later call adds them (§10.3)', async () => {
    const { arm, given, put, server, state } = await start();
    arm.breakApi('slack', 'not-json');
    const failed = await registerToolsForConnection(server, put('slack'), ...given);
    expect(failed).toEqual({
      registered: 0,
      skipped: 0,
      errors: [expect.stringMatching(/^slack: schema fetch failed — /)],
    });
    expect(state.told).toBe(0);
    arm.healApi('slack');
    expect((await registerToolsForConnection(server, put('slack'), ...given)).registered).toBe(SLACK_TOOLS);
  });

  it('a problem of another API is none of this one', async () => {
    const { arm, given, put, server } = await start();
    arm.breakApi('drive', 'not-json');
    const stats = await registerToolsForConnection(server, put('slack'), ...given);
    expect(stats).toEqual({ registered: SLACK_TOOLS, skipped: 0, errors: [] });
  });

  it('multiple connections for one API: the second has its own, the schema is there (§10.3)', async () => {
    const { given, put, server, names } = await start();
    expect(await registerToolsForConnection(server, put('archive', 'post'), ...given)).toMatchObject({
      registered: 2,
    });
    expect(names()).toEqual(expect.arrayContaining(['post_archive_read_post', 'post_read_post']));
  });

  it('a connection that Azure does not list is said', async () => {
    const { given, server } = await start();
    const stats = await registerToolsForConnection(server, { name: 'ghost' }, ...given);
    expect(stats).toEqual({
      registered: 0,
      skipped: 0,
      errors: ['ghost: Azure lists no connection ghost with tools.'],
    });
  });

  it('works as the first call too', async () => {
    const arm = await openArm(GROUP);
    const { server, names, state } = olderServer();
    const response = { name: 'post', properties: { api: { name: 'post' } } };
    expect(await registerToolsForConnection(server, response, ...(await rest(server, arm)))).toMatchObject({
      registered: 2,
    });
    expect([names(), state.told]).toEqual([['post_list_boxes', 'post_read_post'], 1]);
  });
});

/** A real server with `registerTool`, and a client at it. */
async function realServer(capabilities: object = { tools: { listChanged: true } }) {
  const server = new McpServer({ name: 'embedder', version: '1' }, { capabilities });
  const client = new Client({ name: 'client', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const connect = () => Promise.all([server.connect(here), client.connect(there)]);
  const list = async () => new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return {
      text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
      failed: isError === true,
    };
  };
  return { server: server as unknown as DynamicToolServer, client, connect, list, call };
}

describe('on a real McpServer', () => {
  it('the client lists the schemas as they are, and its calls work', async () => {
    const arm = await openArm({ connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] });
    const { server, connect, list, call } = await realServer();
    expect(await registerDynamicTools(server, ...(await rest(server, arm)))).toMatchObject({
      registered: 14,
      errors: [],
    });
    await connect();
    const { inputSchema } = (await list()).get('mail_send_mail_v2')!;
    expect(inputSchema.required).toEqual(['To', 'Subject']);
    expect(inputSchema.properties).toMatchObject({
      To: { type: 'string' },
      Importance: { type: 'string', enum: ['Low', 'Normal', 'High'] },
      Attachments: { type: 'array', items: { type: 'object', required: ['Name', 'ContentBytes'] } },
    });
    expect(JSON.stringify(inputSchema)).not.toContain('$ref');
    const args = {
      To: 'ada@example.com',
      Subject: 'Tides',
      Attachments: [{ Name: 'a', ContentBytes: 'YQ==' }],
    };
    const sent = await call('mail_send_mail_v2', args);
    expect(sent.failed, sent.text).toBe(false);
    expect(arm.invocations.at(-1)).toMatchObject({ body: args, problems: [] });
    const wrong = await call('mail_send_mail_v2', { To: 'a', Subject: 'b', Importance: 'Huge' });
    expect([wrong.failed, wrong.text]).toEqual([true, expect.stringContaining('Importance')]);
  });

  it('a new connection is told to the client, listed and called', async () => {
    const arm = await openArm(GROUP);
    const { server, client, connect, list, call } = await realServer();
    const given = await rest(server, arm);
    await registerDynamicTools(server, ...given);
    await connect();
    const told = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve());
    arm.putConnection({ name: 'slack', api: 'slack' });
    await registerToolsForConnection(server, arm.connection('slack') as never, ...given);
    await told.promise;
    expect([...(await list()).keys()].filter((name) => name.startsWith('slack_'))).toHaveLength(SLACK_TOOLS);
    expect((await call('slack_get_team')).failed).toBe(false);
  });

  it('called again, it takes away what is gone, and exchanges what changed', async () => {
    const arm = await openArm(GROUP);
    const { server, connect, list, call } = await realServer();
    const given = await rest(server, arm);
    await registerDynamicTools(server, ...given);
    await connect();
    arm.removeConnection('post');
    arm.changeConnection('drive', { status: 'Connected' });
    expect(await registerDynamicTools(server, ...given)).toEqual({ registered: 0, skipped: 0, errors: [] });
    const tools = await list();
    expect([...tools.keys()]).toEqual(['drive_list_files']);
    expect(tools.get('drive_list_files')!.description).toBe('[Drive] ListFiles of drive');
    expect((await call('drive_list_files')).failed).toBe(false);
  });

  it('an embedder’s own tool keeps its name', async () => {
    const arm = await openArm(GROUP);
    const { server, connect, call } = await realServer();
    (server as unknown as McpServer).registerTool('post_read_post', { description: 'Mine.' }, async () => ({
      content: [{ type: 'text', text: 'mine' }],
    }));
    const stats = await registerDynamicTools(server, ...(await rest(server, arm)));
    expect(stats).toMatchObject({
      registered: 2,
      skipped: 1,
      errors: [expect.stringContaining('post_read_post')],
    });
    await connect();
    expect((await call('post_read_post')).text).toBe('mine');
  });

  it.skipIf(!existsSync(SHARED))('takes every tool of the captured connectors, each callable', async () => {
    const captured = (name: string): ConnectorDocument => ({
      name,
      displayName: name,
      swagger: JSON.parse(readFileSync(new URL(`${name}-schema.json`, SHARED), 'utf8')),
    });
    const arm = await openArm({
      connectors: [captured('office365'), captured('teams')],
      connections: ['office365', 'teams'].map((name) => ({ name, api: name })),
    });
    const { server, connect, list, call } = await realServer();
    expect(await registerDynamicTools(server, ...(await rest(server, arm)))).toEqual({
      registered: 99,
      skipped: 0,
      errors: [],
    });
    await connect();
    const tools = await list();
    expect(tools.size).toBe(99);
    for (const { inputSchema } of tools.values()) expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
    const several = { To: 'ada@example.com;bob@example.com', Subject: 'Tides', Body: '<p>Hi</p>' };
    expect((await call('office365_send_email_v2', several)).failed).toBe(false);
    expect((await call('teams_get_all_teams')).failed).toBe(false);
    expect(arm.invocations.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('closeDynamicTools', () => {
  it('ends the gateway: calls then say so, and registering begins anew', async () => {
    const arm = await openArm(GROUP);
    const { server, call, tools } = olderServer();
    const given = await rest(server, arm);
    await registerDynamicTools(server, ...given);
    await closeDynamicTools(server);
    const { text, failed } = await call('post_read_post');
    expect([failed, text]).toEqual([true, expect.stringMatching(/^Error invoking post\.ReadPost: /)]);
    expect(arm.invocations).toEqual([]);
    tools.clear();
    expect(await registerDynamicTools(server, ...given)).toMatchObject({ registered: 3 });
  });

  it('of a server that has none does nothing', async () => {
    await expect(closeDynamicTools(olderServer().server)).resolves.toBeUndefined();
  });
});
