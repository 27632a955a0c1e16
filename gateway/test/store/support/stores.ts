import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { once } from '../../../src/operations/work/once.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { APPEND_CHANNEL } from '../../../src/store/postgres-append.ts';
import { CHANGE_CHANNEL, type Notices, postgresStore } from '../../../src/store/postgres-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { withStoreErrors } from '../../../src/store/store-errors.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { emptySqlite } from './empty-sqlite.ts';
import { createPGlite } from './pglite.ts';

/** One empty store per test, opened as often as processes share it; everything is closed after the test. */
export interface StoreBench {
  readonly dialect: 'sqlite' | 'postgres';
  open(): Promise<Store>;
}

interface Backend {
  readonly name: string;
  readonly dialect: StoreBench['dialect'];
  /** Before all. */
  start(): Promise<unknown>;
  open(): Promise<Store>;
  /** Between tests. */
  empty(): Promise<unknown>;
  /** After all. */
  remove(): Promise<void>;
}

/** Runs the cases on each kind of store that runs here: a SQLite file, and PostgreSQL inside this process. */
export function onEveryStore(cases: (bench: StoreBench) => void): void {
  for (const backend of [sqliteBackend(), pgliteBackend()]) onStore(backend, cases);
}

/** The same on a real PostgreSQL, named by TOOLCRIB_TEST_POSTGRES. */
export function onRealPostgres(address: string, cases: (bench: StoreBench) => void): void {
  onStore(postgresBackend(address), cases);
}

function onStore(backend: Backend, cases: (bench: StoreBench) => void): void {
  describe(backend.name, () => {
    let opened: Store[] = [];
    afterEach(async () => {
      for (const store of opened) await store.close();
      opened = [];
      await backend.empty();
    });
    beforeAll(() => backend.start(), 120_000);
    afterAll(() => backend.remove());
    cases({
      dialect: backend.dialect,
      async open() {
        const store = await backend.open();
        opened.push(store);
        return store;
      },
    });
  });
}

function sqliteBackend(): Backend {
  let folder: string | undefined;
  let made: Promise<string> | undefined;
  const remove = async () => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
    made = undefined;
  };
  return {
    name: 'sqlite',
    dialect: 'sqlite',
    start: async () => {},
    async open() {
      folder ??= mkdtempSync(join(tmpdir(), 'toolcrib-store-'));
      made ??= emptySqlite(join(folder, 'toolcrib.db'));
      return openStore(await made);
    },
    empty: remove,
    remove,
  };
}

/** One for all files of this worker: starting it and bringing it up to date takes longer than most tests. */
const upToDate = once(async () => {
  const pglite = await createPGlite();
  await migrate(new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }), 'postgres');
  return pglite;
});

function pgliteBackend(): Backend {
  return {
    name: 'pglite',
    dialect: 'postgres',
    start: upToDate,
    async open() {
      const pglite = await upToDate();
      // closing a store leaves the shared database open
      const shared = new Proxy(pglite, {
        get: (target, key) => {
          if (key === 'close') return async () => {};
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const database = new Kysely<Tables>({
        dialect: withStoreErrors(new PGliteDialect({ pglite: shared })),
      });
      // one that was never used could not be closed
      await sql`select 1`.execute(database);
      return postgresStore({ database, notices: pgliteNotices(pglite) });
    },
    empty: async () => (await upToDate()).exec(await emptying()),
    remove: async () => {},
  };
}

/**
 * Deletes the rows. `truncate` makes a new file for every table, however few rows are in it, and takes ten times as long
 * as most tests need to leave.
 */
const emptying = once(async () => {
  const { rows } = await (await upToDate()).query<{ text: string }>(
    `select format('delete from %I;', tablename) as text from pg_tables
      where schemaname = 'public' and tablename <> 'store_versions'
      union all
      select format('select setval(%L, %s, false);', sequencename, start_value) from pg_sequences
      where schemaname = 'public'`,
  );
  return rows.map(({ text }) => text).join('\n');
});

function pgliteNotices(pglite: PGlite): Notices {
  return {
    listen(on) {
      const stops = [CHANGE_CHANNEL, APPEND_CHANNEL].map((channel) =>
        pglite.listen(channel, (payload) => on.notice(channel, payload)),
      );
      void Promise.all(stops).then(() => on.lost());
      return () => {
        for (const stop of stops) void stop.then((end) => end());
      };
    },
    close: async () => {},
  };
}

function postgresBackend(address: string): Backend {
  // a schema of its own leaves whatever else is in the database alone
  const schema = `toolcrib_test_${process.pid}`;
  const url = new URL(address);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const run = async (text: string) => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  let made: Promise<void> | undefined;
  return {
    name: 'postgres',
    dialect: 'postgres',
    start: async () => {},
    async open() {
      made ??= run(`drop schema if exists ${schema} cascade; create schema ${schema}`);
      await made;
      return openStore(url.href);
    },
    async empty() {
      made = undefined;
    },
    remove: () => run(`drop schema if exists ${schema} cascade`),
  };
}
