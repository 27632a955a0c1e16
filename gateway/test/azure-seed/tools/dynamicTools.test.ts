import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../connectors/support/open-room.ts';
import { type Tools, toolsOf } from '../../connectors/support/own-call.ts';
import { armError, swagger } from '../../connectors/support/small-arm.ts';

const opened: Bench[] = [];

afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close();
});

async function start(furnish: (bench: Bench) => void): Promise<Bench & { readonly tools: Tools }> {
  const bench = await openBench();
  opened.push(bench);
  furnish(bench);
  const tools = toolsOf(bench);
  await tools.compile();
  return Object.assign(bench, { tools });
}

const MAIL = {
  swagger: '2.0',
  info: { title: 'Mail', version: '1.0' },
  paths: {
    '/{connectionId}/Mail': {
      post: {
        operationId: 'SendEmail',
        summary: 'Send an email',
        parameters: [
          { name: 'connectionId', in: 'path', required: true, type: 'string', 'x-ms-visibility': 'internal' },
          { name: '$save', in: 'query', type: 'boolean', default: true, description: 'Keep a copy.' },
          {
            name: 'message',
            in: 'body',
            required: true,
            schema: {
              type: 'object',
              required: ['To'],
              properties: {
                To: { type: 'string', description: 'Who gets it.' },
                Importance: { type: 'string', enum: ['low', 'high'] },
              },
            },
          },
        ],
        responses: { 200: { description: 'OK' } },
      },
      get: {
        operationId: 'OnNewEmail',
        'x-ms-trigger': 'single',
        parameters: [{ name: 'connectionId', in: 'path', required: true, type: 'string' }],
        responses: { 200: { description: 'OK' } },
      },
    },
    '/{connectionId}/folders': {
      get: {
        operationId: 'GetFolders',
        'x-ms-visibility': 'internal',
        parameters: [{ name: 'connectionId', in: 'path', required: true, type: 'string' }],
        responses: { 200: { description: 'OK' } },
      },
    },
  },
};

describe('tools of the connected APIs at start-up (seed §5.1, §15.1)', () => {
  it('have the names and schemas of their operations', async () => {
    const { tools } = await start(({ arm }) => {
      arm.connections.set('office365', { name: 'office365', api: 'office365' });
      arm.apis.set('office365', MAIL);
    });
    expect(tools.all.map(({ name }) => name)).toEqual(['office365_send_email']);
    const [send] = tools.all;
    expect(send).toMatchObject({
      id: 'office365.SendEmail',
      description: expect.stringMatching(/^\[The office365 service\] Send an email/),
      access: 'write',
      invocation: { kind: 'azure', api: 'office365', connection: 'office365', method: 'POST', path: '/Mail' },
    });
    expect(send!.input['required']).toEqual(['To']);
    expect(send!.input['properties']).toMatchObject({
      _save: { type: 'boolean', default: true },
      To: { type: 'string' },
      Importance: { enum: ['low', 'high'] },
    });
    expect(Object.keys(send!.input['properties']!)).not.toContain('connectionId');
  });

  it('are those of every connection, whatever its state, but not of a disabled one (§7.1)', async () => {
    const { tools, room } = await start(({ arm }) => {
      arm.connections.set('mail', { name: 'mail', api: 'mail' });
      arm.connections.set('chat', { name: 'chat', api: 'chat', status: 'Error' });
      arm.connections.set('off', { name: 'off', api: 'off', state: 'Disabled' });
      for (const api of ['mail', 'chat', 'off']) arm.apis.set(api, swagger(api, 'Do'));
    });
    expect(tools.all.map(({ name }) => name).sort()).toEqual(['chat_do', 'mail_do']);
    expect(room.marks()).toEqual({ chat: ' ⚠️ Connection not authenticated' });
  });

  it('survive that one schema cannot be fetched (§13.1)', async () => {
    const { tools, room } = await start(({ arm }) => {
      for (const api of ['one', 'two', 'three']) arm.connections.set(api, { name: api, api });
      arm.apis.set('one', swagger('one', 'Do'));
      arm.apis.set('two', armError(403, 'AuthorizationFailed', 'Not for you.'));
      arm.apis.set('three', swagger('three', 'Do'));
    });
    expect(tools.all.map(({ name }) => name).sort()).toEqual(['one_do', 'three_do']);
    expect(await room.reload(new AbortController().signal)).toEqual([
      expect.stringMatching(/^two: schema fetch failed — .*Not for you/),
    ]);
  });

  it('of two connections of one API have the name of the connection (§13.2)', async () => {
    const { tools } = await start(({ arm }) => {
      arm.connections.set('mail', { name: 'mail', api: 'mail' });
      arm.connections.set('backup', { name: 'backup', api: 'mail' });
      arm.apis.set('mail', swagger('mail', 'ReadMail'));
    });
    expect(tools.all.map(({ name }) => name).sort()).toEqual(['mail_backup_read_mail', 'mail_read_mail']);
  });

  it('read the shape of the seed as well (§2.2)', async () => {
    const { tools } = await start(({ arm }) => {
      arm.connections.set('mail', { name: 'mail', api: 'mail' });
      arm.apis.set('mail', { properties: { name: 'mail', swagger: swagger('mail', 'ReadMail') } });
    });
    expect(tools.all).toHaveLength(1);
  });
});

const data = new URL('../../../../../shared/data/arm/', import.meta.url);
describe.skipIf(!existsSync(data))('the captured connections with their captured schemas', () => {
  const json = (name: string) => JSON.parse(readFileSync(new URL(name, data), 'utf8'));

  it('become 43 and 61 tools', async () => {
    const { tools, room } = await start(({ arm }) => {
      const { value } = json('listConnections.json');
      arm.instead = ({ path }) =>
        path.endsWith('/connections') ? { status: 200, body: { value } } : undefined;
      arm.apis.set('office365', json('office365-schema.json'));
      arm.apis.set('teams', json('teams-schema.json'));
    });
    expect(tools.count('office', 'office365')).toBe(43);
    expect(tools.count('office', 'teams')).toBe(61);
    expect(tools.all.map(({ name }) => name)).toContain('office365_send_email_v2');
    expect(Object.keys(room.marks())).toEqual(['teams']);
    expect(await room.helper('teams', 'GetAllTeams')).toMatchObject({
      source: 'office',
      id: 'teams.GetAllTeams',
    });
    expect(await room.helper('teams', 'NoSuchOperation')).toBeUndefined();
  });
});
