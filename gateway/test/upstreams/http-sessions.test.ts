import { describe, expect, onTestFinished, test } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import { createEgress } from '../../src/egress/index.ts';
import type { CallChannel } from '../../src/operations/index.ts';
import { createUpstreams, type UpstreamDefinition, type Upstreams } from '../../src/upstreams/index.ts';
import { createUpstreamSignIns } from '../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../src/upstreams/transports/open-transport.ts';
import { type HttpFixture, httpServer } from './fixtures/http-server.ts';
import { definition, request, textOf } from './scripted.ts';

function connected(fixture: HttpFixture, changes: Partial<UpstreamDefinition> = {}): Upstreams {
  const egress = createEgress({ allow: [new URL(fixture.url).host] });
  const secrets = createSecretReader({}, () => undefined);
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => undefined });
  const upstreams = createUpstreams({
    record: () => undefined,
    openTransport: createOpenTransport({ egress, secrets, signIns }),
  });
  onTestFinished(() => egress.close());
  onTestFinished(() => upstreams.close());
  upstreams.configure([
    {
      ...definition({}, { hangMs: 1_000, ...changes }),
      name: 'remote',
      transport: { kind: 'http', url: fixture.url, headers: {}, oauth: 'none' },
    },
  ]);
  return upstreams;
}

describe.each(['legacy', 'modern'] as const)('a Streamable HTTP server of the %s era', (era) => {
  test('is listed and called', async () => {
    const upstreams = connected(await httpServer(era));
    const listing = await upstreams.list('remote', new AbortController().signal);
    expect(listing).toMatchObject({ era, server: { name: 'http-fixture' } });
    expect(listing.tools.map(({ name }) => name)).toContain('echo');
    expect(textOf(await upstreams.call('remote', 'echo', { key: 'a' }, request()))).toBe('{"key":"a"}');
  });

  test('hears of a cancellation', async () => {
    const fixture = await httpServer(era);
    const upstreams = connected(fixture);
    const controller = new AbortController();
    const call = upstreams.call('remote', 'sleep', {}, request({ signal: controller.signal }));
    await expect.poll(() => fixture.executed).toHaveLength(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => fixture.cancelled).toEqual(['sleep']);
  });

  test('hands log messages to the caller whose stream they came on', async () => {
    const upstreams = connected(await httpServer(era));
    await upstreams.call('remote', 'echo', {}, request());
    const heard: unknown[] = [];
    const call = (principal: string) => {
      const channel: CallChannel = { log: async (_, data) => void heard.push([principal, data]) };
      return upstreams.call('remote', 'log', { key: principal }, request({ principal, channel }));
    };
    await Promise.all([call('ann'), call('bob')]);
    expect(heard.sort()).toEqual([
      ['ann', { of: 'ann' }],
      ['bob', { of: 'bob' }],
    ]);
  });

  test.each([
    [true, 'upstream_crashed'],
    [false, 'outcome_unknown'],
  ])(
    'ends a call (repeatable: %s) whose connection breaks as %s, and is not asked twice',
    async (repeatable, code) => {
      const fixture = await httpServer(era);
      const upstreams = connected(fixture);
      await upstreams.call('remote', 'echo', {}, request());
      const call = upstreams.call('remote', 'drop', { key: 'once' }, request({ repeatable }));
      await expect(call).rejects.toMatchObject({ code });
      expect(fixture.executed.filter((line) => line.startsWith('drop'))).toHaveLength(1);
      expect(textOf(await upstreams.call('remote', 'echo', { key: 'b' }, request()))).toBe('{"key":"b"}');
    },
  );

  test('that is down for a moment is waited for: nothing was sent, so that a write goes through once', async () => {
    const fixture = await httpServer(era);
    const upstreams = connected(fixture);
    await upstreams.call('remote', 'echo', {}, request());
    await fixture.stop();
    // finds out that the server is gone, and may be lost with the old connection
    const first = upstreams.call('remote', 'echo', {}, request()).catch((error) => error.code);
    await expect.poll(() => upstreams.states()[0]?.status).not.toBe('running');
    const write = upstreams.call('remote', 'write', { key: 'w' }, request({ repeatable: false }));
    await fixture.restart();
    expect(textOf(await write)).toBe('{"key":"w"}');
    expect(fixture.executed.filter((line) => line.startsWith('write'))).toHaveLength(1);
    expect([{ kind: 'answer' }, 'upstream_crashed']).toContainEqual(
      typeof (await first) === 'string' ? await first : { kind: 'answer' },
    );
  });
});

test('a session that the server forgot is opened anew, and the call carried out once, also a write', async () => {
  const fixture = await httpServer('legacy');
  const upstreams = connected(fixture);
  await upstreams.call('remote', 'echo', {}, request());
  fixture.forget();
  const write = await upstreams.call('remote', 'write', { key: 'w' }, request({ repeatable: false }));
  expect(textOf(write)).toBe('{"key":"w"}');
  expect(fixture.executed.filter((line) => line.startsWith('write'))).toHaveLength(1);
});

function asker(upstreams: Upstreams, tool: string) {
  return (principal: string) => {
    const channel: CallChannel = {
      ask: async ({ params }) => ({
        action: 'accept',
        content: { of: principal, asked: String(params?.['message']) },
      }),
    };
    return upstreams.call('remote', tool, { key: principal }, request({ principal, channel }));
  };
}

test('a question beside the streams of calls goes to the only person who has calls open, else to nobody', async () => {
  const fixture = await httpServer('legacy');
  const upstreams = connected(fixture);
  await upstreams.call('remote', 'echo', {}, request());
  const ask = asker(upstreams, 'ask-aside');
  expect(textOf(await ask('ann'))).toContain('"asked":"for ann"');
  const answers = await Promise.all(['ann', 'bob'].map(ask));
  expect(answers.map(textOf)).toContain('{"action":"cancel"}');
  expect(textOf(answers[1] as never)).not.toContain('"of":"ann"');
  expect(textOf(answers[0] as never)).not.toContain('"of":"bob"');
});

test('a question on the stream of a call goes to its caller, whoever else has calls open', async () => {
  const fixture = await httpServer('legacy');
  const upstreams = connected(fixture);
  await upstreams.call('remote', 'echo', {}, request());
  const ask = asker(upstreams, 'ask');
  const answers = await Promise.all(['ann', 'bob', 'eve'].map(ask));
  expect(answers.map((answer) => JSON.parse(textOf(answer)).content)).toEqual([
    { of: 'ann', asked: 'for ann' },
    { of: 'bob', asked: 'for bob' },
    { of: 'eve', asked: 'for eve' },
  ]);
});

test('arguments that a server of 2026-07-28 wants in headers are mirrored', async () => {
  const fixture = await httpServer('modern');
  const upstreams = connected(fixture);
  await upstreams.list('remote', new AbortController().signal);
  await upstreams.call('remote', 'echo', { region: 'Zürich' }, request());
  await upstreams.call('remote', 'echo', { region: 'eu-1' }, request());
  await upstreams.call('remote', 'echo', {}, request());
  const headers = fixture.seen.slice(-3).map((seen) => seen.headers.get('mcp-param-region'));
  expect(headers).toEqual([`=?base64?${Buffer.from('Zürich').toString('base64')}?=`, 'eu-1', null]);
});
