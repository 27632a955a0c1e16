import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import type { Connection } from '../../src/operations/index.ts';
import { type NangoDouble, startNango } from '../doubles/nango.ts';
import { connection, header, request } from './connections.ts';
import { type IdentityProvider, sendJson, startIdentityProvider } from './identity-provider.ts';

let provider: IdentityProvider;
let nango: NangoDouble;
let egress: Egress;
const { signal } = new AbortController();

/** Tokens that say what they were issued for: `<client>/<sub>/<count>`. */
beforeEach(async () => {
  provider = await startIdentityProvider();
  nango = await startNango();
  egress = createEgress({ allow: [provider.origin, nango.url] });
  let count = 0;
  provider.on('/token', ({ headers, body }, response) => {
    const [client] = Buffer.from(headers.authorization!.slice(6), 'base64').toString().split(':');
    const subject = new URLSearchParams(body).get('sub') ?? 'service';
    sendJson(response, 200, {
      access_token: `${client}/${subject}/${++count}`,
      token_type: 'Bearer',
      expires_in: 3600,
    });
  });
});
afterEach(async () => {
  await egress.close();
  await provider.close();
  await nango.close();
});

/** A stored connection of an organisation, as Greenhouse v3 has it. */
const greenhouse = (organisation: string, changes: Partial<Connection> = {}): Connection =>
  connection(
    { oauth: { type: 'oauth2', tokenUrl: `${provider.origin}/token`, scopes: [] } },
    { oauth2: { clientId: organisation, clientSecret: `secret-of-${organisation}` } },
    {
      name: `greenhouse-v3#${organisation}`,
      source: 'greenhouse-v3',
      account: organisation,
      accountOwner: 'organisation',
      actingUserPlace: { in: 'token' },
      ...changes,
    },
  );

const subject = () => {
  const credentials = createCredentialProvider({ egress, env: { NANGO_SECRET_KEY: nango.secretKey } });
  return {
    credentials,
    send: (as: Connection) => credentials.authorize(request(), as, [{ oauth: [] }], signal),
    token: async (as: Connection) =>
      header(await credentials.authorize(request(), as, [{ oauth: [] }], signal), 'authorization'),
  };
};

describe('a service that learns from the token who acts', () => {
  it('is asked by the client for a token of that user: Basic client, form body, `sub`', async () => {
    await subject().token(greenhouse('acme', { actingUser: '4711' }));
    const { headers, body } = provider.received[0]!;
    expect(Buffer.from(headers.authorization!.slice(6), 'base64').toString()).toBe('acme:secret-of-acme');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'client_credentials',
      sub: '4711',
    });
  });

  it('is asked where tokens are issued, not where they are renewed', async () => {
    const tokenUrl = `${provider.origin}/token`;
    const oauth = { type: 'oauth2', tokenUrl, refreshUrl: 'http://127.0.0.1:1/renew', scopes: [] } as const;
    expect(await subject().token(greenhouse('acme', { securitySchemes: { oauth } }))).toContain('/service/');
  });

  it('gets one token for each acting user, and one for the service itself', async () => {
    const { token } = subject();
    const users = ['1', '2', undefined, '1', '2', undefined];
    const tokens = await Promise.all(
      users.map((actingUser) => token(greenhouse('acme', actingUser === undefined ? {} : { actingUser }))),
    );
    expect(provider.received).toHaveLength(3);
    expect(tokens.map((it) => it!.split('/')[1])).toEqual(['1', '2', 'service', '1', '2', 'service']);
  });

  it('gets no `sub` where the user is told another way', async () => {
    const { token } = subject();
    const byHeader = greenhouse('acme', {
      actingUser: '4711',
      actingUserPlace: { in: 'header', name: 'On-Behalf-Of' },
    });
    expect(await token(byHeader)).toContain('/service/');
  });

  it('never gets one organisation the token of another, however many call at once', async () => {
    const { token, credentials, send } = subject();
    const [acme, globex] = [greenhouse('acme'), greenhouse('globex')];
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const of = index % 2 === 0 ? 'acme' : 'globex';
      const as = { ...(index % 2 === 0 ? acme : globex), actingUser: String(index % 6) };
      if (index % 7 === 0) credentials.refused(as, await send(as));
      return [of, String(index % 6), await token(as)] as const;
    });
    for (const [organisation, user, value] of await Promise.all(calls)) {
      expect(value).toMatch(new RegExp(`^Bearer ${organisation}/${user}/`));
    }
  });

  it('refuses a user: only that user’s token is forgotten', async () => {
    const { send, token, credentials } = subject();
    const [ann, bob] = ['1', '2'].map((actingUser) => greenhouse('acme', { actingUser }));
    const refused = await send(ann!);
    const kept = await token(bob!);
    expect(credentials.refused(ann!, refused)).toBe(true);
    expect(await token(bob!)).toBe(kept);
    expect(await token(ann!)).not.toBe(header(refused, 'authorization'));
  });
});

describe('a ready token', () => {
  const ready = { schemes: { oauth: { bearer: 'ready-token' } } };

  it('of the organisation does not act for a user: acting_user_missing', async () => {
    const as = { ...greenhouse('acme', { actingUser: '1' }), credentials: ready };
    await expect(subject().token(as)).rejects.toMatchObject({ code: 'acting_user_missing' });
    const refresh = greenhouse('acme', { actingUser: '1' });
    const credentials = { oauth2: { clientId: 'acme', clientSecret: 's3cret', refreshToken: 'r-1' } };
    await expect(subject().token({ ...refresh, credentials })).rejects.toMatchObject({
      code: 'acting_user_missing',
    });
    const kept = { oauth2: { clientId: 'acme', tokenFile: '/nowhere/of-a-person.json' } };
    await expect(subject().token({ ...refresh, credentials: kept })).rejects.toMatchObject({
      code: 'acting_user_missing',
    });
    expect(provider.received).toEqual([]);
  });

  it('of the user’s own account does, and so does the operator’s', async () => {
    const own = greenhouse('acme', { actingUser: '1', accountOwner: 'user' });
    expect(await subject().token({ ...own, credentials: ready })).toBe('Bearer ready-token');
    const { account: _, accountOwner: __, ...configured } = greenhouse('acme', { actingUser: '1' });
    expect(await subject().token({ ...configured, credentials: ready })).toBe('Bearer ready-token');
  });

  it('of an account whose owner is not known does not', async () => {
    const { accountOwner: _, ...unknown } = greenhouse('acme', { actingUser: '1' });
    await expect(subject().token({ ...unknown, credentials: ready })).rejects.toMatchObject({
      code: 'acting_user_missing',
    });
  });

  it('of the organisation serves where nobody is meant, or the user is told another way', async () => {
    const nobody = { ...greenhouse('acme'), credentials: ready };
    expect(await subject().token(nobody)).toBe('Bearer ready-token');
    const byHeader = { in: 'header', name: 'On-Behalf-Of' } as const;
    expect(await subject().token({ ...nobody, actingUser: '1', actingUserPlace: byHeader })).toBe(
      'Bearer ready-token',
    );
  });

  it('of a client, kept by Nango, acts for no user at all', async () => {
    nango.add({ id: 'c', integration: 'gh', credentials: { type: 'OAUTH2_CC', token: 'client-token' } });
    nango.add({ id: 'u', integration: 'gh', credentials: { type: 'OAUTH2', access_token: 'user-token' } });
    const kept = (id: string) => ({
      ...greenhouse('acme', { actingUser: '1', accountOwner: 'user' as const }),
      credentials: { nango: { integration: 'gh', connection: id, baseUrl: nango.url } },
    });
    await expect(subject().token(kept('c'))).rejects.toMatchObject({ code: 'acting_user_missing' });
    expect(await subject().token(kept('u'))).toBe('Bearer user-token');
  });
});

describe('a token that is refused by many at once', () => {
  it('is replaced by one request', async () => {
    const { send, token, credentials } = subject();
    const acme = greenhouse('acme');
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(acme)));
    const again = await Promise.all(
      sent.map((one) => (credentials.refused(acme, one) ? token(acme) : undefined)),
    );
    expect(new Set(again)).toEqual(new Set(['Bearer acme/service/2']));
    expect(provider.received).toHaveLength(2);
  });

  it('and by one who comes late costs the new token nothing', async () => {
    const { send, token, credentials } = subject();
    const acme = greenhouse('acme');
    const late = await send(acme);
    credentials.refused(acme, await send(acme));
    expect(await token(acme)).toBe('Bearer acme/service/2');
    expect(credentials.refused(acme, late)).toBe(true);
    expect(await token(acme)).toBe('Bearer acme/service/2');
    expect(provider.received).toHaveLength(2);
  });
});
