import { setImmediate as turn } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Audience, Change } from '../../../src/gateway-core.ts';
import { LOCAL_PRINCIPAL, type Principal, personKey } from '../../../src/operations/index.ts';
import { forwardChanges } from '../../../src/server/mcp/change-notices.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { teamGateway } from '../http/team-gateway.ts';

const NOTES = 'notes://all';
const BOARD = 'board://all';

/** One resource, and a tool that says that it changed. */
function changing(uri: string): FunctionSource {
  return {
    resources: [{ uri, name: uri, read: () => ({ text: 'of the source' }) }],
    tools: [
      defineTool({
        name: `change ${uri}`,
        description: 'Says that it changed',
        annotations: { readOnlyHint: true },
        handler: (_args, { notify }) => {
          notify({ resource: uri });
          return null;
        },
      }),
    ],
  };
}

/** A client of one key, and the promise that its stream of a session is open. */
async function connected(url: string, key: string, revision: string) {
  const pinned = revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {};
  const client = new Client({ name: 'follower', version: '1' }, pinned as never);
  onTestFinished(() => client.close().catch(() => undefined));
  const opened = Promise.withResolvers<void>();
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === 'GET') opened.resolve();
        return response;
      },
    }),
  );
  return { client, opened: opened.promise };
}

/** A client that follows both resources; answers with what it is told of. */
async function follower(url: string, key: string, revision: string): Promise<string[]> {
  const told: string[] = [];
  const { client, opened } = await connected(url, key, revision);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri);
  });
  if (revision === '2026-07-28') {
    await client.listen({ resourceSubscriptions: [NOTES, BOARD] });
    return told;
  }
  for (const uri of [NOTES, BOARD, 'nobody://has']) {
    expect(await client.subscribeResource({ uri })).toEqual({});
  }
  await opened;
  return told;
}

/** Counts the notices of changed tools that a client gets. */
async function toolNotices(url: string, key: string, revision: string): Promise<() => number> {
  let told = 0;
  const { client, opened } = await connected(url, key, revision);
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    told++;
  });
  if (revision === '2026-07-28') await client.listen({ toolsListChanged: true });
  else await opened;
  return () => told;
}

describe.each(['2025-11-25', '2026-07-28'])('changes of resources by %s', (revision) => {
  test('are told to those who may read their source at that time', async () => {
    await using team = await teamGateway(
      { topology: 'flat' },
      { functions: { notes: changing(NOTES), board: changing(BOARD) } },
    );
    const bob = await team.user('Bob');
    const [, limited] = await team.admin('POST', '/api/v1/keys', {
      user: bob.id,
      name: 'limited',
      sources: ['board'],
    });
    const url = String(team.url);
    // the limited key comes first: what it may not follow is followed for the other all the same
    const less = await follower(url, limited.key, revision);
    const all = await follower(url, bob.key, revision);
    const principal = LOCAL_PRINCIPAL;
    const [notes, board] = ['notes', 'board'].map(
      (source) => team.gateway.view(principal).tools.find(({ name }) => name.includes(source))!.name,
    );
    const change = async (tool: string | undefined) => {
      expect(await team.gateway.call({ tool: tool!, principal })).not.toHaveProperty('error');
    };

    await change(notes);
    await expect.poll(() => all).toEqual([NOTES]);
    await change(board);
    await expect.poll(() => all).toEqual([NOTES, BOARD]);
    await expect.poll(() => less).toEqual([BOARD]);

    // whoever lost the source hears no more of it, on the connection that is open
    const level = { scope: 'source:notes', level: 'none', user: bob.id };
    expect(await team.admin('PUT', '/api/v1/access', level)).toMatchObject([200, {}]);
    await change(notes);
    await change(board);
    await expect.poll(() => all).toEqual([NOTES, BOARD, BOARD]);
    await expect.poll(() => less).toEqual([BOARD, BOARD]);

    // nor anything at all who has lost the key
    expect(await team.admin('DELETE', `/api/v1/keys/${bob.keyId}`)).toMatchObject([200, {}]);
    await change(board);
    await expect.poll(() => less).toEqual([BOARD, BOARD, BOARD]);
    expect(all).toEqual([NOTES, BOARD, BOARD]);
  });
});

test.each(['2025-11-25', '2026-07-28'])(
  'changed access is told to its own organisation by %s',
  async (revision) => {
    await using team = await teamGateway({ topology: 'flat' });
    const bob = await team.user('Bob');
    const made = async (path: string, body: object) => {
      const [status, record] = await team.operator('POST', `/api/v1/${path}`, body);
      expect(status).toBe(201);
      return record;
    };
    const globex = (await made('orgs', { name: 'Globex' })).id;
    const eve = (await made('users', { name: 'Eve', organisation: globex })).id;
    const { key } = await made('keys', { user: eve, name: 'Eve' });
    const [acmeHears, globexHears] = [
      await toolNotices(String(team.url), bob.key, revision),
      await toolNotices(String(team.url), key, revision),
    ];
    const change = async (user: string, level: string) =>
      expect(
        await team.operator('PUT', '/api/v1/access', { scope: 'source:greenhouse', level, user }),
      ).toMatchObject([200, {}]);

    await change(eve, 'none');
    await expect.poll(globexHears).toBeGreaterThan(0);
    expect(acmeHears()).toBe(0);
    await change(bob.id, 'none');
    await expect.poll(acmeHears).toBeGreaterThan(0);
  },
);

describe('one listener', () => {
  function listening() {
    let announce: (change: Change, audience?: Audience) => void = () => undefined;
    const answers: Array<PromiseWithResolvers<boolean>> = [];
    const told: Change[] = [];
    const errors: unknown[] = [];
    forwardChanges(
      {
        onChange(listener) {
          announce = listener;
          return () => undefined;
        },
        mayRead: () => {
          const answer = Promise.withResolvers<boolean>();
          answers.push(answer);
          return answer.promise;
        },
      },
      {
        principal: { ...LOCAL_PRINCIPAL, organisation: 'acme' },
        wants: (uri) => uri === NOTES,
        tell: (change) => void told.push(change),
      },
      (error) => void errors.push(error),
    );
    return { announce, answers, told, errors };
  }
  const changed = { resource: NOTES, source: 'notes' };

  test('is asked about once for notices that come together', async () => {
    const { announce, answers, told } = listening();
    announce(changed);
    announce(changed);
    announce({ ...changed, source: 'other' });
    expect(answers).toHaveLength(2);
    answers[0]!.resolve(true);
    answers[1]!.resolve(false);
    await turn();
    expect(told).toEqual([changed]);
    announce(changed);
    expect(answers).toHaveLength(3);
  });

  test('hears nothing of others, of what it does not follow, or where nobody can say', async () => {
    const { announce, answers, told, errors } = listening();
    announce({ ...changed, resource: BOARD });
    announce({ ...changed, principal: 'bob' });
    expect(answers).toEqual([]);
    announce(changed);
    answers[0]!.reject(new Error('the store is away'));
    await turn();
    expect([told, errors]).toEqual([[], [new Error('the store is away')]]);
    announce('tools');
    expect(told).toEqual(['tools']);
  });

  test('hears of lists that changed for everybody, its organisation or itself', () => {
    const { announce, told } = listening();
    announce('tools', { organisation: 'globex' });
    announce('tools', { principal: 'bob' });
    expect(told).toEqual([]);
    announce('tools', { organisation: 'acme' });
    announce('prompts', { principal: LOCAL_PRINCIPAL.id });
    announce('resources');
    expect(told).toEqual(['tools', 'prompts', 'resources']);
  });
});

test('news of a session that somebody has alone is for nobody of the same name elsewhere', async () => {
  const ann: Principal = { kind: 'user', id: 'ann', organisation: 'acme', maxAccess: 'read', roles: [] };
  const heard: string[] = [];
  let tell: (change: Change) => void = () => undefined;
  const core = {
    mayRead: async () => true,
    onChange: (listener: (change: Change) => void) => {
      const before = tell;
      tell = (change) => {
        before(change);
        listener(change);
      };
      return () => undefined;
    },
  };
  for (const organisation of ['acme', 'globex']) {
    const principal = { ...ann, organisation };
    forwardChanges(core, { principal, wants: () => true, tell: () => heard.push(organisation) });
  }
  tell({ resource: NOTES, source: 'notes', principal: personKey(ann) });
  await turn();
  expect(heard).toEqual(['acme']);
  tell({ resource: NOTES, source: 'notes' });
  await turn();
  expect(heard).toEqual(['acme', 'acme', 'globex']);
});
