import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryHome } from './command-run.ts';

const folder = temporaryHome();
let stores = 0;

const CONFIGURATION = (store: string, more: string) => `auth: { mode: team }
store: sqlite:./${store}
policy:
  defaults:
    organisation: { '*': read-write }
sources:
  greenhouse: { manifest: greenhouse, credentials: { nango: { integration: greenhouse } } }${more}
`;

/** The words after `toolcrib admin`, each against a store of its own. */
async function administered(more = '') {
  const store = `team-${stores++}.db`;
  const file = folder.path(`${store}.yaml`);
  await writeFile(file, CONFIGURATION(store, more));
  const run = (...words: string[]) => folder.run(['admin', ...words, '--config', file]);
  const json = async (...words: string[]) => {
    const { exit, out, err } = await run(...words, '--json');
    if (exit !== 0) throw new Error(err);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    return JSON.parse(out) as any;
  };
  return { run, json };
}

test('from nothing to the first organisation, user, key, level and connection', async () => {
  const { run, json } = await administered();
  const { organisation, user, key } = await json('bootstrap', '--organisation', 'Acme', '--name', 'Ann');
  expect(key.key).toMatch(/^tck_/);
  expect(await run('bootstrap', '--organisation', 'Other')).toMatchObject({
    exit: 73,
    err: expect.stringContaining('error record_conflict'),
  });
  const org = ['--org', organisation.id];

  expect((await json('user', 'list', ...org)).map(({ id }: { id: string }) => id)).toEqual([user.id]);
  await json('role', 'add', 'recruiter', ...org, '--permission', 'hire');
  const bob = await json('user', 'add', 'Bob', ...org, '--email', 'bob@example.com', '--role', 'recruiter');
  expect(bob).toMatchObject({ name: 'Bob', organisation: organisation.id, roles: ['recruiter'] });
  expect(await json('user', 'set', bob.id, '--role', 'none', '--status', 'disabled')).toMatchObject({
    roles: [],
    status: 'disabled',
  });

  const made = await json(
    'key',
    'add',
    user.id,
    '--max-access',
    'read',
    '--source',
    'greenhouse',
    '--expires',
    '7',
  );
  expect(made.record).toMatchObject({ maxAccess: 'read', sources: ['greenhouse'], status: 'active' });
  expect(await json('key', 'revoke', made.record.id)).toMatchObject({ status: 'revoked' });
  expect(JSON.stringify(await json('key', 'list', ...org))).not.toContain(made.key);

  expect(await json('access', 'set', 'ats', 'read-only', ...org)).toMatchObject({
    user: null,
    scope: 'category:ats',
    level: 'read-only',
  });
  await json('access', 'set', 'source:greenhouse', 'disabled', ...org, '--user', user.id);
  expect(await json('access', 'list', ...org)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ user: user.id, scope: 'source:greenhouse', level: 'disabled' }),
    ]),
  );
  await json('access', 'remove', 'source:greenhouse', ...org, '--user', user.id);

  const connection = await json('connection', 'add', 'greenhouse', ...org, '--nango', 'greenhouse/acme-1');
  expect(connection).toMatchObject({
    status: 'connected',
    credentials: { nango: { integration: 'greenhouse', connection: 'acme-1' } },
  });
  await json('connection', 'map', connection.id, user.id, '4711');
  expect(await json('connection', 'users', connection.id)).toEqual([
    { connection: connection.id, user: user.id, providerUser: '4711' },
  ]);
  expect(await json('connection', 'disable', connection.id)).toMatchObject({ status: 'disabled' });
  await json('connection', 'remove', connection.id);
  await json('org', 'remove', organisation.id);
  expect(await json('org', 'list')).toEqual([]);
});

test('where the requests of an account go, whatever sources there are beside it', async () => {
  const { run, json } = await administered(
    '\n  lever: { manifest: lever }\n  greenhouse_eu: { manifest: greenhouse }',
  );
  const { organisation } = await json('bootstrap', '--organisation', 'Acme');
  const settings = ['--nango', 'greenhouse/acme-1', '--base-url', 'https://eu.greenhouse.example/v1'];
  const added = await json('connection', 'add', 'greenhouse', '--org', organisation.id, ...settings);
  expect(added).toMatchObject({ source: 'greenhouse', baseUrl: 'https://eu.greenhouse.example/v1' });
  const elsewhere = 'https://us.greenhouse.example/v1';
  expect(await json('connection', 'set', added.id, '--base-url', elsewhere)).toMatchObject({
    baseUrl: elsewhere,
  });
  expect(await run('connection', 'set', added.id, '--base-url', 'none')).toMatchObject({ exit: 0 });
});

test('a level of a category that no source has is set, and said to concern none', async () => {
  const { run, json } = await administered();
  const { organisation } = await json('bootstrap', '--organisation', 'Acme');
  const set = (scope: string) => run('access', 'set', scope, 'disabled', '--org', organisation.id);
  expect(await set('greenhouse')).toEqual({
    exit: 0,
    out: expect.stringContaining('category:greenhouse'),
    err: expect.stringMatching(/No source has the category greenhouse; .* have ats\. .*source:greenhouse/),
  });
  expect((await set('crm')).err).toMatch(/No source has the category crm; they have ats\.$/m);
  for (const meant of ['ats', 'category:*', 'source:greenhouse']) expect((await set(meant)).err).toBe('');
});

test('an account that does not count yet says what makes it count', async () => {
  const { run, json } = await administered();
  const { organisation } = await json('bootstrap', '--organisation', 'Acme');
  const added = await run('connection', 'add', 'greenhouse', '--org', organisation.id);
  expect(added.err).toContain('Nothing is connected by it yet: name what opens the account');
  const [{ id }] = await json('connection', 'list');
  const named = await run('connection', 'set', id, '--nango', 'greenhouse/acme-1');
  expect(named.err).toContain(`It stays unauthenticated until \`toolcrib admin connection enable ${id}\`.`);
  expect((await run('connection', 'enable', id)).err).toBe('');
});

test('tables for people; the key stands on standard output once, the warning beside it', async () => {
  const { run } = await administered();
  const { out, err } = await run('bootstrap', '--organisation', 'Acme\u001b[31m');
  expect(out).not.toContain('\u001b');
  expect(out.match(/tck_\w+/g)).toHaveLength(1);
  expect(err).toContain('shown this once');
  expect((await run('org', 'list')).out).toMatch(/^ID +NAME +TOOLS +FEATURES +CREATED\norg_\w+ +Acme \[31m/);
  expect((await run('connection', 'list')).err).toContain('None.');
});

describe('what is wrong', () => {
  test.each([
    [['user', 'add', 'Bob', '--org', 'nowhere'], 64, 'record_unknown'],
    [['user', 'show', 'nobody'], 64, 'record_unknown'],
    [['access', 'set', 'ats', 'owner', '--org', 'x'], 64, 'usage'],
    [['access', 'set', 'Ats!', 'none', '--org', 'x'], 65, 'record_invalid'],
    [['key', 'add', 'u', '--max-access', 'wirte'], 64, 'usage'],
    [['key', 'add', 'u', '--source', 'lewer'], 65, 'record_invalid'],
    [['access', 'set', 'ats'], 64, 'usage'],
    [['connection', 'add', 'lever', '--org', 'x', '--nango', 'lever'], 64, 'usage'],
    [['key', 'add', 'u', '--expires', 'soon'], 64, 'usage'],
    [['wrong'], 64, 'usage'],
  ])('%j', async (words, exit, code) => {
    const { run } = await administered();
    const ran = await run(...words);
    expect(ran.err).toContain(`error ${code}`);
    expect(ran.exit).toBe(exit);
  });

  test('names the sources that there are, and the help of the command', async () => {
    const { run } = await administered();
    const { err } = await run('key', 'add', 'u', '--source', 'lewer');
    expect(err).toMatch(
      /There is no source "lewer"\.\n.*\n? *next: The sources of the configuration are: \w/,
    );
    expect((await run('key', 'add')).err).toContain('next: See `toolcrib admin key add --help`.');
    expect((await folder.run(['help', 'admin', 'key', 'add'])).out).toContain('--max-access');
  });

  test('names the option by which the operator says whose a user is', async () => {
    const { run } = await administered();
    const { exit, err } = await run('user', 'add', 'Bob');
    expect([exit, err]).toEqual([65, expect.stringMatching(/next: Name its id .*`--org`.*admin org list/)]);
  });

  test('no store', async () => {
    const file = folder.path('none.yaml');
    await writeFile(file, 'store: none\nsources: {}\n');
    const { exit, err } = await folder.run(['admin', 'org', 'list', '--config', file]);
    expect([exit, err]).toEqual([78, expect.stringContaining('store is none')]);
  });

  test('asked for help it shows what there is', async () => {
    const { exit, out } = await folder.run(['admin', '--help']);
    for (const subject of ['bootstrap', 'org', 'user', 'role', 'key', 'access', 'connection']) {
      expect(out).toContain(subject);
    }
    expect(exit).toBe(0);
  });
});
