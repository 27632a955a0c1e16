import { existsSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PGliteDialect, type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isCallEnd, isCallStart } from '../../src/events/event-rows.ts';
import { inspectStore } from '../../src/store/inspect.ts';
import { migrate } from '../../src/store/migrate.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { connectSqlite } from '../../src/store/sqlite.ts';
import type { Tables } from '../../src/store/tables.ts';
import { createPGlite } from './support/pglite.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-open-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (...parts: string[]) => join(folder, ...(parts.length > 0 ? parts : ['toolcrib.db']));

describe('a SQLite store', () => {
  it('lies in a folder and a file that only its user can read', async () => {
    const store = await openStore(`sqlite:${file('state', 'deep', 'toolcrib.db')}`);
    await store.change(['keys'], async () => {});
    const mode = (...parts: string[]) => statSync(file(...parts)).mode & 0o777;
    expect(mode('state')).toBe(0o700);
    expect(mode('state', 'deep')).toBe(0o700);
    expect(mode('state', 'deep', 'toolcrib.db')).toBe(0o600);
    expect(mode('state', 'deep', 'toolcrib.db-wal')).toBe(0o600);
    await store.close();
  });

  it('leaves one file behind when it is closed', async () => {
    const store = await openStore(`sqlite:${file()}`);
    await store.change(['keys'], async () => {});
    await store.close();
    expect(existsSync(file())).toBe(true);
    expect(existsSync(file('toolcrib.db-wal'))).toBe(false);
  });

  it('keeps its data across a restart', async () => {
    const before = await openStore(`sqlite:${file()}`);
    await before.change(['keys'], async () => {});
    const revision = before.revision('keys');
    await before.close();
    const after = await openStore(`sqlite:${file()}`);
    expect(after.revision('keys')).toBe(revision);
    await after.close();
  });

  it.each([
    [
      'a folder that is a file',
      () => writeFileSync(file('state'), ''),
      ['state', 'toolcrib.db'],
      /cannot be opened\. Its folder cannot be used \(E[A-Z]+\)\.$/,
    ],
    [
      'a file that is no database',
      () => writeFileSync(file(), 'not a database at all'.repeat(100)),
      [],
      /cannot be opened\. The store did not answer: file is not a database\.$/,
    ],
  ])('says where it is when it cannot be opened, and why: %s', async (_, prepare, parts, message) => {
    prepare();
    await expect(openStore(`sqlite:${file(...parts)}`)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(message),
      location: file(...parts),
    });
  });

  it('a damaged file is to be replaced by a backup, not by another address', async () => {
    const store = await openStore(`sqlite:${file()}`);
    await store.close();
    truncateSync(file(), 5000);
    await expect(openStore(`sqlite:${file()}`)).rejects.toMatchObject({
      code: 'store_unavailable',
      next: expect.stringContaining('`toolcrib store restore FILE`'),
    });
  });

  it('refuses an address of another kind', async () => {
    await expect(openStore('mysql://somewhere')).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('is not opened for who has gone away', async () => {
    await expect(openStore(`sqlite:${file()}`, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(file())).toBe(false);
  });

  it.each([
    ['replaced', () => renameSync(file('other.db'), file())],
    ['removed', () => rmSync(file())],
  ])('refuses everything once its file was %s: nothing would be kept', async (done, swap) => {
    const store = await openStore(`sqlite:${file()}`);
    await (await openStore(`sqlite:${file('other.db')}`)).close();
    await store.change(['keys'], async () => {});
    swap();
    const refused = {
      code: 'store_unavailable',
      message: `The store at ${file()} was ${done} while it was in use.`,
    };
    expect(() => store.revision('keys')).toThrow(expect.objectContaining(refused));
    await expect(store.append([])).rejects.toMatchObject(refused);
    await expect(store.change(['keys'], async () => {})).rejects.toMatchObject(refused);
    await expect(store.transaction(async () => {})).rejects.toMatchObject(refused);
    await store.close();
  });

  it('waits for another process that writes, without blocking this one', async () => {
    const store = await openStore(`sqlite:${file()}`);
    const other = new DatabaseSync(file());
    other.exec('begin immediate');
    let turns = 0;
    const counting = setInterval(() => turns++, 20);
    const change = store.change(['keys'], async () => {});
    await expect.poll(() => turns).toBeGreaterThan(10);
    other.exec('rollback');
    other.close();
    await change;
    clearInterval(counting);
    expect(store.revision('keys')).toBeGreaterThan(0);
    await store.close();
  });

  it('reads a revision as committed even while this process has a transaction open', async () => {
    const [one, two] = [await openStore(`sqlite:${file()}`), await openStore(`sqlite:${file()}`)];
    const entered = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const reading = one.database
      .transaction()
      .setAccessMode('read only')
      .execute(async (open) => {
        await open.selectFrom('revisions').selectAll().execute();
        entered.resolve();
        await proceed.promise;
      });
    await entered.promise;
    await two.change(['organisation:acme'], async () => {});
    expect(one.revision('organisation:acme')).toBeGreaterThan(0);
    proceed.resolve();
    await reading;
    await one.close();
    await two.close();
  });

  it('finds the start and the end of a call by their index', async () => {
    const store = await openStore(`sqlite:${file()}`);
    const plan = async (condition: RawBuilder<boolean>) => {
      const { rows } = await sql<{
        detail: string;
      }>`explain query plan select 1 from events where call_id = 'c' and ${condition}`.execute(
        store.database,
      );
      return rows.map(({ detail }) => detail).join();
    };
    expect(await plan(isCallEnd())).toContain('events_of_call');
    expect(await plan(isCallStart())).toContain('events_of_call');
    await store.close();
  });
});

describe('versions', () => {
  const raise = async (version: number) => {
    const { database } = await connectSqlite(file());
    await sql`insert into store_versions values (${version}, 'of the future', 0)`.execute(database);
    await database.destroy();
  };

  it('a store of a newer program is left alone', async () => {
    await (await openStore(`sqlite:${file()}`)).close();
    await raise(99);
    await expect(openStore(`sqlite:${file()}`)).rejects.toMatchObject({
      code: 'store_version',
      details: { version: 99, needed: MIGRATIONS.length },
      // migrating would refuse it, too
      next: expect.not.stringContaining('store migrate'),
    });
  });

  it('without migrating, a store of an older program is refused', async () => {
    await expect(openStore(`sqlite:${file()}`, { migrate: false })).rejects.toMatchObject({
      code: 'store_version',
      details: { version: 0, needed: MIGRATIONS.length },
    });
    await (await openStore(`sqlite:${file()}`)).close();
    await (await openStore(`sqlite:${file()}`, { migrate: false })).close();
  });

  it('the status of a store of an older program counts the tables that it has', async () => {
    const { database } = await connectSqlite(file());
    await migrate(database, 'sqlite', MIGRATIONS.slice(0, 1));
    await database.destroy();
    const { version, needed, rows } = await inspectStore(`sqlite:${file()}`);
    expect([version, needed]).toEqual([1, MIGRATIONS.length]);
    expect(rows).toMatchObject({ users: 0, events: 0 });
    expect(rows).not.toHaveProperty('approvals');
  });

  it('who starts while another brings the store forward waits, however long that takes', async () => {
    const { database } = await connectSqlite(file());
    await migrate(database, 'sqlite', MIGRATIONS.slice(0, 1));
    await database.destroy();
    const other = new DatabaseSync(file());
    other.exec('begin immediate');
    let [asked, ahead] = [0, 0];
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      asked++;
      return now() + ahead;
    });
    const opening = openStore(`sqlite:${file()}`);
    opening.catch(() => undefined);
    for (const later of [11_000, 60_000]) {
      await expect.poll(() => asked).toBeGreaterThan(3);
      [asked, ahead] = [0, later];
    }
    await expect.poll(() => asked).toBeGreaterThan(3);
    other.exec('rollback');
    other.close();
    await (await opening).close();
    clock.mockRestore();
  });

  it('no limit of a statement ends a migration of PostgreSQL', async () => {
    const pglite = await createPGlite();
    await pglite.exec(`set statement_timeout = 30000`);
    const database = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
    const limit = `create table limits as select current_setting('statement_timeout') as statement`;
    await migrate(database, 'postgres', [{ name: 'limits', statements: () => [limit] }]);
    expect((await pglite.query('select statement from limits')).rows).toEqual([{ statement: '0' }]);
    expect((await pglite.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
    await database.destroy();
  });

  it('what is missing is applied once and in order, and a step that fails leaves nothing', async () => {
    const { database } = await connectSqlite(file());
    const more = [
      ...MIGRATIONS,
      { name: 'second', statements: () => ['create table second (id integer)'] },
      { name: 'broken', statements: () => ['create table third (id integer)', 'create tabel fourth'] },
    ];
    await expect(migrate(database, 'sqlite', more)).rejects.toMatchObject({ code: 'store_unavailable' });
    const tables =
      await sql`select name from sqlite_master where name in ('second', 'third', 'users')`.execute(database);
    expect(tables.rows).toEqual([]);
    expect(await migrate(database, 'sqlite', more.slice(0, -1))).toEqual([
      ...MIGRATIONS.map(({ name }) => name),
      'second',
    ]);
    expect(await migrate(database, 'sqlite', more.slice(0, -1))).toEqual([]);
    await database.destroy();
  });
});
