import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { signInToConnection } from '../../../src/credentials/sign-in/sign-in-to-connection.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { Connection, SecurityScheme } from '../../../src/operations/index.ts';
import { connection } from '../connections.ts';
import { sendJson, startIdentityProvider } from '../identity-provider.ts';

const at = (host: string): SecurityScheme => ({
  type: 'oauth2',
  scopes: [],
  authorizationCode: { authorizationUrl: `https://${host}/authorize`, tokenUrl: `https://${host}/token` },
});
const client = (clientId: string, tokenFile = `/nowhere/${clientId}.json`) => ({ clientId, tokenFile });

/** Who asks where: nothing is opened. */
async function asked(pets: Connection, scheme?: string): Promise<string> {
  const egress = createEgress({});
  onTestFinished(() => egress.close());
  let opened = 'nowhere';
  await signInToConnection(pets, {
    scheme,
    egress,
    secrets: createSecretReader({}, () => {}),
    announce: () => {},
    signal: AbortSignal.timeout(8_000),
    onUrl(url) {
      const { host, searchParams } = new URL(url);
      opened = `${searchParams.get('client_id')} at ${host}`;
      throw new Error('not opened');
    },
  }).catch((error) => {
    if (error.message !== 'not opened') throw error;
  });
  return opened;
}

describe('of several sign-ins to a source', () => {
  const two = connection(
    { one: at('one.example'), two: at('two.example') },
    { schemes: { one: { oauth2: client('a') }, two: { oauth2: client('b') } } },
  );

  it('the named one is begun', async () => {
    expect(await asked(two, 'one')).toBe('a at one.example');
    expect(await asked(two, 'two')).toBe('b at two.example');
  });

  it('none is begun where none is named, and they are kept apart', async () => {
    await expect(asked(two)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('one, two'),
    });
  });

  it('kept in one file, the one is begun that says where a person signs in', async () => {
    const schemes = { machine: { type: 'oauth2', scopes: [] }, person: at('one.example') } as const;
    expect(await asked(connection(schemes, { oauth2: client('a') }))).toBe('a at one.example');
  });
});

it('the issuer that was discovered is the one whose answer is taken', async () => {
  const provider = await startIdentityProvider();
  const egress = createEgress({ allow: [provider.origin] });
  onTestFinished(async () => {
    await egress.close();
    await provider.close();
  });
  const { origin } = provider;
  provider.on('/.well-known/openid-configuration', (_request, response) =>
    sendJson(response, 200, {
      issuer: origin,
      token_endpoint: `${origin}/token`,
      authorization_endpoint: `${origin}/authorize`,
    }),
  );
  const url = `${origin}/.well-known/openid-configuration`;
  const pets = connection({ login: { type: 'openIdConnect', url } }, { oauth2: client('a') });
  const signedIn = signInToConnection(pets, {
    egress,
    secrets: createSecretReader({}, () => {}),
    announce: () => {},
    signal: AbortSignal.timeout(8_000),
    onUrl(address, offer) {
      const { searchParams } = new URL(address);
      const answer = new URL(searchParams.get('redirect_uri')!);
      answer.searchParams.set('state', searchParams.get('state')!);
      answer.searchParams.set('code', 'one');
      answer.searchParams.set('iss', 'https://evil.example');
      offer(answer.href);
    },
  });
  await expect(signedIn).rejects.toMatchObject({
    code: 'credentials_refused',
    message: expect.stringContaining(`does not come from ${origin}`),
  });
});
