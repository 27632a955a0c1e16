import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { APPEND_CHANNEL } from '../../../src/store/postgres-append.ts';
import { CHANGE_CHANNEL, type Notices, postgresStore } from '../../../src/store/postgres-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { withStoreErrors } from '../../../src/store/store-errors.ts';
import type { Tables } from '../../../src/store/tables.ts';
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
  empty(): Promise<void>;
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
  const remove = async () => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
  };
  return {
    name: 'sqlite',
    dialect: 'sqlite',
    start: async () => {},
    open() {
      folder ??= mkdtempSync(join(tmpdir(), 'toolcrib-store-'));
      return openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
    },
    empty: remove,
    remove,
  };
}

function pgliteBackend(): Backend {
  let started: PGlite | undefined;
  return {
    name: 'pglite',
    dialect: 'postgres',
    async start() {
      started = await createPGlite();
    },
    async open() {
      const pglite = started!;
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
      await migrate(database, 'postgres');
      return postgresStore({ database, notices: pgliteNotices(pglite) });
    },
    // what the migrations made stays: making it anew takes longer than most tests
    async empty() {
      const { rows } = await started!.query<{ tables: string | null }>(
        `select string_agg(format('%I', tablename), ', ') as tables from pg_tables
          where schemaname = 'public' and tablename <> 'store_versions'`,
      );
      const tables = rows[0]?.tables;
      if (tables) await started!.exec(`truncate ${tables} restart identity cascade`);
    },
    async remove() {
      await started?.close();
    },
  };
}

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
