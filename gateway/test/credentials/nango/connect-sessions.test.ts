import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNangoConnect } from '../../../src/credentials/nango/index.ts';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { type NangoDouble, startNango } from '../../doubles/nango.ts';

let nango: NangoDouble;
let egress: Egress;
const { signal } = new AbortController();

beforeEach(async () => {
  nango = await startNango();
  egress = createEgress({ allow: [nango.url] });
});
afterEach(async () => {
  await egress.close();
  await nango.close();
});

const connect = (key = nango.secretKey) =>
  createNangoConnect({ egress, nango: { baseUrl: nango.url }, env: { NANGO_SECRET_KEY: key } });

describe('a connect session', () => {
  it('is made for one end user and the integrations allowed', async () => {
    const session = await connect().createConnectSession(
      {
        endUser: { id: 'u1', email: 'ann@example.org', displayName: 'Ann', tags: { organisation: 'o1' } },
        allowedIntegrations: ['greenhouse'],
      },
      signal,
    );
    expect(nango.requests[0]).toMatchObject({ method: 'POST', target: '/connect/sessions', status: 201 });
    expect(nango.sessions[0]?.body).toEqual({
      end_user: { id: 'u1', email: 'ann@example.org', display_name: 'Ann', tags: { organisation: 'o1' } },
      allowed_integrations: ['greenhouse'],
    });
    const { token } = nango.sessions[0]!;
    expect(session).toEqual({
      token,
      connectLink: `https://connect.nango.dev/?session_token=${token}`,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it('for a lapsed connection keeps its id', async () => {
    nango.add({ id: 'c1', integration: 'lever', credentials: { type: 'API_KEY', apiKey: 'k' } });
    await connect().createReconnectSession({ connection: 'c1', integration: 'lever' }, signal);
    expect(nango.sessions[0]?.body).toEqual({ connection_id: 'c1', integration_id: 'lever' });
  });

  it('fails in words, never with the key', async () => {
    const error = await connect('bad-key-12345')
      .createConnectSession({ endUser: { id: 'u1' }, allowedIntegrations: ['lever'] }, signal)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'credentials_refused', status: 401 });
    expect(error.message).not.toContain('bad-key-12345');
  });

  it('that the key may not open names the scope that opens one', async () => {
    nango.answerNext({ status: 403, body: { error: { code: 'forbidden', message: 'missing scope' } } });
    await expect(
      connect().createConnectSession({ endUser: { id: 'u1' }, allowedIntegrations: ['lever'] }, signal),
    ).rejects.toMatchObject({
      code: 'credentials_refused',
      next: expect.stringContaining('environment:connect_sessions:write'),
    });
  });

  it('is asked for once: a POST is not repeated', async () => {
    nango.answerNext({ status: 503 });
    await expect(
      connect().createConnectSession({ endUser: { id: 'u1' }, allowedIntegrations: [] }, signal),
    ).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(nango.requests).toHaveLength(1);
  });

  it('without an answer is to be asked for again: no token was in it', async () => {
    nango.answerNext('drop');
    await expect(
      connect().createConnectSession({ endUser: { id: 'u1' }, allowedIntegrations: [] }, signal),
    ).rejects.toMatchObject({
      code: 'upstream_unreachable',
      next: 'It may have been taken all the same. Try again.',
    });
  });

  it.each([
    '<html>Nango</html>',
    {},
    { data: {} },
    { data: { token: 't', connect_link: 'javascript:alert(1)' } },
  ])('without a usable link is refused: %j', async (body) => {
    nango.answerNext({ status: 201, body });
    await expect(
      connect().createConnectSession({ endUser: { id: 'u1' }, allowedIntegrations: [] }, signal),
    ).rejects.toMatchObject({ code: 'upstream_failed', next: expect.stringContaining('nango.baseUrl') });
  });
});

describe('importing a connection that exists at Nango', () => {
  const zoho = {
    id: 'u1:zoho-recruit',
    integration: 'zoho-recruit',
    credentials: { type: 'OAUTH2', access_token: 'secret-token' },
    config: { extension: 'com.au', api_domain: 'x' },
    endUser: { id: 'u1' },
  };

  it('gives the reference to keep, the region, and no secret', async () => {
    nango.add(zoho);
    const imported = await connect().importConnection(
      { integration: 'zoho-recruit', connection: 'u1:zoho-recruit' },
      signal,
    );
    expect(imported).toEqual({
      credentials: { nango: { integration: 'zoho-recruit', connection: 'u1:zoho-recruit' } },
      provider: 'zoho-recruit',
      type: 'OAUTH2',
      config: { extension: 'com.au' },
      region: 'au',
      endUser: 'u1',
    });
    expect(JSON.stringify(imported)).not.toContain('secret-token');
  });

  it.each(['u2', ''])('made for another end user is as good as none (%j)', async (endUser) => {
    nango.add(zoho);
    await expect(
      connect().importConnection({ integration: 'zoho-recruit', connection: zoho.id, endUser }, signal),
    ).rejects.toMatchObject({ code: 'connection_missing' });
  });

  it('that is not there is missing', async () => {
    nango.add(zoho);
    await expect(
      connect().importConnection({ integration: 'zoho-recruit', connection: 'other' }, signal),
    ).rejects.toMatchObject({ code: 'connection_missing' });
  });

  it('is known to be of one end user, and of no other', async () => {
    nango.add(zoho);
    const kept = { integration: 'zoho-recruit', connection: zoho.id };
    const { isConnectionOf } = connect();
    expect(await isConnectionOf(['u1'], kept, signal)).toBe(true);
    expect(await isConnectionOf(['u2'], kept, signal)).toBe(false);
    expect(await isConnectionOf(['u1'], { ...kept, connection: 'gone' }, signal)).toBe(false);
    expect(await isConnectionOf(['u1'], { integration: 'zoho-recruit' }, signal)).toBe(false);
    await expect(connect('wrong-key').isConnectionOf(['u1'], kept, signal)).rejects.toMatchObject({
      code: 'credentials_refused',
    });
  });
});
