import { describe, expect, it } from 'vitest';
import { MAIL } from '../doubles/arm/connectors/mail.ts';
import { operation } from '../doubles/arm/connectors/writing.ts';
import { plain, ranked, SLACK, SLACK_TOOLS } from './support/connectors.ts';
import { CONSENT, jsonOf, MARK, type Office, openArm, openOffice, textOf } from './support/office.ts';
import { smallOffice as office, POST } from './support/small-office.ts';

const slackTools = (one: Office) => one.names().filter((name) => name.startsWith('slack_'));

describe('auto-reload: edge cases (seed §10.3)', () => {
  it('API tools already registered: the second put_connection registers 0', async () => {
    const one = await office();
    const first = jsonOf(await one.call('put_connection', { apiName: 'slack' }));
    expect(first.dynamicTools.registered).toBe(SLACK_TOOLS);
    const before = one.names();
    const again = await one.call('put_connection', { apiName: 'slack' });
    expect(jsonOf(again).dynamicTools).toBeUndefined();
    expect(again.structured).toMatchObject({ registered: 0 });
    expect(one.names()).toEqual(before);
    expect(one.arm.requests.filter(({ query }) => query['export'] === 'true')).toHaveLength(2);
  });

  it('schema fetch fails: the connection is returned without dynamicTools, refresh_tools adds them', async () => {
    const one = await office();
    one.arm.breakApi('slack', 'not-json');
    const answer = jsonOf(await one.call('put_connection', { apiName: 'slack' }));
    expect(answer.connection.name).toBe('slack');
    expect(answer).not.toHaveProperty('dynamicTools');
    expect(answer.warning).toMatch(/^slack: schema fetch failed — /);
    expect(slackTools(one)).toEqual([]);
    one.arm.healApi('slack');
    const refreshed = textOf(await one.call('refresh_tools'));
    expect(refreshed).toBe(`Refresh complete. Registered: ${SLACK_TOOLS + 2}, Skipped: 0, Errors: 0\n`);
    expect(slackTools(one)).toHaveLength(SLACK_TOOLS);
  });

  it('connection is unauthenticated: tools are there with the mark, a call returns the consent link', async () => {
    const one = await office({ arm: { connectors: [POST, plain('drive', 'ListFiles')] } });
    const answer = jsonOf(await one.call('put_connection', { apiName: 'drive' }));
    expect(answer.dynamicTools.registered).toBe(1);
    expect(answer.consent.link).toMatch(/^http/);
    expect(one.descriptionOf('drive_list_files')).toBe(`[The drive service] ListFiles of drive${MARK}`);
    const refused = await one.call('drive_list_files');
    expect(refused.error?.code).toBe('reconnect_required');
    expect(textOf(refused)).toMatch(CONSENT);
  });

  it('multiple connections for the same API: the second has tools of its own, with its name', async () => {
    const one = await office();
    const second = jsonOf(await one.call('put_connection', { apiName: 'post', connectionName: 'archive' }));
    expect(second.dynamicTools).toEqual({ message: '2 new tools registered for post', registered: 2 });
    expect(one.names()).toEqual(
      expect.arrayContaining(['post_read_post', 'post_archive_read_post', 'post_archive_list_boxes']),
    );
    // the API's schema was there already
    expect(one.arm.requests.filter(({ query }) => query['export'] === 'true')).toHaveLength(1);
  });

  it("client doesn't support listChanged: it is told all the same, list_dynamic_tools shows the new tools", async () => {
    const one = await office();
    const before = one.announced;
    await one.call('put_connection', { apiName: 'slack' });
    expect(one.announced).toBe(before + 1);
    const listed = jsonOf(await one.call('list_dynamic_tools')) as { tool: string }[];
    expect(listed.map(({ tool }) => tool).filter((tool) => tool.startsWith('slack_'))).toHaveLength(
      SLACK_TOOLS,
    );
  });
});

describe('schema fetch failures (seed §13.1)', () => {
  it.each(['error', 'html', 'not-json', 'drop'] as const)(
    'one API that answers with %s costs only its own tools, and says so',
    async (damage) => {
      const arm = await openArm({
        connectors: [POST, SLACK, plain('drive', 'ListFiles')],
        connections: ['post', 'slack', 'drive'].map((name) => ({ name, api: name })),
      });
      arm.breakApi('drive', damage);
      const one = await openOffice({}, arm);
      expect(one.names()).toEqual(expect.arrayContaining(['post_read_post', 'slack_post_message']));
      expect(one.names()).not.toContain('drive_list_files');
      const problems = one.gateway.diagnostics().filter(({ code }) => code === 'connector-problem');
      expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringMatching(/^drive: /) }]);
      const text = textOf(await one.call('refresh_tools'));
      expect(text).toMatch(
        /^Refresh complete\. Registered: 17, Skipped: 0, Errors: 1\ndrive: schema fetch failed — /,
      );
      arm.healApi('drive');
      expect(textOf(await one.call('refresh_tools'))).toBe(
        'Refresh complete. Registered: 18, Skipped: 0, Errors: 0\n',
      );
    },
  );

  it('an API without a schema is one of them', async () => {
    const one = await office({
      arm: {
        connectors: [POST, { ...plain('bare', 'Nothing'), export: 'none' }],
        connections: [
          { name: 'post', api: 'post' },
          { name: 'bare', api: 'bare' },
        ],
      },
    });
    expect(textOf(await one.call('refresh_tools'))).toMatch(
      /^Refresh complete\. Registered: 2, Skipped: 0, Errors: 1\nbare: /,
    );
  });
});

describe('tool name collisions (seed §13.2)', () => {
  it('a connection that is not named like its API appends its name', async () => {
    const one = await office({
      arm: {
        connections: [
          { name: 'post', api: 'post' },
          { name: 'post-backup', api: 'post' },
        ],
      },
    });
    expect(one.names()).toEqual(
      expect.arrayContaining(['post_read_post', 'post_list_boxes', 'post_post-backup_read_post']),
    );
    await one.call('post_post-backup_read_post');
    await one.call('post_read_post');
    expect(one.arm.invocations.map(({ connection }) => connection)).toEqual(['post-backup', 'post']);
  });

  it('names that end up alike are told apart, at most 64 characters long, and each calls its own', async () => {
    const long = 'ListEveryThingThatWasEverSentOrReceivedByAnybodyInTheWholeOffice';
    const one = await office({
      arm: {
        connectors: [
          plain('a.b', 'Read'),
          plain('a-b', 'Read'),
          plain('very', `${long}Today`, `${long}Ever`),
        ],
        connections: [
          { name: 'a.b', api: 'a.b' },
          { name: 'a_b', api: 'a.b' },
          { name: 'very', api: 'very' },
        ],
      },
    });
    const names = one.names().filter((name) => /^(?:a_b|very)_/.test(name));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(4);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    for (const name of names) expect((await one.call(name)).error, name).toBeUndefined();
    expect(
      one.arm.invocations.map(({ connection, operationId }) => `${connection} ${operationId}`).sort(),
    ).toEqual(['a.b Read', 'a_b Read', `very ${long}Ever`, `very ${long}Today`].sort());
  });
});

describe('large schemas (seed §13.3)', () => {
  const LEDGER = ranked(
    'ledger',
    'Ledger',
    { important: 4, unset: 5, advanced: 6 },
    {
      '/{connectionId}/hidden': {
        get: operation('GetHidden', 'Hidden', [], { 'x-ms-visibility': 'internal' }),
      },
    },
  );
  const arm = { connectors: [LEDGER], connections: [{ name: 'ledger', api: 'ledger' }] };
  const listed = (one: Office) => one.names().filter((name) => name.startsWith('ledger_get_'));

  it('visibility filter: what is internal is no tool', async () => {
    const one = await office({ arm });
    expect(listed(one)).toHaveLength(15);
    expect(listed(one)).not.toContain('ledger_get_hidden');
  });

  it('max tools per API: important ones first, then the unset, then the advanced', async () => {
    const one = await office({ arm, azure: { maxToolsPerApi: 10 } });
    const ranks = listed(one).map((name) => /get_([a-z]+)/.exec(name)![1]);
    expect(ranks.filter((rank) => rank === 'important')).toHaveLength(4);
    expect(ranks.filter((rank) => rank === 'unset')).toHaveLength(5);
    expect(ranks.filter((rank) => rank === 'advanced')).toHaveLength(1);
  });

  it('lazy registration: {api}_discover lists the rest and has them registered on demand', async () => {
    const one = await office({ arm, azure: { maxToolsPerApi: 10 } });
    expect(one.names()).toContain('ledger_discover');
    const late = 'ledger_get_advanced6';
    expect(listed(one)).not.toContain(late);
    expect(textOf(await one.call('ledger_discover', { query: 'advanced thing 6' }))).toContain(late);
    await one.call('ledger_discover', { activate: [late] }, { client: { name: 'seed', followsLists: true } });
    await one.until(() => listed(one).includes(late));
    expect((await one.call(late)).error).toBeUndefined();
  });

  it('category grouping: tools by the tags of the document', async () => {
    const one = await office({
      arm,
      configuration: { topology: 'categories' },
      source: { topology: 'categories' },
    });
    expect(listed(one)).toEqual([]);
    expect(one.names().length).toBeLessThan(15);
  });
});

describe('binary and file parameters (seed §13.4)', () => {
  const PHOTO = { folder: 'x', id: 'y' };
  const mail = () =>
    office({
      arm: { connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] },
    });

  it('a binary body goes through base64', async () => {
    const one = await mail();
    const name = 'mail_update_contact_photo';
    const { inputSchema } = one.gateway.view().tools.find((tool) => tool.name === name)!.tool;
    const [content] = Object.keys(inputSchema.properties as object).filter((key) => !(key in PHOTO));
    const bytes = Buffer.from([0, 255, 216, 255, 10]);
    const result = await one.call(name, { ...PHOTO, [content!]: bytes.toString('base64') });
    expect(result.error).toBeUndefined();
    const [invocation] = one.arm.invocations;
    expect(invocation!.problems).toEqual([]);
    expect(JSON.stringify(invocation!.body)).toContain(bytes.toString('base64'));
    expect(invocation!.headers['Content-Type']).toBe('image/jpeg');
  });

  it('a file of a form goes as a part of it', async () => {
    const one = await mail();
    const file = Buffer.from('Dear Ada').toString('base64');
    const result = await one.call('mail_import_mail', { message: file, subject: 'Tides' });
    expect(result.error, textOf(result)).toBeUndefined();
    expect(one.arm.invocations[0]!.problems).toEqual([]);
  });
});
