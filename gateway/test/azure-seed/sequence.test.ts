import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ArmDouble, ArmOptions, ConnectorDocument } from '../doubles/arm/arm.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';
import { plain, ranked, SLACK, SLACK_TOOLS } from './support/connectors.ts';
import { consentAt, linkIn, MARK, openArm } from './support/office.ts';
import { overHttp, overStdio, type ServedOffice } from './support/served-office.ts';

const SHARED = new URL('../../../../shared/data/arm/', import.meta.url);
const captured = (name: string, displayName: string): ConnectorDocument => ({
  name,
  displayName,
  swagger: JSON.parse(readFileSync(new URL(`${name}-schema.json`, SHARED), 'utf8')),
});

/** What the diagrams are played with: two connections, the second of them not signed in. */
interface Scene {
  readonly arm: ArmOptions;
  /** Names of the connections, their APIs alike. */
  readonly first: string;
  readonly second: string;
  /** Tools of each. */
  readonly counts: readonly [number, number];
  /** A call of the first, and the request that it becomes. */
  readonly call: { readonly tool: string; readonly args: Record<string, unknown> };
  readonly request: object;
  /** A call of the second that needs no arguments. */
  readonly refused: string;
}

const MESSAGE = { To: 'ada@example.com', Subject: 'Tides', Body: '<p>High at noon.</p>' };

const OWN: Scene = {
  arm: {
    connectors: [MAIL, ranked('ledger', 'Ledger', { important: 10, unset: 12, advanced: 8 }), SLACK],
    connections: [
      { name: 'mail', api: 'mail', displayName: 'Post Office Mail' },
      { name: 'ledger', api: 'ledger', displayName: 'Ledger', status: 'Error' },
    ],
  },
  first: 'mail',
  second: 'ledger',
  counts: [14, 30],
  call: { tool: 'mail_send_mail_v2', args: MESSAGE },
  request: {
    method: 'POST',
    path: '/v2/Mail',
    headers: { 'Content-Type': 'application/json' },
    body: MESSAGE,
  },
  refused: 'ledger_get_important1',
};

const CAPTURED = (): Scene => ({
  arm: {
    connectors: [captured('office365', 'Office 365 Outlook'), captured('teams', 'Microsoft Teams'), SLACK],
    connections: [
      { name: 'office365', api: 'office365', displayName: 'Office 365 Outlook' },
      { name: 'teams', api: 'teams', displayName: 'Microsoft Teams', status: 'Error' },
    ],
  },
  first: 'office365',
  second: 'teams',
  // of the 43 and 61 that the filters leave, four and one are raw proxies, which nobody is offered
  counts: [39, 60],
  call: { tool: 'office365_send_email_v2', args: MESSAGE },
  request: {
    method: 'POST',
    path: '/v2/Mail',
    headers: { 'Content-Type': 'application/json' },
    body: MESSAGE,
  },
  refused: 'teams_get_all_teams',
});

const STATIC = [
  'list_managed_apis',
  'list_connections',
  'put_connection',
  'get_consent_link',
  'list_dynamic_tools',
  'refresh_tools',
];

/** What Azure was asked, each once, without what its own tools ask beside it. */
const asked = (arm: ArmDouble) =>
  arm.requests.map(({ method, path, query }) => {
    const last = decodeURIComponent(path.split('/').slice(-2).join('/')).replace(/^Microsoft\.Web\//, '');
    return `${method} ${last}${query['export'] === 'true' ? '?export' : ''}`;
  });

const toolsOf = (tools: ReadonlyMap<string, unknown>, prefix: string) =>
  [...tools.keys()].filter((name) => name.startsWith(`${prefix}_`));

/** §15.1 to §15.3 one after the other, then the consent of §7.2. */
async function play(scene: Scene, open: (arm: ArmDouble) => Promise<ServedOffice>) {
  const arm = await openArm(scene.arm);
  const { first, second, call, counts } = scene;
  const { list, listOnce, ...office } = await open(arm);

  // §15.1 start-up: connections, then the Swagger of each API, then tools
  const started = await listOnce(
    (tools) => toolsOf(tools, first).length > 0 && toolsOf(tools, second).length > 0,
  );
  for (const tool of STATIC) expect(started.has(tool), tool).toBe(true);
  expect([toolsOf(started, first).length, toolsOf(started, second).length]).toEqual(counts);
  expect(counts[0] + counts[1]).toBeGreaterThanOrEqual(40);
  expect(asked(arm)[0]).toBe('GET connections');
  expect(asked(arm).slice(1).sort()).toEqual(
    [`GET managedApis/${first}?export`, `GET managedApis/${second}?export`].sort(),
  );
  expect(started.get(call.tool)!.description).toMatch(/^\[[^\]]+\] Send an email \(V2\)/);
  expect(started.get(call.tool)!.description).not.toContain(MARK);
  expect(started.get(scene.refused)!.description).toContain(MARK);

  // §15.2 a call becomes one request of dynamicInvoke, its answer the text of the result
  const sent = await office.call(call.tool, call.args);
  expect(sent.failed, sent.text).toBe(false);
  expect(asked(arm).at(-1)).toBe(`POST ${first}/dynamicInvoke`);
  expect(arm.requests.at(-1)!.query['api-version']).toBe('2016-06-01');
  expect(JSON.parse(arm.requests.at(-1)!.body)).toEqual({ request: scene.request });

  // §15.3 another API: its tools, and only its schema is fetched
  const before = arm.requests.length;
  const told = office.nextChange();
  const made = await office.call('put_connection', { apiName: 'slack' });
  const answer = JSON.parse(made.text);
  expect(made.text).toBe(JSON.stringify(answer, null, 2));
  expect(answer.connection).toMatchObject({ name: 'slack', properties: { overallStatus: 'Connected' } });
  expect(answer.dynamicTools).toEqual({
    message: `${SLACK_TOOLS} new tools registered for slack`,
    registered: SLACK_TOOLS,
  });
  expect(asked(arm).slice(before)).toEqual(['PUT connections/slack', 'GET managedApis/slack?export']);
  // the new tool works at once, whether the client has listed it or not
  arm.script('slack.PostMessage', { body: { ok: true } });
  const posted = await office.call('slack_post_message', { channel: 'general', text: 'Hello' });
  expect(JSON.parse(posted.text)).toEqual({ ok: true });
  await told;
  expect(toolsOf(await list(), 'slack')).toHaveLength(SLACK_TOOLS);

  // §7.2 nobody has signed the second connection in: the link, the consent, the call again
  const refused = await office.call(scene.refused);
  expect(refused.failed).toBe(true);
  expect(refused.text).toContain(`Connection "${second}" is not authenticated.`);
  await consentAt(linkIn(refused.text));
  const works = await office.call(scene.refused);
  expect(works.failed, works.text).toBe(false);
  const after = await listOnce((tools) => !tools.get(scene.refused)!.description!.includes(MARK));
  expect([...after.values()].filter(({ description }) => description?.includes(MARK))).toEqual([]);
  expect([...after.keys()].sort()).toEqual([...(await list()).keys()].sort());

  expect(arm.invocations.flatMap(({ problems }) => problems)).toEqual([]);
  expect(arm.escaped).toEqual([]);
}

describe('the sequence diagrams of the seed (§15), with a real client', () => {
  it('are played over standard input and output', () => play(OWN, overStdio), 60_000);

  it('are played over HTTP', () => play(OWN, overHttp), 60_000);

  it.skipIf(!existsSync(SHARED))(
    'are played with the captured connectors of the seed',
    () => play(CAPTURED(), overStdio),
    60_000,
  );
});

describe('a start while Azure is slow', () => {
  it('shakes hands and lists its own tools at once; the others follow, with a notice', async () => {
    const arm = await openArm({
      connectors: [plain('things', 'ListThings')],
      connections: [{ name: 'things', api: 'things' }],
    });
    const released = Promise.withResolvers<void>();
    arm.interrupt({ when: ({ path }) => path.endsWith('/connections'), plan: { hold: released.promise } });
    const office = await overStdio(arm);
    const first = await office.list();
    for (const tool of STATIC) expect(first.has(tool), tool).toBe(true);
    expect(first.has('things_list_things')).toBe(false);
    const told = office.nextChange();
    released.resolve();
    await told;
    expect((await office.listOnce((tools) => tools.has('things_list_things'))).size).toBeGreaterThan(
      first.size,
    );
  });
});
