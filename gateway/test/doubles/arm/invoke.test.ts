import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ArmDouble, startArm } from './arm.ts';
import { DYNAMIC_SCHEMA } from './helper-lists.ts';

let arm: ArmDouble;
beforeAll(async () => {
  arm = await startArm({
    refuseUnlisted: true,
    connections: [
      { name: 'mail', api: 'mail' },
      { name: 'chat', api: 'chat' },
    ],
  });
});
afterEach(() => {
  arm.forget();
  arm.putConnection({ name: 'mail', api: 'mail' });
});
afterAll(() => arm.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(connection: string, request: object) {
  const path = `/subscriptions/${arm.subscription}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections/${connection}/dynamicInvoke`;
  const answer = await fetch(`${arm.url}${path}?api-version=2016-06-01`, {
    method: 'POST',
    headers: { authorization: `Bearer ${arm.token()}` },
    body: JSON.stringify({ request }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by the tests
  return { status: answer.status, body: (await answer.json()) as any };
}
const invoke = async (connection: string, request: object) => (await post(connection, request)).body.response;
const problems = () => arm.invocations.at(-1)!.problems;
const list = (queries: object) => ({
  method: 'GET',
  path: '/v2/Mail',
  queries: { fetchOnlyFlagged: 'false', ...queries },
  headers: JSON_TYPE,
});
const mail = (body: object) => ({ method: 'POST', path: '/v2/Mail', headers: JSON_TYPE, body });

describe('what a request means', () => {
  it('answers by the response schema, with or without a slash, whatever the case of the method', async () => {
    for (const path of ['/v2/Mail', 'v2/Mail'])
      expect(await invoke('mail', { ...list({ $top: '3' }), path, method: 'get' })).toMatchObject({
        statusCode: 'OK',
        body: {
          value: [{ Subject: 'sample Subject', ReceivedTime: expect.any(String), HasAttachment: true }],
        },
      });
    expect(arm.invocations[0]).toMatchObject({
      operationId: 'ListMailV3',
      queries: { $top: '3' },
      problems: [],
    });
  });

  it('decodes path values once, and twice where the parameter says so', async () => {
    await invoke('mail', {
      method: 'GET',
      path: '/codeless/v1.0/me/messages/a%252Fb%2520c%253D',
      headers: JSON_TYPE,
    });
    expect(arm.invocations.at(-1)).toMatchObject({
      operationId: 'GetMailV2',
      pathValues: { messageId: 'a/b c=' },
      problems: [],
    });
    await invoke('mail', { method: 'GET', path: '/codeless/v1.0/me/messages/a%2Fb', headers: JSON_TYPE });
    expect(problems()).toEqual(['path messageId: "a/b" is not percent-encoded (2 of 2)']);
    const rooms = "/codeless/beta/me/findRooms(RoomList='ListRoomLists-one')";
    expect((await invoke('mail', { method: 'GET', path: rooms, headers: JSON_TYPE })).statusCode).toBe('OK');
  });

  it.each([
    '/v2/Mail/../../chat/x',
    '/v2/Mail/%2e%2e/x',
    '/Mail/Category/Bulk/%252e%252e',
    '/Mail/Category/Bulk/a%5Cb',
    'https://elsewhere.example/v2/Mail',
    '//elsewhere.example/v2/Mail',
    '/another/connector',
  ])('records %s as a path that leaves the connector', async (path) => {
    const answer = await post('mail', { method: 'GET', path });
    expect(answer.status).toBe(500);
    expect(arm.escaped).toMatchObject([{ connection: 'mail', path }]);
  });
});

describe('what is wrong with a request', () => {
  it.each([
    ['a required member is missing', mail({ To: 'ada@example.com' }), 'body/Subject: required'],
    ['a type is wrong', mail({ To: 'a@b.c', Subject: 1 }), 'body/Subject: 1 is no string'],
    [
      'a value is not allowed',
      mail({ To: 'a@b.c', Subject: 's', Importance: 'huge' }),
      'body/Importance: "huge" is none of ["Low","Normal","High"]',
    ],
    [
      'no base64',
      mail({ To: 'a@b.c', Subject: 's', Attachments: [{ Name: 'n', ContentBytes: '?' }] }),
      'body/Attachments/0/ContentBytes: no base64',
    ],
    [
      'a hidden member is missing',
      mail({ To: 'a@b.c', Subject: 's', SendAs: {} }),
      'body/SendAs/Origin: internal, must be its default "connector"',
    ],
    ['no body', { method: 'POST', path: '/v2/Mail', headers: JSON_TYPE }, 'body: required'],
    [
      'no media type',
      { ...mail({ To: 'a@b.c', Subject: 's' }), headers: {} },
      'header Content-Type: required with a body',
    ],
    [
      'another media type',
      { ...mail({ To: 'a@b.c', Subject: 's' }), headers: { 'Content-Type': 'application/atom' } },
      'header Content-Type: "application/atom" is none of application/json',
    ],
    ['a query nobody knows', list({ _filter: 'x' }), 'query _filter: the operation has none of that name'],
    [
      'a query that is no number',
      list({ $top: 'ten' }),
      'query $top: "ten" is no integer of the format int32',
    ],
    ['a query that is no text', list({ $top: 10 }), 'query $top: 10 is not written as text'],
    [
      'values that stand alone',
      list({ importance: 'huge' }),
      'query importance: "huge" is none of "low", "high"',
    ],
    [
      'a hidden query is missing',
      { method: 'GET', path: '/v2/Mail', headers: JSON_TYPE },
      'query fetchOnlyFlagged: internal, must be its default "false"',
    ],
    [
      'a header nobody knows',
      { ...list({}), headers: { ...JSON_TYPE, Cookie: 'c' } },
      'header cookie: the operation has none of that name',
    ],
    ['a body where there is none', { ...list({}), body: {} }, 'body: the operation has none'],
    [
      'bytes without their envelope',
      {
        method: 'PUT',
        path: '/codeless/v1.0/me/contactFolders/f/contacts/i/photo/$value',
        headers: { 'Content-Type': 'image/jpeg' },
        body: 'AAAA',
      },
      'body: bytes go as {"$content-type","$content"}',
    ],
    [
      'a hidden media type',
      {
        method: 'PUT',
        path: '/codeless/v1.0/me/contactFolders/f/contacts/i/photo/$value',
        headers: JSON_TYPE,
        body: { '$content-type': 'image/png', $content: 'AAAA' },
      },
      'header Content-Type: "application/json" instead of image/jpeg',
    ],
    [
      'a form without its field',
      {
        method: 'POST',
        path: '/Mail/AutoReply',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'days=x',
      },
      'formData text: required',
    ],
    [
      'a form field that is no number',
      {
        method: 'POST',
        path: '/Mail/AutoReply',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'text=a&days=x',
      },
      'formData days: "x" is no integer',
    ],
    [
      'parts without their form',
      { method: 'POST', path: '/Mail/Import', headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' },
      'body: parts go as {"$content-type":"multipart/form-data","$multipart":[…]}',
    ],
  ] as const)('%s', async (_what, request, problem) => {
    const answer = await invoke('mail', request);
    expect(problems()).toContain(problem);
    expect(answer).toMatchObject({
      statusCode: 'BadRequest',
      body: { error: { message: expect.stringContaining(problem) } },
    });
  });

  it('accepts forms of both kinds', async () => {
    const part = (name: string, body: unknown) => ({
      headers: { 'Content-Disposition': `form-data; name="${name}"` },
      body,
    });
    const bytes = { '$content-type': 'message/rfc822', $content: 'AAAA' };
    const parts = [part('message', bytes), part('subject', 's'), part('silent', 'true')];
    const whole = { '$content-type': 'multipart/form-data', $multipart: parts };
    await invoke('mail', {
      method: 'POST',
      path: '/Mail/Import',
      headers: { 'Content-Type': 'multipart/form-data' },
      body: whole,
    });
    expect(problems()).toEqual([]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await invoke('mail', {
      method: 'POST',
      path: '/Mail/AutoReply',
      headers: form,
      body: 'text=a%26b&days=3&audience=all',
    });
    expect(problems()).toEqual([]);
  });
});

describe('helpers', () => {
  it('lists values with titles where the parameters look for them', async () => {
    expect(
      (await invoke('mail', { method: 'GET', path: '/contactFolders', headers: JSON_TYPE })).body.value,
    ).toEqual(
      ['one', 'two', 'three'].map((word) => ({
        id: `ListContactFolders-${word}`,
        displayName: `Title ${word}`,
      })),
    );
  });

  it('refuses values that a helper does not list, and bodies that its schema does not allow', async () => {
    const channel = (groupId: string) => ({
      method: 'GET',
      path: `/beta/groups/${groupId}/channels`,
      headers: JSON_TYPE,
    });
    expect((await invoke('chat', channel('nobody'))).statusCode).toBe('NotFound');
    expect((await invoke('chat', channel('GetAllTeams-two'))).statusCode).toBe('OK');
    const layout = await invoke('chat', {
      method: 'GET',
      path: '/flowbot/layouts/a/Channel',
      headers: JSON_TYPE,
    });
    expect(layout.body.schema).toEqual(DYNAMIC_SCHEMA);
    const message = (body: object) => ({
      method: 'POST',
      path: '/beta/teams/conversation/message/poster/GetPosters-one/location/Group%20chat',
      headers: JSON_TYPE,
      body,
    });
    expect((await invoke('chat', message({ amount: 1 }))).body.error.message).toBe('body/subject: required');
    expect((await invoke('chat', message({ subject: 's' }))).statusCode).toBe('OK');
    arm.script('chat.GetAllTeams', { body: { value: [{ id: 'ours', displayName: 'Ours' }] } });
    expect((await invoke('chat', channel('GetAllTeams-two'))).statusCode).toBe('NotFound');
    expect((await invoke('chat', channel('ours'))).statusCode).toBe('OK');
  });
});

describe('answers that a test writes', () => {
  it('takes them in turn, in every form', async () => {
    arm.script(
      'mail.ListMailV3',
      { status: 'NotFound', body: { message: 'no' } },
      { status: 429, headers: { 'Retry-After': '2' } },
      { form: 'text', body: { a: 1 } },
      ({ queries }) => ({ body: { asked: queries.$top ?? null } }),
    );
    expect(await invoke('mail', list({}))).toMatchObject({ statusCode: 'NotFound', body: { message: 'no' } });
    expect(await invoke('mail', list({}))).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '2' },
    });
    expect((await invoke('mail', list({}))).body).toBe('{"a":1}');
    for (const $top of ['1', '2'])
      expect((await invoke('mail', list({ $top }))).body).toEqual({ asked: $top });
    arm.script('mail.ListMailV3', { form: 'bare', status: 200, body: [] });
    expect((await post('mail', list({}))).body).toMatchObject({ statusCode: 200, body: [] });
    arm.script('mail.ListMailV3', { form: 'only-body', body: { value: [] } });
    expect((await post('mail', list({}))).body).toEqual({ value: [] });
  });

  it('gives pages whose next address is one of the connector', async () => {
    arm.pages('mail.ListMailV3', [1, 2, 3], 2);
    const first = (await invoke('mail', list({ $top: '5' }))).body;
    expect(first.value).toEqual([1, 2]);
    const next = new URL(first['@odata.nextLink']);
    expect(next.pathname).toMatch(/^\/apim\/mail\/[0-9a-f]{32}\/v2\/Mail$/);
    const second = await invoke('mail', { ...list({}), queries: Object.fromEntries(next.searchParams) });
    expect(second.body).toEqual({ value: [3] });
    expect(arm.invocations[1]!.queries).toEqual({ fetchOnlyFlagged: 'false', $top: '5', $skiptoken: '2' });
  });

  it('answers for a connection that nobody signed in, or that is disabled', async () => {
    arm.changeConnection('mail', { status: 'Error' });
    expect(await invoke('mail', list({}))).toMatchObject({
      statusCode: 'Unauthorized',
      body: { error: { code: 'Unauthenticated' } },
    });
    arm.changeConnection('mail', { status: 'Connected', state: 'Disabled' });
    expect((await invoke('mail', list({}))).statusCode).toBe('Forbidden');
  });

  it('proxies a GET', async () => {
    const path = `/subscriptions/${arm.subscription}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections/mail/extensions/proxy/testconnection`;
    const answer = await fetch(`${arm.url}${path}?api-version=2016-06-01`, {
      headers: { authorization: `Bearer ${arm.token()}` },
    });
    expect(await answer.json()).toMatchObject({ response: { statusCode: 'OK' } });
    expect(arm.invocations).toMatchObject([{ operationId: 'TestConnection', problems: [] }]);
  });
});
