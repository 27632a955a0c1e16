import { expect, test } from 'vitest';
import { teamGateway } from './team-gateway.ts';

const JOBS = '/api/v1/tools/greenhouse_list_jobs/call';

/** Frames of a stream of events until one of that call, by who it was of. */
async function streamed(url: string, key: string, until: string): Promise<readonly Record<string, string>[]> {
  const response = await fetch(new URL('/api/v1/events?after=0', url), {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
  });
  const events: Record<string, string>[] = [];
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) events.push(JSON.parse(data));
    }
    if (events.some(({ call, type }) => call === until && type === 'call-completed')) break;
  }
  return events;
}

test('a stream of events holds the calls of whoever reads it, and nothing of others', async () => {
  await using team = await teamGateway();
  await team.connect();
  const bob = await team.user('Bob');
  await team.admin('POST', JOBS, {});
  await bob.call('POST', JOBS, {});
  const [, { events }] = await bob.call('GET', '/api/v1/events?type=call-completed');
  expect(events).toHaveLength(1);
  const bobs = await streamed(team.url, bob.key, events[0].call);
  expect(new Set(bobs.map(({ principal }) => principal))).toEqual(new Set([bob.id]));
  expect(new Set(bobs.flatMap(({ call }) => call ?? []))).toEqual(new Set([events[0].call]));
  const anns = await streamed(team.url, team.ann.key, events[0].call);
  expect(new Set(anns.flatMap(({ call }) => call ?? [])).size).toBe(2);
});

test('usage is the caller’s own, an admin’s the organisation’s, and nobody’s where there is no organisation', async () => {
  await using team = await teamGateway();
  await team.connect();
  const bob = await team.user('Bob');
  await team.admin('POST', JOBS, {});
  await bob.call('POST', JOBS, {});
  const calls = async (by: typeof bob.call, query = '') => {
    const [, body] = await by('GET', `/api/v1/usage?groupBy=organisation${query}`);
    return body.usage.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0);
  };
  await expect.poll(() => calls(team.admin)).toBe(2);
  expect(await calls(bob.call)).toBe(1);
  expect(await calls(bob.call, `&user=${bob.id}`)).toBe(1);
  expect(await calls(team.admin, `&user=${bob.id}`)).toBe(1);
  expect(await calls(team.operator)).toBe(2);
  const refused = [403, { error: { code: 'admin_needed' } }];
  expect(await bob.call('GET', `/api/v1/usage?user=${team.ann.id}`)).toMatchObject(refused);
});

test('an admin adds up the calls of the own organisation, whichever is asked for and by whatever key', async () => {
  await using team = await teamGateway();
  await team.connect();
  const { operator, organisation } = team;
  const bob = await team.user('Bob');
  await bob.call('POST', JOBS, {});
  const [, other] = await operator('POST', '/api/v1/orgs', { name: 'Other' });
  const [, zoe] = await operator('POST', '/api/v1/users', {
    name: 'Zoe',
    organisation: other.id,
    roles: ['admin'],
  });
  await operator('POST', '/api/v1/connections', {
    organisation: other.id,
    source: 'greenhouse',
    credentials: { schemes: { basic: { apiKey: { env: 'LOOPBACK_GREENHOUSE_KEY' } } } },
  });
  const byKey = async (more: object) =>
    team.as((await operator('POST', '/api/v1/keys', { user: zoe.id, name: 'key', ...more }))[1].key);
  const [whole, limited] = [await byKey({}), await byKey({ sources: ['greenhouse'] })];
  const rows = async (by: typeof whole, query: string) =>
    (await by('GET', `/api/v1/usage?${query}`))[1].usage.map(
      ({ key, calls }: { key: string; calls: number }) => [key, calls],
    );
  await expect.poll(() => rows(operator, 'groupBy=organisation')).toEqual([[organisation.id, 1]]);
  const ask = [
    'groupBy=organisation',
    `organisation=${organisation.id}`,
    `user=${bob.id}`,
    `groupBy=user&organisation=${organisation.id}&source=greenhouse`,
  ];
  for (const query of ask) {
    expect(await rows(whole, query)).toEqual([]);
    expect(await rows(limited, query)).toEqual([]);
  }
  await whole('POST', JOBS, {});
  for (const by of [whole, limited]) {
    const own = () => rows(by, `groupBy=organisation&organisation=${organisation.id}`);
    await expect.poll(own).toEqual([[other.id, 1]]);
  }
  expect(await rows(operator, `groupBy=user&organisation=${other.id}`)).toEqual([[zoe.id, 1]]);
});

test('what tools cost somebody else is told to who may reach them', async () => {
  await using team = await teamGateway();
  await team.connect();
  const bob = await team.user('Bob');
  const weigh = async (by: typeof bob.call, as: string) => (await by('GET', `/api/v1/tokens?as=${as}`))[0];
  expect(await weigh(bob.call, bob.id)).toBe(200);
  expect(await weigh(team.admin, bob.id)).toBe(200);
  expect(await weigh(bob.call, team.ann.id)).toBe(404);
});
