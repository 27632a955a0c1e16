import { describe, expect, it } from 'vitest';
import { startNango } from '../../doubles/nango.ts';
import { teamGateway } from '../../server/http/team-gateway.ts';

/** An account whose authorisation has ended at Nango: the organisation's, or a user's own. */
async function lapsedAccount() {
  const nango = await startNango();
  process.env['EXECUTE_TEST_NANGO_KEY'] = nango.secretKey;
  const team = await teamGateway({
    sources: {
      zoho: {
        manifest: 'zoho-recruit',
        baseUrl: 'http://127.0.0.1:9',
        credentials: {
          nango: {
            integration: 'zoho-recruit',
            baseUrl: nango.url,
            secretKey: { env: 'EXECUTE_TEST_NANGO_KEY' },
          },
        },
      },
    },
  });
  const connect = async (caller: typeof team.admin, owner: string, user: string | null) => {
    const connection = `${owner}:zoho`;
    nango
      .add({
        id: connection,
        integration: 'zoho-recruit',
        credentials: { type: 'OAUTH2', access_token: 'zoho-token' },
      })
      .breakRefresh(424);
    const credentials = { nango: { integration: 'zoho-recruit', connection } };
    const [status, body] = await caller('POST', '/api/v1/connections', { source: 'zoho', user, credentials });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id as string;
  };
  return {
    ...team,
    connect,
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
      await nango.close();
    },
  };
}

const TOOL = '/api/v1/tools/zoho_recruit_list_candidates/call';
const PROXY = { provider: 'zoho-recruit', method: 'GET', path: '/Candidates' };

describe('the page on which an account is connected again', () => {
  it("is not shown to a user whose account it is not: an admin opens it for the organisation's", async () => {
    await using team = await lapsedAccount();
    const connection = await team.connect(team.admin, team.ann.id, null);
    const bob = await team.user('Bob');
    const [status, called] = await bob.call('POST', TOOL, { arguments: {} });
    expect([status, called]).toMatchObject([409, { error: { code: 'reconnect_required' } }]);
    expect(called.error.details).toEqual({ connection });
    const [, forwarded] = await bob.call('POST', '/api/v1/ats/proxy', PROXY);
    expect(forwarded).toMatchObject({ error: { code: 'ATS_AUTH_FAILED' } });
    expect(JSON.stringify([called, forwarded])).not.toContain('session_token');
    expect((await bob.call('POST', `/api/v1/connections/${connection}/reconnect`))[0]).toBe(403);
    expect((await team.admin('POST', `/api/v1/connections/${connection}/reconnect`))[0]).toBe(201);
  });

  it('is shown to the user whose own account it is', async () => {
    await using team = await lapsedAccount();
    const bob = await team.user('Bob');
    await team.connect(bob.call, bob.id, bob.id);
    const [, called] = await bob.call('POST', TOOL, { arguments: {} });
    expect(called.error.details.link).toContain('session_token');
  });
});
