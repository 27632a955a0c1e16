import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withApprovals } from '../../src/cli/approvals/with-approvals.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { type StockService, startStock, stockDocument } from '../approvals/support/stock-service.ts';
import { type RunOptions, temporaryHome } from './command-run.ts';

const crib = temporaryHome();
let stock: StockService;
let asked = 0;

beforeAll(async () => {
  stock = await startStock();
  await writeFile(crib.path('stock.json'), stockDocument());
  await writeFile(
    crib.path('toolcrib.yaml'),
    `sources: { stock: { openapi: ./stock.json, baseUrl: '${stock.url}' } }\n`,
  );
});
afterAll(() => stock.close());
beforeEach(() => {
  asked += 10;
  stock.deleted.length = 0;
});

const call = (id: number, options: RunOptions = {}) =>
  crib.run(['call', 'stock_deleteItem', `id=${id}`], options);
const approvals = (...words: string[]) => crib.run(['approvals', ...words]);
/** Asks for a call; the id of its approval. */
const pending = async () => {
  const { exit, err } = await call(asked);
  expect(exit).toBe(75);
  return /Approval ([0-9a-f]{32})/.exec(err)![1]!;
};

describe('toolcrib approvals', () => {
  it('lists what waits, and nothing else', async () => {
    const id = await pending();
    const listed = await approvals();
    expect(listed.out).toContain(id);
    expect(listed.err).toMatch(/^Decide: .*approvals approve ID, reject ID, or approvals watch\.\n$/);
    const { out } = await approvals('list', '--json');
    expect(JSON.parse(out).approvals[0]).toMatchObject({ id, state: 'pending', tool: 'stock_deleteItem' });
    await approvals('reject', id);
    expect((await approvals()).out).not.toContain(id);
    const all = await approvals('list', '--all');
    expect([all.out, all.err]).toEqual([expect.stringContaining(id), '']);
    expect((await approvals('list', '--all', '--source', 'stock')).out).toContain(id);
    expect((await approvals('list', '--all', '--source', 'other')).out).not.toContain(id);
  });

  it('lists everything that waits, however much that is, and finds the oldest by its beginning', async () => {
    const terminal = { env: { XDG_STATE_HOME: crib.path('state') }, cwd: crib.home } as unknown as Terminal;
    const ids = await withApprovals({}, terminal, async ({ approvals: { gate } }) => {
      const asked: string[] = [];
      for (let at = 0; at < 105; at++) {
        const call = { source: 'shed', operation: 'emptyShed', call: String(at), access: 'write' as const };
        const tool = 'shed_emptyShed';
        const key = { ...call, tool, principal: 'ann', organisation: undefined, run: '' };
        const rest = {
          definition: '',
          arguments: { at },
          need: { reason: 'Why.', standing: 'tool' as const },
        };
        const { id } = await gate.ask({ ...call, ...rest, key: { ...key, argumentsHash: String(at) } });
        asked.push(id);
      }
      return asked;
    });
    for (const words of [['list'], ['list', '--all']]) {
      const { out } = await approvals(...words, '--source', 'shed', '--json');
      expect(JSON.parse(out).approvals).toHaveLength(105);
    }
    expect((await approvals('show', ids[0]!.slice(0, 12))).out).toContain(ids[0]);
  });

  it('shows the card, by the first characters of the id', async () => {
    const id = await pending();
    const { out } = await approvals('show', id.slice(0, 10));
    expect(out).toMatch(/^Destructive call: stock_deleteItem$/m);
    expect(out).toMatch(new RegExp(`^ {2}id +${asked}$`, 'm'));
    const unknown = await approvals('show', '0'.repeat(12));
    expect([unknown.exit, unknown.err]).toEqual([64, expect.stringContaining('approval_unknown')]);
    await approvals('reject', id);
  });

  it('lets an approved call happen once', async () => {
    const id = await pending();
    expect((await approvals('approve', id)).out).toMatch(
      /Approved: the same call goes through once, unless its tool, the policy or what its caller may do changed\. Decided by .+ \(cli\)/,
    );
    expect((await call(asked)).exit).toBe(0);
    expect(stock.deleted).toEqual([String(asked)]);
    expect((await call(asked)).exit).toBe(75);
    expect((await approvals('approve', id)).err).toContain('approval_decided');
  });

  it('a restored store has no question open and no approval to use: each was decided and used once', async () => {
    const open = await pending();
    asked++;
    const approved = await pending();
    await approvals('approve', approved);
    await crib.run(['store', 'backup', crib.path('copy.db')]);
    await approvals('reject', open);
    expect((await call(asked)).exit).toBe(0);
    await crib.run(['store', 'restore', crib.path('copy.db')]);
    expect((await approvals('approve', open)).err).toContain('approval_expired');
    expect((await call(asked)).exit).not.toBe(0);
    expect((await call(asked - 1)).exit).not.toBe(0);
    expect(stock.deleted).toEqual([String(asked)]);
    expect((await approvals('show', approved)).out).toContain('the call did not come back in time');
    const { out } = await crib.run(['events', '--type', 'approval-void', '--json']);
    expect(out).toContain(approved);
  });

  it('takes edited arguments from a file or standard input, and nothing that is no object', async () => {
    const id = await pending();
    for (const input of ['[7]', '{"id": 9007199254740993}']) {
      expect((await crib.run(['approvals', 'approve', id, '--edit', '-'], { input })).exit).toBe(64);
    }
    await crib.run(['approvals', 'approve', id, '--edit', '-'], { input: '{"id": 7}' });
    expect((await call(asked)).err).toContain('changed the arguments');
    expect(stock.deleted).toEqual(['7']);
  });

  it('refuses edited arguments that do not fit the tool before anything is decided', async () => {
    const id = await pending();
    const edit = (input: string, ...more: string[]) =>
      crib.run(['approvals', 'approve', id, '--edit', '-', ...more], { input });
    const { exit, err } = await edit('{"id": "seven"}');
    expect(exit).toBe(65);
    expect(err).toMatch(/^error arguments_invalid: The arguments of stock_deleteItem do not fit .*integer/);
    expect(err).toMatch(/^ {2}at: {3}\/id$/m);
    expect(JSON.parse((await approvals('show', id, '--json')).out).state).toBe('pending');
    expect((await edit('{"id": 8}')).err).toBe('');
    expect((await call(asked)).exit).toBe(0);
    expect(stock.deleted).toEqual(['8']);
  });

  it('an edit leaves lock and events as they were: reading the one source is no start of a gateway', async () => {
    await crib.run(['compile', '--accept']);
    const before = await readFile(crib.path('toolcrib.lock.json'), 'utf8');
    const id = await pending();
    const events = async () => JSON.parse((await crib.run(['events', '--json'])).out).events.length;
    const known = await events();
    await crib.run(['approvals', 'approve', id, '--edit', '-'], { input: '{"id": "seven"}' });
    expect(await events()).toBe(known);
    expect(await readFile(crib.path('toolcrib.lock.json'), 'utf8')).toBe(before);
    await rm(crib.path('toolcrib.lock.json'));
    await approvals('reject', id);
  });

  it.each([
    [
      'another source',
      "{ shed: { openapi: ./stock.json, baseUrl: 'http://127.0.0.1:9' } }",
      'has no source "stock"',
    ],
    ['a document that is gone', '{ stock: { openapi: ./gone.json } }', 'gone.json'],
    ['another document', '{ stock: { openapi: ./shed.json } }', 'does not describe deleteItem'],
  ])('says with %s that nobody could check an edit, which the call does', async (_, sources, why) => {
    await writeFile(crib.path('shed.json'), stockDocument().replace('deleteItem', 'emptyShed'));
    await writeFile(crib.path('elsewhere.yaml'), `sources: ${sources}\n`);
    const id = await pending();
    const { exit, err } = await crib.run(
      ['approvals', 'approve', id, '--edit', '-', '--config', 'elsewhere.yaml'],
      { input: '{"id": "seven"}' },
    );
    expect([exit, err]).toEqual([0, expect.stringContaining('The edited arguments were not checked: ')]);
    expect(err).toContain(why);
    expect((await call(asked)).err).toContain('arguments_invalid');
    expect(stock.deleted).toEqual([]);
  });

  it('refuses, and says why', async () => {
    const id = await pending();
    await approvals('reject', id, '--reason', 'Not today.');
    expect((await call(asked)).exit).toBe(77);
    expect((await approvals('show', id)).out).toContain('Not today.');
    expect(stock.deleted).toEqual([]);
  });

  it('approves from then on, lists that, and revokes it', async () => {
    expect((await approvals('always', await pending())).err).toMatch(
      /From now on the same arguments go through for local: .* approvals standing lists it, revoke ID takes it back\.$/m,
    );
    await call(asked);
    await call(asked);
    expect(stock.deleted).toHaveLength(2);
    const { standing } = JSON.parse((await approvals('standing', '--json')).out);
    expect((await approvals('standing')).out).toMatch(/stock_deleteItem +local +the same arguments/);
    expect((await approvals('revoke', standing[0].id.slice(0, 8))).out).toBe(
      'Revoked: stock_deleteItem for local.\n',
    );
    expect((await call(asked)).exit).toBe(75);
  });

  it('makes a link for another person', async () => {
    const { out, err } = await approvals('link', await pending());
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:8787\/approve\/[\w-]{72}\n$/);
    expect(err).toContain('not to a model');
  });

  it('prints the same token each time', async () => {
    const [one, two] = [await approvals('token'), await approvals('token')];
    expect(one.out).toMatch(/^tca_[\w-]{43}\n$/);
    expect(two.out).toBe(one.out);
  });

  it('says where it looked: nothing waits in the store of another folder', async () => {
    const id = await pending();
    const elsewhere = { cwd: crib.path('elsewhere') };
    await mkdir(elsewhere.cwd, { recursive: true });
    const state = ['--state-dir', crib.path('other-state')];
    const here = await crib.run(['approvals', '--source', 'other']);
    expect(here.err).toMatch(/^None in sqlite:.*toolcrib\.db\.\n$/);
    const away = await crib.run(['approvals', '--source', 'other'], elsewhere);
    expect(away.err).toMatch(/^None in sqlite:.*\nA gateway with .*--config FILE/);
    for (const known of [id, id.slice(0, 6)]) {
      const { exit, err } = await crib.run(['approvals', 'approve', known, ...state], elsewhere);
      expect(exit).toBe(64);
      expect(err).toContain(`There is no approval "${known}".`);
      expect(err).toMatch(/at: +sqlite:.*other-state.*\n.*--config FILE/);
    }
    expect((await approvals('show', id.slice(0, 3))).err).toContain('at least 4 characters');
    await approvals('reject', id);
  });

  it('says that a store is needed', async () => {
    await writeFile(crib.path('none.yaml'), 'store: none\nsources: {}\n');
    const { exit, err } = await approvals('list', '--config', 'none.yaml');
    expect([exit, err]).toEqual([78, expect.stringContaining('need a store')]);
  });
});

describe('toolcrib call at a terminal', () => {
  it.each<[string, string[], string[]]>([
    ['approves', ['a'], ['own']],
    ['edits', ['e', '{"id": 5}'], ['5']],
    ['edits with what is no JSON, and breaks off', ['e', '{id: 5}'], []],
    ['mends a slip', ['e', '{id: 5}', '{"id": 9007199254740993}', '{"id": 5}'], ['5']],
    ['mends arguments that do not fit', ['e', '{"id": "five"}', '{"id": 5}'], ['5']],
    ['rejects', ['r'], []],
    ['skips', ['s'], []],
    ['breaks off', [], []],
  ])('asks its human, who %s', async (_, keys, deleted) => {
    const { err } = await call(asked, { keys });
    expect(err).toContain('Destructive call: stock_deleteItem');
    expect(stock.deleted).toEqual(deleted.map((id) => (id === 'own' ? String(asked) : id)));
  });

  it('asks nobody for a dry run', async () => {
    const { exit, err } = await crib.run(['call', 'stock_deleteItem', `id=${asked}`, '--dry-run'], {
      keys: ['a'],
    });
    expect(exit).toBe(0);
    expect(err).not.toContain('Destructive call');
    expect(stock.deleted).toEqual([]);
  });
});

describe('a tool that a skill brought', () => {
  const manifest = () => `name: count_stock
description: Counts what is there.
access: write
executor: { type: http, url: '${stock.url}/count' }
`;

  beforeAll(async () => {
    await mkdir(crib.path('skills', 'stock-taking'), { recursive: true });
    await writeFile(
      crib.path('skills', 'stock-taking', 'SKILL.md'),
      '---\nname: stock-taking\ndescription: Counts the stock.\n---\nCount twice.\n',
    );
    await writeFile(crib.path('skills', 'stock-taking', 'tool-manifest.yaml'), manifest());
    await writeFile(crib.path('skilled.yaml'), 'sources: { own: { skills: [ ./skills ] } }\n');
  });
  const skilled = (words: string[], options: RunOptions = {}) =>
    crib.run([...words, '--config', 'skilled.yaml'], options);

  it('offers no other "from now on" than the skill', async () => {
    const { exit, err } = await skilled(['call', 'count_stock'], { keys: ['A'] });
    expect(err).toContain('and the skill stock-taking');
    expect(exit).toBe(75);
    expect(JSON.parse((await skilled(['approvals', 'standing', '--json'])).out).standing).toEqual([]);
  });

  it('is approved with its skill, and listed and revoked as that', async () => {
    const { exit, err } = await skilled(['call', 'count_stock']);
    expect(exit).toBe(75);
    await skilled(['approvals', 'approve', /Approval ([0-9a-f]{32})/.exec(err)![1]!]);
    expect((await skilled(['approvals', 'standing'])).out).toMatch(
      /count_stock +local +skill stock-taking [0-9a-f]{12} /,
    );
    const { standing } = JSON.parse((await skilled(['approvals', 'standing', '--json'])).out);
    expect((await skilled(['approvals', 'revoke', standing[0].id])).out).toMatch(
      /^Revoked: skill stock-taking [0-9a-f]{12} for local\.$/m,
    );
  });
});
