import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '../approved-calls.ts';
import { teamGateway } from '../server/http/team-gateway.ts';

type Team = Awaited<ReturnType<typeof teamGateway>>;

const MODERN: ClientOptions = { versionNegotiation: { mode: 'auto' } };
const DELETE = { name: 'greenhouse_delete_scheduled_interview', arguments: { id: 7163 } };

/** A delete of a team's user that a person approved; before it goes out, somebody takes the access away. */
describe.each<[name: string, asks: boolean, options: ClientOptions]>([
  ['that cannot ask anybody', false, {}],
  ['of 2025-11-25 with elicitation', true, { capabilities: { elicitation: {} } }],
  ['of 2026-07-28 with elicitation', true, { ...MODERN, capabilities: { elicitation: {} } }],
])('a client %s', (_name, asks, options) => {
  let team: Team;
  let user: Awaited<ReturnType<Team['user']>>;
  let client: Client;
  let connection: string;
  let meanwhile: (approval: string) => Promise<void>;

  beforeAll(async () => {
    team = await teamGateway();
    connection = await team.connect();
  });
  afterAll(() => team[Symbol.asyncDispose]());

  beforeEach(async () => {
    user = await team.user('Cleo');
    await team.operator('PUT', `/api/v1/connections/${connection}/users/${user.id}`, {
      providerUser: '158104',
    });
    client = new Client({ name: 'test', version: '1' }, options);
    if (asks) {
      client.setRequestHandler('elicitation/create', async () => {
        await meanwhile(await open());
        return { action: 'cancel' };
      });
    }
    const headers = { authorization: `Bearer ${user.key}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', team.url), { requestInit: { headers } }),
    );
    return () => client.close();
  });

  const open = async () => {
    const [approval] = await (await team.gateway.approvals()).list({ kind: 'operator' });
    return approval!.id;
  };
  /** Code of the failure, or `ok`; a client that cannot ask calls once more afterwards. */
  async function deleteWhile(happens: (approval: string) => Promise<void>): Promise<string> {
    meanwhile = happens;
    let result = await client.callTool(DELETE);
    if (!asks) {
      await happens(await open());
      result = await client.callTool(DELETE);
    }
    const error = result._meta?.['toolcrib/error'] as { code: string } | undefined;
    return error?.code ?? 'ok';
  }

  const approve = async (approval: string) => {
    await (await team.gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);
  };
  const deletes = () => team.provider.requests.filter(({ method }) => method === 'DELETE').length;

  it('deletes once while its access holds', async () => {
    const before = deletes();
    expect(await deleteWhile(approve)).toBe('ok');
    expect(deletes()).toBe(before + 1);
  });

  it.each<[what: string, code: string, take: () => Promise<readonly [status: number, body: unknown]>]>([
    [
      'the level went down to read-only',
      'tool_forbidden',
      () =>
        team.operator('PUT', '/api/v1/access', {
          organisation: team.organisation.id,
          user: user.id,
          scope: 'category:ats',
          level: 'read-only',
        }),
    ],
    [
      'the account was disconnected',
      'connection_missing',
      () => team.operator('DELETE', `/api/v1/connections/${connection}`),
    ],
  ])('deletes nothing once %s', async (_what, code, take) => {
    const before = deletes();
    const told = await deleteWhile(async (approval) => {
      await approve(approval);
      expect((await take())[0]).toBeLessThan(300);
    });
    expect(told).toBe(code);
    expect(deletes()).toBe(before);
  });
});
