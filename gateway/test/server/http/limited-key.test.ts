import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/server/http/routes/index.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { type Caller, teamGateway } from './team-gateway.ts';

const OWN = 'board';
const OTHER = 'ledger';
/** The source of the account that is connected. */
const CONNECTED = 'greenhouse';

/** A source that reads, and deletes where a person agrees. */
function source(name: string): FunctionSource {
  return {
    tools: [
      defineTool({
        name: `${name}_read`,
        description: `Reads the ${name}`,
        access: 'read',
        budget: { calls: 100 },
        handler: () => ({ text: 'x'.repeat(10) }),
      }),
      defineTool({
        name: `${name}_clear`,
        description: `Clears the ${name}`,
        access: 'delete',
        handler: () => null,
      }),
    ],
    resources: [{ uri: `${name}://all`, name: `all of ${name}`, read: () => ({ text: 'all' }) }],
    prompts: [{ name: `${name}-sum`, get: () => [{ role: 'user', content: { type: 'text', text: 's' } }] }],
  };
}

let team: Awaited<ReturnType<typeof teamGateway>>;
/** The same user's, by a key that is limited to the own source, and by one that is not. */
let limited: Caller;
let whole: Caller;
let limitedAdmin: Caller;
let bob: Awaited<ReturnType<typeof team.user>>;
const ids = { own: '', other: '', standing: '', call: '', connection: '' };

beforeAll(async () => {
  team = await teamGateway(
    {
      topology: 'flat',
      policy: {
        defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
        budgets: [
          { name: 'everything', calls: 100 },
          { name: `of the ${OWN}`, source: OWN, calls: 100 },
          { name: `of the ${OTHER}`, source: OTHER, calls: 100 },
        ],
      },
    },
    { functions: { [OWN]: source(OWN), [OTHER]: source(OTHER) } },
  );
  bob = await team.user('Bob');
  whole = bob.call;
  const keyOf = async (user: string) => {
    const input = { user, name: 'limited', sources: [OWN] };
    const [, made] = await team.admin('POST', '/api/v1/keys', input);
    return team.as(made.key);
  };
  limited = await keyOf(bob.id);
  limitedAdmin = await keyOf(team.ann.id);
  const call = async (name: string, by = whole) =>
    (await by('POST', `/api/v1/tools/${name}/call`, {}))[1] as { error?: { details?: { approval: string } } };
  for (const by of [whole, team.admin]) {
    for (const name of [OWN, OTHER]) expect(await call(`${name}_read`, by)).not.toHaveProperty('error');
  }
  const ask = async (name: string, by = whole) => {
    const asked = (await call(`${name}_clear`, by)).error?.details?.approval;
    expect(asked).toEqual(expect.any(String));
    return asked!;
  };
  const approvals = await team.gateway.approvals();
  const operator = { kind: 'operator', channel: 'cli', id: 'owner' } as const;
  const first = await ask(OTHER);
  await approvals.decide(first, { decision: 'approve_always' }, operator);
  await ask(OTHER, team.admin);
  [ids.own, ids.other] = [await ask(OWN), first];
  ids.standing = (await approvals.standing({ kind: 'operator' }))[0]!.id;
  const scope = { scope: `source:${OTHER}`, level: 'read-write', user: bob.id };
  expect(await team.admin('PUT', '/api/v1/access', scope)).toMatchObject([200, {}]);
  ids.connection = await team.connect();
  const events = (await whole('GET', `/api/v1/events?source=${OTHER}&type=call-completed`))[1].events;
  ids.call = events[0].call;
});
afterAll(() => team[Symbol.asyncDispose]());

describe('a key that is limited to one source', () => {
  /** What only the operator or the owner may ask has tests of its own. */
  const paths = ROUTES.filter(
    ({ method, path, audience }) =>
      method === 'get' && !path.includes('{') && audience !== 'operator' && audience !== 'owner',
  ).map(({ path }) => path);
  const namesOther = (text: string) => text.includes(OTHER) || text.includes(`"${CONNECTED}"`);
  const texts = async (by: Caller, path: string) => {
    const answers = [path, `${path}?user=${bob.id}`, `${path}?groupBy=source`, `${path}?as=${bob.id}`];
    return Promise.all(answers.map(async (asked) => JSON.stringify((await by('GET', asked))[1])));
  };

  test.each(paths)('%s says nothing of another', async (path) => {
    for (const by of [limited, limitedAdmin]) {
      expect((await texts(by, path)).filter(namesOther)).toEqual([]);
    }
  });

  test('of which a key without limit is told', async () => {
    const told = await Promise.all(
      paths.map(async (path) => ((await texts(whole, path)).some(namesOther) ? path : '')),
    );
    expect(told.filter(Boolean)).toEqual(
      expect.arrayContaining([
        '/api/v1/config',
        '/api/v1/events',
        '/api/v1/sources',
        '/api/v1/access',
        '/api/v1/access/matrix',
        '/api/v1/access/operations',
        '/api/v1/usage',
        '/api/v1/budgets',
        '/api/v1/approvals',
        '/api/v1/approvals/standing',
        '/api/v1/connections',
      ]),
    );
  });

  test('counts, sees and takes back what people agreed to of its source alone', async () => {
    expect((await limited('GET', '/api/v1/approvals'))[1]).toMatchObject({ approvals: [{ source: OWN }] });
    expect((await whole('GET', '/api/v1/approvals'))[1].approvals).toHaveLength(2);
    expect((await limitedAdmin('GET', '/api/v1/approvals/pending'))[1]).toEqual({ pending: 1 });
    expect((await team.admin('GET', '/api/v1/approvals/pending'))[1]).toEqual({ pending: 2 });
    const unknown = [404, { error: { code: 'approval_unknown' } }];
    for (const by of [limited, limitedAdmin]) {
      expect(await by('GET', `/api/v1/approvals/${ids.own}`)).toMatchObject([200, { id: ids.own }]);
      expect(await by('GET', `/api/v1/approvals/${ids.other}`)).toMatchObject(unknown);
      expect(await by('GET', `/api/v1/approvals?before=${ids.other}`)).toMatchObject(unknown);
      expect(await by('POST', `/api/v1/approvals/${ids.other}/check`, { arguments: {} })).toMatchObject(
        unknown,
      );
      expect(await by('DELETE', `/api/v1/approvals/standing/${ids.standing}`)).toMatchObject(unknown);
    }
    const reading = await team.admin('POST', '/api/v1/keys', { user: bob.id, name: 'r', maxAccess: 'read' });
    expect(
      await team.as(reading[1].key)('DELETE', `/api/v1/approvals/standing/${ids.standing}`),
    ).toMatchObject([403, { error: { code: 'admin_needed' } }]);
  });

  test('that names a tool of another is told what refuses it, by the call and by explain', async () => {
    for (const by of [limited, limitedAdmin]) {
      expect(await by('POST', `/api/v1/tools/${OTHER}_read/call`, {})).toMatchObject([
        403,
        { error: { code: 'tool_forbidden', message: expect.stringContaining(`sources ${OWN}`) } },
      ]);
      const [, { callable, checks }] = await by('GET', `/api/v1/tools/${OTHER}_read/explain`);
      expect(callable).toBe(false);
      expect(checks).toContainEqual(expect.objectContaining({ check: 'credential', passes: false }));
    }
  });

  test('decides, where it was made for that, of its source alone', async () => {
    const key = { user: team.ann.id, name: 'decides', purpose: 'approve', sources: [OWN] };
    const decider = team.as((await team.operator('POST', '/api/v1/keys', key))[1].key);
    expect((await decider('GET', '/api/v1/approvals'))[1]).toMatchObject({ approvals: [{ source: OWN }] });
    const decided = (id: string) =>
      decider('POST', `/api/v1/approvals/${id}/decision`, { decision: 'reject' });
    expect(await decided(ids.other)).toMatchObject([404, { error: { code: 'approval_unknown' } }]);
    expect(await decided(ids.own)).toMatchObject([200, { state: 'denied' }]);
  });

  test('adds up the calls of its source alone', async () => {
    const usage = async (by: Caller, query = '') =>
      (await by('GET', `/api/v1/usage?groupBy=source${query}`))[1].usage.map(
        ({ key }: { key: string }) => key,
      );
    expect(await usage(limited)).toEqual([OWN]);
    expect(await usage(limitedAdmin)).toEqual([OWN]);
    expect(await usage(limited, `&source=${OTHER}`)).toEqual([]);
    expect((await usage(whole)).sort()).toEqual([OWN, OTHER]);
  });

  test('sees budgets that count nothing but calls of its source', async () => {
    const budgets = async (by: Caller) =>
      (await by('GET', '/api/v1/budgets'))[1].budgets.map(({ budget }: { budget: string }) => budget).sort();
    const own = [`${OWN}/${OWN}_read`, `of the ${OWN}`];
    expect(await budgets(limited)).toEqual(own);
    expect(await budgets(whole)).toEqual(
      [...own, `${OTHER}/${OTHER}_read`, 'everything', `of the ${OTHER}`].sort(),
    );
  });

  test('learns from no number of an event that there is one', async () => {
    const nothing = [200, { events: [], last: 0 }];
    for (const query of [`call=${ids.call}`, `source=${OTHER}`, `tool=${OTHER}_read`, `q=${OTHER}`]) {
      expect(await limited('GET', `/api/v1/events?${query}`)).toEqual(nothing);
      expect((await whole('GET', `/api/v1/events?${query}`))[1].last).toBeGreaterThan(0);
    }
    expect((await limited('GET', `/api/v1/calls/${ids.call}`))[0]).toBe(404);
    expect((await whole('GET', `/api/v1/calls/${ids.call}`))[0]).toBe(200);
  });

  test('finds no account, source or tool of another by its name', async () => {
    for (const by of [limited, limitedAdmin]) {
      expect((await by('GET', `/api/v1/connections/${ids.connection}`))[0]).toBe(404);
      expect((await by('GET', `/api/v1/sources/${OTHER}`))[0]).toBe(404);
      expect((await by('GET', `/api/v1/tools/${OTHER}_read`))[0]).toBe(404);
      expect((await by('GET', `/api/v1/sources/${OWN}`))[0]).toBe(200);
    }
  });

  test('previews nothing of another', async () => {
    const changes = [OWN, OTHER].map((name) => ({
      kind: 'level',
      scope: `source:${name}`,
      level: 'none',
    }));
    const [, preview] = await limitedAdmin('POST', '/api/v1/access/preview', { changes });
    expect(JSON.stringify(preview)).not.toContain(`${OTHER}_read`);
    const [, all] = await team.admin('POST', '/api/v1/access/preview', { changes });
    expect(JSON.stringify(all)).toContain(`${OTHER}_read`);
  });
});
