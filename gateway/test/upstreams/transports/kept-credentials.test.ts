import { expect, onTestFinished, test } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import { staticHeaders } from '../../../src/upstreams/transports/static-headers.ts';
import { upstreamFetch } from '../../../src/upstreams/transports/upstream-fetch.ts';
import { startLoopbackService } from '../../doubles/loopback-service.ts';
import { remote } from '../remote.ts';

const TOKENS = ['first-8fK2mQz0PpL91', 'renewed-xYvTtR4aB3dE', 'wider-9kL1mN3pQ5rS7'] as const;
const INSUFFICIENT = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' };

test('no token of a sign-in comes back, whether it was kept, renewed or asked for with more scopes', async () => {
  const [first, renewed, wider] = TOKENS;
  const sent: unknown[] = [];
  const service = await startLoopbackService('/mcp', ({ headers: { authorization } }) => {
    sent.push(authorization);
    if (authorization === `Bearer ${first}`) return { status: 401 };
    if (authorization === `Bearer ${renewed}`) return { status: 403, headers: INSUFFICIENT };
    return { status: 202 };
  });
  const egress = createEgress({ allow: [new URL(service.url).origin] });
  onTestFinished(async () => {
    await egress.close();
    await service.close();
  });
  const open = createOpenTransport({
    egress,
    secrets: createSecretReader({}, () => undefined),
    signIns: {
      tokensFor: () => ({
        current: async () => first,
        renewed: async () => renewed,
        steppedUp: async () => wider,
      }),
    } as never,
  });
  const { transport, conceal } = await open(remote(service.url), '', AbortSignal.timeout(5_000));
  await transport.start();
  onTestFinished(() => transport.close());
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(sent.slice(0, 3)).toEqual(TOKENS.map((token) => `Bearer ${token}`));
  expect(conceal!(TOKENS.map((token) => ({ token })) as never)).toEqual(
    TOKENS.map(() => ({ token: '[redacted]' })),
  );
});

test('a credential goes to no other origin, whoever names it', async () => {
  const asked: unknown[] = [];
  const other = await startLoopbackService('/mcp', ({ headers }) => {
    asked.push(headers.authorization);
    return { status: 202 };
  });
  const egress = createEgress({ allow: [new URL(other.url).origin] });
  onTestFinished(async () => {
    await egress.close();
    await other.close();
  });
  const url = 'https://server.example/mcp';
  const headers = [['authorization', 'Bearer abc']] as const;
  const send = upstreamFetch({ egress, name: 'remote', url, headers, tokens: undefined });
  await expect(send(other.url, { method: 'POST', body: '{}' })).rejects.toMatchObject({
    code: 'egress_blocked',
    message: expect.stringContaining('stays at https://server.example'),
  });
  expect(asked).toEqual([]);
});

test('logs learn what headers hold as secrets, but what is written down for everybody', async () => {
  const announced: string[] = [];
  const secrets = createSecretReader({ KEY: 'the-key', PLACE: 'eu-1' }, (secret) => announced.push(secret));
  const headers = {
    'X-Api-Key': { env: 'KEY' },
    'X-Place': { env: 'PLACE' },
    'X-Session': 'written',
    'X-Plain': 'words',
  };
  const { transport, ...definition } = remote('https://server.example/mcp');
  if (transport.kind === 'stdio') throw new Error('a remote one is meant');
  await staticHeaders(
    { ...definition, transport },
    { ...transport, headers },
    secrets,
    AbortSignal.timeout(5_000),
  );
  expect(announced).toEqual(['the-key', 'eu-1', 'written']);
});
