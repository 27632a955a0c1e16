import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { isolationStatus } from '../../../src/sandbox/index.ts';
import { createUpstreams, type UpstreamDefinition, type Upstreams } from '../../../src/upstreams/index.ts';
import { createUpstreamSignIns, type UpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import { startMcpServer } from '../../doubles/mcp-http-server.ts';
import { guarded } from '../oauth/guarded.ts';
import { remote } from '../remote.ts';
import { definition, request, textOf } from '../scripted.ts';

function composed(allow: readonly string[], ...definitions: readonly UpstreamDefinition[]) {
  const egress = createEgress({ allow });
  const secrets = createSecretReader(process.env, () => {});
  const signIns: UpstreamSignIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const openTransport = createOpenTransport({ egress, secrets, signIns });
  const upstreams: Upstreams = createUpstreams({
    record: () => {},
    openTransport,
    redact: (text) => text.replace('key-12345', '…'),
  });
  upstreams.configure(definitions);
  onTestFinished(async () => {
    await upstreams.close();
    await egress.close();
  });
  return { upstreams, signIns };
}

const signal = () => AbortSignal.timeout(10_000);

describe('an upstream over HTTP', () => {
  it.each(['session', 'stateless', 'sse'] as const)('of kind %s is listed and called', async (era) => {
    const server = await startMcpServer({ era });
    onTestFinished(() => server.close());
    const { upstreams } = composed([server.origin], remote(server.url));
    expect((await upstreams.list('remote', signal())).tools.map(({ name }) => name)).toEqual(['echo', 'cut']);
    expect(textOf(await upstreams.call('remote', 'echo', {}, request()))).toBe('echo');
    expect(server.executed).toEqual(['echo']);
  });

  it('whose server forgot the session gets a new one, and runs no call twice', async () => {
    const server = await startMcpServer({ era: 'session' });
    onTestFinished(() => server.close());
    const { upstreams } = composed([server.origin], remote(server.url));
    await upstreams.call('remote', 'echo', {}, request());
    server.forgetSessions();
    await expect
      .poll(() => upstreams.call('remote', 'echo', {}, request()).then(textOf, () => 'not yet'))
      .toBe('echo');
    expect(server.executed).toEqual(['echo', 'echo']);
  });

  it.each(['auto', 'legacy'] as const)(
    'of era %s that asks for a sign-in says so, and works after it',
    async (era) => {
      const world = await guarded();
      const asked = { ...world.definition(), era };
      const { upstreams, signIns } = composed([world.server.origin, world.oauth.origin], asked);
      await expect(upstreams.list('remote', signal())).rejects.toMatchObject({
        code: 'authorization_required',
      });
      const onUrl = async (url: string) => void (await world.oauth.agree(url));
      await signIns.signIn(asked, { onUrl, signal: signal() });
      await expect
        .poll(() => upstreams.call('remote', 'echo', {}, request()).then(textOf, () => 'not yet'))
        .toBe('echo');
      world.needed = 'tools:write';
      await expect(upstreams.call('remote', 'echo', {}, request())).rejects.toMatchObject({
        code: 'authorization_required',
        details: { scopes: ['tools:write'] },
      });
    },
  );

  it('whose authorization server cannot be reached is told as that, asked once, and is not started again', async () => {
    const world = await guarded();
    const { upstreams, signIns } = composed([world.server.origin, world.oauth.origin], world.definition());
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    await signIns.signIn(world.definition(), { onUrl, signal: signal() });
    await upstreams.call('remote', 'echo', {}, request());
    world.oauth.revoke('access');
    await world.oauth.stop();
    const before = world.server.requests.length;
    await expect(upstreams.call('remote', 'echo', {}, request())).rejects.toMatchObject({
      code: 'upstream_unreachable',
      message: expect.stringContaining(`The token endpoint ${world.oauth.origin}/token`),
    });
    const asked = world.server.requests.slice(before).map(({ body }) => JSON.parse(body).method);
    expect(asked).toEqual(['tools/call']);
  });

  it.each(['auto', 'legacy'] as const)(
    'of era %s that refuses the handshake is told with its own words',
    async (era) => {
      const body = { error: 'Access is only allowed at localhost:9303, not with key-12345' };
      const server = await startMcpServer({ era: 'session', guard: () => ({ status: 403, body }) });
      onTestFinished(() => server.close());
      const { upstreams } = composed([server.origin], { ...remote(server.url), era, restart: false });
      await expect(upstreams.list('remote', signal())).rejects.toMatchObject({
        code: 'upstream_unavailable',
        message: expect.stringMatching(/answered HTTP 403: .*only allowed at localhost:9303, not with …/),
        next: expect.stringContaining('`url`'),
      });
    },
  );

  it('at a forbidden address is egress_blocked', async () => {
    const { upstreams } = composed([], remote('http://169.254.169.254/mcp'));
    await expect(upstreams.list('remote', signal())).rejects.toMatchObject({ code: 'egress_blocked' });
  });
});

const status = await isolationStatus();

describe.skipIf(!status.available)('an upstream in bubblewrap', () => {
  it('is listed and called', async () => {
    const plain = definition();
    if (plain.transport.kind !== 'stdio') throw new Error('not stdio');
    const read = [join(import.meta.dirname, '..', 'fixtures'), dirname(process.execPath)];
    const isolation = { mode: 'bubblewrap', network: false, read, write: [] } as const;
    const { upstreams } = composed([], { ...plain, transport: { ...plain.transport, isolation } });
    expect((await upstreams.list('scripted', signal())).tools.map(({ name }) => name)).toContain('echo');
    expect(textOf(await upstreams.call('scripted', 'echo', { a: 1 }, request()))).toBe('{"a":1}');
  });
});
