import { afterEach, describe, expect, it } from 'vitest';
import type { FindParameterOptions } from '../../src/executors/azure/parameter-options.ts';
import type { Principal } from '../../src/operations/index.ts';
import { type Bench, type BenchOptions, openBench, TOKEN } from './support/open-room.ts';
import { caller, jsonOf, structuredOf, type Tools, textsOf, toolsOf } from './support/own-call.ts';
import { APIS, armError, CONNECTIONS, resourceOf, swagger } from './support/small-arm.ts';

const USER: Principal = { id: 'u', kind: 'user', maxAccess: 'delete', roles: [], organisation: 'o' };
const ADMIN: Principal = { ...USER, roles: ['ADMIN'] };
const opened: Bench[] = [];

afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close();
});

/** Mail, signed in, with two tools, compiled as the lead's catalog would. */
async function office(options: BenchOptions = {}) {
  let tools: Tools | undefined;
  const bench = await openBench({ refresh: async () => tools?.compile(), ...options });
  opened.push(bench);
  bench.arm.connections.set('mail', { name: 'mail', api: 'mail' });
  bench.arm.apis.set('mail', swagger('mail', 'ReadMail', 'SendMail'));
  bench.arm.apis.set('chat', swagger('chat', 'PostMessage'));
  tools = toolsOf(bench);
  await tools.compile();
  return {
    ...bench,
    tools,
    call: caller(bench, tools),
    names: () => tools.all.map(({ name }) => name).sort(),
  };
}

describe('put_connection', () => {
  it('creates a connection by the name of its API; its tools are there with the answer', async () => {
    const { arm, call, names } = await office();
    const result = await call('put_connection', { apiName: 'chat' });
    const { connection, dynamicTools, consent, warning } = jsonOf(result);
    expect(connection).toMatchObject({
      name: 'chat',
      properties: { overallStatus: 'Error', testLinks: [{}] },
    });
    expect(connection.properties.parameterValues).toBeUndefined();
    expect(dynamicTools).toEqual({ message: '1 new tools registered for chat', registered: 1 });
    expect(consent.link).toBe('https://consent.example/chat');
    expect(consent.message).toContain('"chat"');
    expect(warning).toBeUndefined();
    expect(structuredOf(result)).toMatchObject({ registered: 1, dynamicTools: { registered: 1 } });
    expect(names()).toEqual(['chat_post_message', 'mail_read_mail', 'mail_send_mail']);
    const request = arm.service.requests.find(({ method }) => method === 'PUT')!;
    expect(request.path).toBe(`${CONNECTIONS}/chat`);
    expect(JSON.parse(request.body.toString())).toEqual({
      location: 'westus',
      properties: { displayName: 'chat', api: { id: `${APIS}/chat` } },
    });
  });

  it('takes the whole resource', async () => {
    const { arm, call } = await office();
    const body = { location: 'north', properties: { displayName: 'Mine', api: { id: `${APIS}/chat` } } };
    const result = await call('put_connection', { connectionName: 'my-chat', body });
    expect(jsonOf(result).dynamicTools.message).toBe('1 new tools registered for chat');
    expect(JSON.parse(arm.service.requests.find(({ method }) => method === 'PUT')!.body.toString())).toEqual(
      body,
    );
  });

  it('passes values on, and shows them to nobody', async () => {
    const { arm, call } = await office();
    const parameterValues = { key: 'very-secret-key' };
    const args = {
      apiName: 'chat',
      connectionName: 'c2',
      displayName: 'Two',
      location: 'north',
      parameterValues,
    };
    const plan = await call('put_connection', args, { dryRun: true });
    expect(plan).toMatchObject({
      kind: 'request',
      request: { method: 'PUT', url: expect.stringContaining('/connections/c2?') },
    });
    expect(JSON.stringify(plan)).not.toContain('very-secret-key');
    expect(JSON.stringify(plan)).not.toContain(TOKEN);
    expect(arm.asked('PUT c2')).toBe(0);
    const result = await call('put_connection', args);
    expect(JSON.stringify(result)).not.toContain('very-secret-key');
    expect(JSON.parse(arm.service.requests.find(({ method }) => method === 'PUT')!.body.toString())).toEqual({
      location: 'north',
      properties: {
        displayName: 'Two',
        api: { id: `${APIS.replace('westus', 'north')}/chat` },
        parameterValues,
      },
    });
  });

  it('registers nothing twice', async () => {
    const { arm, call, names } = await office();
    const before = names();
    const result = await call('put_connection', { apiName: 'mail', displayName: 'Inbox' });
    expect(Object.keys(jsonOf(result))).toEqual(['connection']);
    expect(structuredOf(result)).toMatchObject({ registered: 0 });
    expect(names()).toEqual(before);
    expect(arm.asked('EXPORT mail')).toBe(1);
  });

  it('gives a second connection of one API tools of its own', async () => {
    const { arm, call, names } = await office();
    const result = await call('put_connection', { apiName: 'mail', connectionName: 'backup' });
    expect(jsonOf(result).dynamicTools).toEqual({
      message: '2 new tools registered for mail',
      registered: 2,
    });
    expect(names()).toContain('mail_backup_read_mail');
    expect(names()).toContain('mail_read_mail');
    expect(arm.asked('EXPORT mail')).toBe(1);
  });

  it('returns the connection with a warning where its schema cannot be had; refresh_tools brings it later', async () => {
    const { arm, call, names } = await office();
    arm.apis.set('chat', armError(404, 'ApiNotFound', 'Not yet.'));
    const result = jsonOf(await call('put_connection', { apiName: 'chat' }));
    expect(result.connection.name).toBe('chat');
    expect(result.dynamicTools).toBeUndefined();
    expect(result.warning).toMatch(/^chat: schema fetch failed — .*Not yet/);
    arm.apis.set('chat', swagger('chat', 'PostMessage'));
    await call('refresh_tools');
    expect(names()).toContain('chat_post_message');
  });

  it('has no consent for a connection that is signed in, nor for a wrong key', async () => {
    const { arm, call } = await office();
    expect(jsonOf(await call('put_connection', { apiName: 'mail' })).consent).toBeUndefined();
    arm.instead = ({ method }) => {
      if (method !== 'PUT') return undefined;
      const resource = resourceOf({ name: 'chat', api: 'chat', status: 'Error' });
      resource.properties.statuses = [
        { status: 'Error', target: 'key', error: { code: 'InvalidKey', message: 'Wrong.' } },
      ];
      return { status: 201, body: resource };
    };
    expect(jsonOf(await call('put_connection', { apiName: 'chat' })).consent).toBeUndefined();
    expect(arm.asked('POST listConsentLinks')).toBe(0);
  });

  it('says why there is no link', async () => {
    const { arm, call } = await office();
    arm.instead = ({ path }) =>
      path.endsWith('/listConsentLinks')
        ? armError(403, 'AuthorizationFailed', 'No links for you.')
        : undefined;
    const result = jsonOf(await call('put_connection', { apiName: 'chat' }));
    expect(result.dynamicTools.registered).toBe(1);
    expect(result.warning).toContain('No links for you');
  });

  it("says in the seed's words that Azure refused", async () => {
    const { arm, call } = await office();
    arm.instead = ({ method }) =>
      method === 'PUT' ? armError(400, 'InvalidRequestContent', 'Bad body.') : undefined;
    await expect(call('put_connection', { apiName: 'chat' })).rejects.toMatchObject({
      code: 'upstream_status',
      status: 400,
      text: expect.stringMatching(
        /^Error: Azure Resource Manager answered 400 InvalidRequestContent .*Bad body/,
      ),
    });
  });

  it('is sent once, even where its answer is lost', async () => {
    const { arm, call } = await office();
    arm.service.answerNext('drop');
    await expect(call('put_connection', { apiName: 'chat' })).rejects.toMatchObject({
      code: 'outcome_unknown',
      text: expect.stringMatching(/^Error: /),
    });
    expect(arm.service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it.each([
    [{}, '/apiName'],
    [{ body: {} }, '/connectionName'],
    [{ connectionName: 'a', body: 'x' }, '/body'],
    [{ connectionName: 'a', body: {}, apiName: 'b' }, '/body'],
    [{ connectionName: '../a', apiName: 'b' }, '/connectionName'],
    [{ connectionName: 'a.', apiName: 'b' }, '/connectionName'],
    [{ connectionName: 'a'.repeat(81), apiName: 'b' }, '/connectionName'],
    [{ apiName: '..' }, '/connectionName'],
    [{ apiName: 'a', parameterValues: [] }, '/parameterValues'],
  ])('refuses %j before anything is sent', async (args, pointer) => {
    const { arm, call } = await office();
    await expect(call('put_connection', args)).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer,
      text: expect.stringMatching(/^Error: /),
    });
    expect(arm.service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('delete_connection', () => {
  it('takes the tools with it', async () => {
    const { arm, call, names } = await office();
    expect(jsonOf(await call('delete_connection', { connectionName: 'mail' }))).toEqual({
      deleted: 'mail',
      toolsRemoved: 2,
    });
    expect(names()).toEqual([]);
    expect(arm.connections.size).toBe(0);
  });

  it('says when there is none, and forgets what it knew', async () => {
    const { arm, call, names } = await office();
    arm.connections.clear();
    await expect(call('delete_connection', { connectionName: 'mail' })).rejects.toMatchObject({
      status: 404,
      message: 'There is no connection "mail" in resource group rg-one.',
    });
    await expect.poll(names).toEqual([]);
  });

  it('is sent once', async () => {
    const { arm, call, names } = await office();
    arm.instead = ({ method }) => (method === 'DELETE' ? armError(500, 'Oops', 'Half.') : undefined);
    await expect(call('delete_connection', { connectionName: 'mail' })).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(arm.asked('DELETE mail')).toBe(1);
    expect(names()).toHaveLength(2);
  });
});

describe('list_connections and get_connection', () => {
  it('show what Azure has now, disabled ones too', async () => {
    const { arm, call } = await office();
    arm.connections.set('chat', { name: 'chat', api: 'chat', status: 'Error', displayName: 'Our chat' });
    arm.connections.set('off', { name: 'off', api: 'chat', state: 'Disabled' });
    const result = await call('list_connections');
    expect(jsonOf(result)).toEqual([
      {
        name: 'chat',
        api: 'chat',
        displayName: 'Our chat',
        status: 'Error',
        error: 'Not signed in.',
        location: 'westus',
        tools: 0,
        id: `${CONNECTIONS}/chat`,
      },
      expect.objectContaining({ name: 'mail', status: 'Connected', tools: 2 }),
      expect.objectContaining({ name: 'off', status: 'Disabled', tools: 0 }),
    ]);
    expect(textsOf(result)[0]).toBe(JSON.stringify(jsonOf(result), null, 2));
    expect(structuredOf(result)).toEqual({ connections: jsonOf(result) });
  });

  it('say what to do where there is none', async () => {
    const { arm, call } = await office();
    arm.connections.clear();
    expect(textsOf(await call('list_connections'))).toEqual([
      '[]',
      expect.stringMatching(/^Note: resource group .* has no connections .*`put_connection`/),
    ]);
  });

  it('say why a connection has no tools', async () => {
    const { arm, call } = await office();
    arm.connections.set('odd', { name: 'odd', api: 'odd' });
    const rows = async () => jsonOf(await call('list_connections')) as unknown as { problem?: string }[];
    await rows();
    await expect
      .poll(async () => (await rows())[1])
      .toMatchObject({
        name: 'odd',
        tools: 0,
        problem: expect.stringMatching(/^schema fetch failed — .*404/),
      });
    expect((await rows())[0]).not.toHaveProperty('problem');
  });

  it('bring the tools of connections that somebody else made', async () => {
    const { arm, call, names } = await office();
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    await call('list_connections');
    await expect.poll(names).toContain('chat_post_message');
  });

  it('show one without requests that need a token, and without values', async () => {
    const { call } = await office();
    const result = jsonOf(await call('get_connection', { connectionName: 'mail' }));
    expect(result).toMatchObject({
      name: 'mail',
      properties: { overallStatus: 'Connected', api: { name: 'mail' } },
    });
    expect(JSON.stringify(result)).not.toMatch(/testLinks|kept-by-azure/);
    await expect(call('get_connection', { connectionName: 'none' })).rejects.toMatchObject({ status: 404 });
    await expect(call('get_connection', { connectionName: '../mail' })).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
  });

  it('stay within what the configuration names', async () => {
    const { arm, call } = await office({ settings: { connections: ['mail'] } });
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    expect(jsonOf(await call('list_connections')).map(({ name }: { name: string }) => name)).toEqual([
      'mail',
    ]);
    for (const tool of ['get_connection', 'delete_connection', 'get_consent_link'] as const) {
      await expect(call(tool, { connectionName: 'chat' })).rejects.toMatchObject({ code: 'tool_forbidden' });
    }
    await expect(call('put_connection', { apiName: 'chat' })).rejects.toMatchObject({
      code: 'tool_forbidden',
    });
    expect(arm.connections.has('chat')).toBe(true);
  });
});

describe('get_consent_link', () => {
  it('has the link and what to do with it', async () => {
    const { call } = await office();
    expect(jsonOf(await call('get_consent_link', { connectionName: 'mail' }))).toEqual({
      connection: 'mail',
      link: 'https://consent.example/mail',
      message:
        'Open the link in a browser within ten minutes to sign "mail" in. Its tools work from then on.',
    });
  });
});

describe('who may change connections', () => {
  it.each(['put_connection', 'delete_connection', 'get_consent_link'] as const)(
    '%s is for admins among users',
    async (tool) => {
      const { arm, call } = await office();
      const args = tool === 'put_connection' ? { apiName: 'mail' } : { connectionName: 'mail' };
      const before = arm.service.requests.length;
      await expect(call(tool, args, { principal: USER })).rejects.toMatchObject({ code: 'admin_needed' });
      await expect(call(tool, args, { principal: USER, dryRun: true })).rejects.toMatchObject({
        code: 'admin_needed',
      });
      expect(arm.service.requests).toHaveLength(before);
      await expect(call(tool, args, { principal: ADMIN })).resolves.toMatchObject({ kind: 'value' });
    },
  );

  it('the rest is for everybody', async () => {
    const { call } = await office();
    await expect(call('list_connections', {}, { principal: USER })).resolves.toMatchObject({ kind: 'value' });
  });
});

describe('list_managed_apis', () => {
  it('lists few facts of many, by words', async () => {
    const { arm, call } = await office();
    for (let n = 0; n < 300; n++) arm.apis.set(`filler${n}`, swagger('filler', 'Do'));
    const all = jsonOf(await call('list_managed_apis'));
    expect(all).toMatchObject({
      location: 'westus',
      total: 302,
      matching: 302,
      note: expect.stringContaining('252 more'),
    });
    expect(all.apis).toHaveLength(50);
    const found = jsonOf(await call('list_managed_apis', { search: 'CHAT service' }));
    expect(found.apis).toEqual([
      {
        name: 'chat',
        displayName: 'The chat service',
        description: 'Works with chat.',
        tier: 'Standard',
        releaseTag: 'Production',
        capabilities: ['actions'],
        consent: true,
        parameters: ['region', 'secret'],
      },
    ]);
    expect(jsonOf(await call('list_managed_apis', { limit: 3 })).apis).toHaveLength(3);
    expect(arm.asked('GET managedApis')).toBe(1);
    await call('refresh_tools');
    await call('list_managed_apis');
    expect(arm.asked('GET managedApis')).toBe(2);
  });

  it('shows what a connection of one API asks for', async () => {
    const { call } = await office();
    const api = jsonOf(await call('list_managed_apis', { name: 'chat' }));
    expect(api).toMatchObject({ name: 'chat', consent: true, location: 'westus' });
    expect(api.connectionParameters).toEqual({
      token: { type: 'oauthSetting', required: false, identityProvider: 'aad' },
      region: { type: 'string', displayName: 'Region', required: true, allowedValues: ['eu'] },
      secret: { type: 'securestring', required: false },
      filled: { type: 'string', required: false, hidden: true },
    });
    expect(JSON.stringify(api)).not.toMatch(/internal-client|never/);
    await expect(call('list_managed_apis', { name: 'nothing' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('list_dynamic_tools', () => {
  it('has the seven fields', async () => {
    const { call } = await office();
    const result = await call('list_dynamic_tools');
    expect(textsOf(result)).toHaveLength(1);
    expect(jsonOf(result)[0]).toEqual({
      tool: 'mail_read_mail',
      api: 'mail',
      displayName: 'The mail service',
      status: 'Connected',
      operationId: 'ReadMail',
      method: 'GET',
      summary: 'ReadMail of mail',
    });
    expect(Object.keys(jsonOf(result)[0])).toEqual([
      'tool',
      'api',
      'displayName',
      'status',
      'operationId',
      'method',
      'summary',
    ]);
  });

  it('has only what the caller may see, of its own source', async () => {
    const { tools, ...bench } = await office();
    const [first, second] = tools.tools({} as never);
    const seen = {
      ...tools,
      tools: () => [first!, { name: 'x', operation: { ...second!.operation, source: 'other' } }],
    };
    const call = caller(bench, seen);
    expect(jsonOf(await call('list_dynamic_tools')).map(({ tool }: { tool: string }) => tool)).toEqual([
      'mail_read_mail',
    ]);
  });

  it('says why there are none', async () => {
    const { arm, call, room } = await office({ patienceMs: 1 });
    arm.instead = () => armError(403, 'AuthorizationFailed', 'No right to list.');
    await call('refresh_tools');
    expect(room.problem()).toBeDefined();
    const texts = textsOf(await call('list_dynamic_tools'));
    expect(texts[1]).toMatch(/^Note: .*No right to list.*Microsoft\.Web\/connections\/read/);
    arm.instead = undefined;
    expect(textsOf(await call('list_dynamic_tools'))).toHaveLength(1);
  });
});

describe('where connections could not be listed', () => {
  it('any own tool has them listed again at once', async () => {
    const { arm, call, names, room, tools } = await office();
    arm.instead = () => armError(403, 'AuthorizationFailed', 'No right to list.');
    await call('refresh_tools');
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    arm.instead = undefined;
    await call('get_connection', { connectionName: 'mail' });
    await expect.poll(() => room.problem()).toBeUndefined();
    await expect.poll(names).toContain('chat_post_message');
    expect(tools.count('office', 'chat')).toBe(1);
  });

  it('list_connections and list_managed_apis say themselves why they fail', async () => {
    const { arm, call } = await office();
    arm.instead = () => armError(403, 'AuthorizationFailed', 'No right.');
    await expect(call('list_connections')).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('connections/read'),
    });
    await expect(call('list_managed_apis')).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('managedApis/read'),
    });
  });
});

describe('refresh_tools', () => {
  it('really adds, changes and removes', async () => {
    const { arm, call, names } = await office();
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    arm.apis.set('mail', swagger('mail', 'ReadMail', 'MoveMail'));
    expect(textsOf(await call('refresh_tools'))).toEqual([
      'Refresh complete. Registered: 3, Skipped: 0, Errors: 0\n',
    ]);
    expect(names()).toEqual(['chat_post_message', 'mail_move_mail', 'mail_read_mail']);
    arm.connections.delete('mail');
    expect(textsOf(await call('refresh_tools'))).toEqual([
      'Refresh complete. Registered: 1, Skipped: 0, Errors: 0\n',
    ]);
    expect(names()).toEqual(['chat_post_message']);
  });

  it('fetches what it has already', async () => {
    const { arm, call } = await office();
    await call('refresh_tools');
    await call('refresh_tools');
    expect(arm.asked('EXPORT mail')).toBe(3);
  });

  it('says what went wrong, a line each', async () => {
    const { arm, call } = await office();
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    arm.apis.set('chat', { status: 200, body: { properties: {} } });
    const result = await call('refresh_tools');
    expect(textsOf(result)).toEqual([
      'Refresh complete. Registered: 2, Skipped: 0, Errors: 1\nchat: no swagger schema returned',
    ]);
    expect(structuredOf(result)).toEqual({
      registered: 2,
      skipped: 0,
      errors: ['chat: no swagger schema returned'],
    });
  });

  it('says why connections cannot be listed, and keeps what there is', async () => {
    const { arm, call } = await office();
    arm.instead = () => armError(401, 'ExpiredAuthenticationToken', 'Too old.');
    const [text] = textsOf(await call('refresh_tools'));
    expect(text).toMatch(
      /^Refresh complete\. Registered: 2, Skipped: 0, Errors: 1\nAzure Resource Manager answered 401 .*Too old/,
    );
  });
});

describe('get_parameter_options', () => {
  it('asks for the arguments of a tool that the caller sees', async () => {
    const { tools, ...bench } = await office();
    const asked: unknown[] = [];
    const parameterOptions: FindParameterOptions = async ({
      operation,
      signal: _signal,
      connection,
      ...rest
    }) => {
      asked.push([operation.id, connection.name, rest]);
      return [{ argument: '/folder', options: [{ value: 'in', title: 'Inbox' }], complete: true }];
    };
    const call = caller(bench, tools, { parameterOptions });
    const args = { tool: 'mail_read_mail', parameter: 'folder', arguments: { a: 1 }, parent: { id: 'p' } };
    expect(jsonOf(await call('get_parameter_options', args))).toEqual({
      tool: 'mail_read_mail',
      parameters: [{ argument: '/folder', options: [{ value: 'in', title: 'Inbox' }], complete: true }],
    });
    await call('get_parameter_options', { tool: 'mail.ReadMail' });
    expect(asked).toEqual([
      ['mail.ReadMail', 'office', { argument: 'folder', arguments: { a: 1 }, parent: { id: 'p' } }],
      ['mail.ReadMail', 'office', { arguments: {} }],
    ]);
    await expect(call('get_parameter_options', { tool: 'other' })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
  });
});

describe('a dry run', () => {
  it.each([
    ['list_connections', {}, 'GET', CONNECTIONS],
    ['delete_connection', { connectionName: 'mail' }, 'DELETE', `${CONNECTIONS}/mail`],
    ['get_consent_link', { connectionName: 'mail' }, 'POST', `${CONNECTIONS}/mail/listConsentLinks`],
    ['list_managed_apis', { name: 'chat' }, 'GET', `${APIS}/chat`],
    ['list_managed_apis', {}, 'GET', APIS],
  ] as const)('of %s %j sends nothing', async (tool, args, method, path) => {
    const { arm, call } = await office();
    const before = arm.service.requests.length;
    const result = await call(tool, args, { dryRun: true });
    expect(result).toMatchObject({
      kind: 'request',
      request: { method, url: expect.stringContaining(`${path}?api-version=`) },
    });
    expect(arm.service.requests).toHaveLength(before);
  });

  it('of a tool that asks nobody says what it was called with', async () => {
    const { call } = await office();
    expect(textsOf(await call('list_dynamic_tools', {}, { dryRun: true }))).toEqual([
      '{"tool":"list_dynamic_tools","arguments":{}}',
    ]);
  });
});
