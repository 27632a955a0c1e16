import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/config/index.ts';
import { checkStore } from '../../src/doctor/store.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { readOrganisation } from '../../src/principals/grants/organisation-snapshot.ts';
import { inspectStore } from '../../src/store/inspect.ts';
import { NEWEST_VERSION } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import { sharedArtifactCases } from '../artifacts/shared-artifact-cases.ts';
import { durableEventCases } from '../events/durable-cases.ts';
import { sharedDirectoryCases } from '../principals/directory/shared-directory-cases.ts';
import { sharedBudgetCases } from '../router/budget-cases.ts';
import { sharedLimitCases } from '../router/rate-limit-cases.ts';
import { usageCases } from '../usage/usage-cases.ts';
import { storeCases } from './cases.ts';
import { forwarderTo } from './support/forwarder.ts';
import { addOrganisation } from './support/records.ts';
import { onRealPostgres } from './support/stores.ts';

const address = process.env['TOOLCRIB_TEST_POSTGRES'];

it('begins with parameters that a pooler knows', async () => {
  let started = '';
  const server = net.createServer((socket) =>
    socket.once('data', (bytes) => {
      // length and protocol version, then names and values
      started = bytes.subarray(8).toString('latin1');
      socket.destroy();
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await expect(openPostgres(`postgres://ann@127.0.0.1:${port}/crib`)).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  server.close();
  const words = started.split('\0').filter((word) => word !== '');
  expect(words.filter((_, index) => index % 2 === 0).sort()).toEqual([
    'application_name',
    'client_encoding',
    'database',
    'user',
  ]);
});

if (address === undefined) {
  describe('a real PostgreSQL', () => {
    it.skip('TOOLCRIB_TEST_POSTGRES names none (postgres://user@host/database)', () => {});
  });
} else {
  onRealPostgres(address, (bench) => {
    describe('store', () => storeCases(bench));
    describe('events', () => durableEventCases(bench));
    describe('usage', () => usageCases(bench));
    describe('rate limits', () => sharedLimitCases(bench));
    describe('budgets', () => sharedBudgetCases(bench));
    describe('directory', () => sharedDirectoryCases(bench));
    describe('artifacts', () => sharedArtifactCases(bench));

    it('bounds statements and idle transactions of every connection', async () => {
      const { database } = await bench.open();
      const { rows } = await sql<{ statement: string; idle: string }>`select
        current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(database);
      expect(rows).toEqual([{ statement: '30s', idle: '30s' }]);
    });

    const inSchema = (options: string) => {
      const url = new URL(address);
      url.searchParams.set('options', `-c search_path=toolcrib_test_${process.pid} ${options}`);
      return url.href;
    };

    it('is looked at where it can only be read, and no gateway begins with it', async () => {
      await bench.open();
      const standby = inSchema('-c default_transaction_read_only=on');
      expect(await inspectStore(standby)).toMatchObject({ version: NEWEST_VERSION, writable: false });
      expect(await inspectStore(inSchema(''))).toMatchObject({ writable: true });
      const findings = await checkStore({ store: standby, auth: { mode: 'local' } } as Configuration);
      expect(findings).toContainEqual({
        check: 'store',
        status: 'error',
        message: expect.stringContaining('the database is read-only'),
        next: expect.stringContaining('Name the primary'),
      });
      const reader = await openStore(standby);
      expect(await reader.revision('keys')).toBe(0);
      await expect(reader.change(['keys'], async () => {})).rejects.toMatchObject({
        code: 'store_unavailable',
        message: 'The store refused: the database is read-only, as a standby is (25006).',
      });
      await reader.close();
      await expect(openStore(standby, { write: true })).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('cannot be written: the database is read-only'),
        next: expect.stringContaining('Name the primary'),
      });
    });

    it('is looked at where the role lacks rights to some rows, and no gateway begins with it', async () => {
      const { database } = await bench.open();
      const role = `toolcrib_reader_${process.pid}`;
      const schema = `toolcrib_test_${process.pid}`;
      const tell = (statement: string) => sql.raw(statement).execute(database);
      await tell(`create role ${role} login`);
      try {
        await tell(`grant usage on schema ${schema} to ${role}`);
        await tell(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
        const reader = new URL(inSchema(''));
        reader.username = role;
        expect(await inspectStore(reader.href)).toMatchObject({ writable: true });
        await (await openStore(reader.href, { migrate: false, write: true })).close();

        // as an upgrade leaves it that made a table
        await tell(`revoke insert on artifacts from ${role}`);
        await tell(`revoke all on tasks from ${role}`);
        const status = await inspectStore(reader.href);
        const reason = 'the role lacks rights to artifacts, tasks';
        expect(status).toMatchObject({ writable: false, unwritable: { reason }, rows: { artifacts: 0 } });
        expect(status.rows).not.toHaveProperty('tasks');
        expect(
          await checkStore({ store: reader.href, auth: { mode: 'local' } } as Configuration),
        ).toContainEqual({
          check: 'store',
          status: 'error',
          message: expect.stringContaining(reason),
          next: expect.stringContaining('grant select, insert, update, delete'),
        });
        await expect(openStore(reader.href, { migrate: false, write: true })).rejects.toMatchObject({
          code: 'store_unavailable',
          message: expect.stringContaining(`cannot be written: ${reason}`),
        });
      } finally {
        await tell(`drop owned by ${role}`);
        await tell(`drop role ${role}`);
      }
    });

    it('is not mixed with tables of something else that have the same names', async () => {
      const { database } = await bench.open();
      const schema = `toolcrib_shared_${process.pid}`;
      const tell = (statement: string) => sql.raw(statement).execute(database);
      await tell(`create schema ${schema}`);
      try {
        await tell(`create table ${schema}.users (id integer)`);
        const url = new URL(address);
        url.searchParams.set('options', `-c search_path=${schema}`);
        await expect(openStore(url.href)).rejects.toMatchObject({
          code: 'store_unavailable',
          message: expect.stringContaining('of such a name already'),
          next: expect.stringContaining('a schema of its own'),
        });
      } finally {
        await tell(`drop schema ${schema} cascade`);
      }
    });

    it('says what is missing: the database', async () => {
      const url = new URL(address);
      url.pathname = '/nowhere';
      await expect(openStore(url.href)).rejects.toMatchObject({
        message: expect.stringContaining('there is no such database (3D000)'),
        next: expect.stringContaining('Create it'),
      });
    });

    it('waits for another that migrates, however short the role may wait for locks', async () => {
      const { database } = await bench.open();
      await sql`drop table store_versions`.execute(database);
      await sql`drop schema ${sql.ref(`toolcrib_test_${process.pid}`)} cascade`.execute(database);
      await sql`create schema ${sql.ref(`toolcrib_test_${process.pid}`)}`.execute(database);
      const opening = await database.connection().execute(async (holder) => {
        await sql`select pg_advisory_lock(7166543201)`.execute(holder);
        const opening = openStore(inSchema('-c lock_timeout=10ms'));
        opening.catch(() => undefined);
        const ended = opening.then(
          () => 'opened',
          (error: unknown) => error,
        );
        const waits = async () =>
          (
            await sql`select 1 from pg_locks where not granted and now() - waitstart > interval '50 ms'`.execute(
              holder,
            )
          ).rows.length;
        const first = await Promise.race([
          ended,
          expect
            .poll(waits)
            .toBe(1)
            .then(() => 'waits'),
        ]);
        expect(first).toBe('waits');
        await sql`select pg_advisory_unlock(7166543201)`.execute(holder);
        return opening;
      });
      expect(await opening.revision('keys')).toBe(0);
      await opening.close();
    });

    it('keeps its connections where the role ends idle ones', async () => {
      await bench.open();
      const store = await openStore(inSchema('-c idle_session_timeout=10s'));
      const { rows } = await sql<{ idle: string }>`select
        current_setting('idle_session_timeout') as idle`.execute(store.database);
      expect(rows).toEqual([{ idle: '0' }]);
      await store.close();
    });

    it('asks the server to notice soon that this process is gone', async () => {
      const { database } = await bench.open();
      const { rows } = await sql<{ idle: string; interval: string; count: string }>`select
        current_setting('tcp_keepalives_idle') as idle,
        current_setting('tcp_keepalives_interval') as interval,
        current_setting('tcp_keepalives_count') as count`.execute(database);
      expect(rows).toEqual([{ idle: '30', interval: '10', count: '3' }]);
    });

    it('listens again after its connection was cut, and says that notices may be lost', async () => {
      const [one, two] = [await bench.open(), await bench.open()];
      const heard: string[] = [];
      two.onChange((scope) => heard.push(scope));
      await expect.poll(() => heard).toEqual(['*']);
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where query like 'listen toolcrib%' and pid <> pg_backend_pid()`,
      );
      await client.end();
      await expect.poll(() => heard).toEqual(['*', '*']);
      await one.change(['keys'], async () => {});
      await expect.poll(() => heard).toContain('keys');
    });

    it('an idle connection that the server ends costs nothing', async () => {
      const store = await bench.open();
      const events = createDurableEvents({ store, recover: false });
      await events.append({ type: 'source-failed', source: 'pets', message: 'a' });
      // other files use this server at the same time: the connections of this store alone, all of which are busy then
      const own = await Promise.all(
        [1, 2, 3, 4].map(() =>
          sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)::text`.execute(store.database),
        ),
      );
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      const ended = await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        own.map(({ rows: [row] }) => row!.pid),
      ]);
      expect(ended.rowCount).toBe(4);
      await client.end();
      await expect
        .poll(() =>
          events.append({ type: 'source-failed', source: 'pets', message: 'b' }).catch(() => undefined),
        )
        .toMatchObject({ message: 'b' });
      await events.close();
    });

    it('reads an organisation as of one moment, also while somebody changes it', async () => {
      const store = await bench.open();
      await addOrganisation(store, 'acme');
      const writer = await bench.open();
      const locked = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const writing = writer.change(['organisation:acme'], async (open) => {
        await sql`lock table access_levels in access exclusive mode`.execute(open);
        locked.resolve();
        await goOn.promise;
        await sql`update organisations set features = '["beta"]'`.execute(open);
        await sql`insert into access_levels (organisation_id, subject, scope, level, updated_at)
          values ('acme', '', 'source:pets', 'read-write', 0)`.execute(open);
      });
      await locked.promise;
      const reading = readOrganisation(store, 'acme', 0);
      const waits = async () =>
        (await sql`select 1 from pg_locks where not granted`.execute(writer.database)).rows.length;
      await expect.poll(waits).toBe(1);
      goOn.resolve();
      await writing;
      const { features, levels } = (await reading)!;
      expect([features, [...levels]]).toEqual([[], []]);
    });

    // an error that nobody listens for ends the process, and vitest says so
    it('a connection that the server ends within a transaction costs that transaction', async () => {
      const store = await bench.open();
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      const transaction = store.transaction(async (open) => {
        const [own] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(open)).rows;
        await client.query('select pg_terminate_backend($1)', [own!.pid]);
        const ended = async () =>
          (await client.query('select from pg_stat_activity where pid = $1', [own!.pid])).rowCount;
        await expect.poll(ended).toBe(0);
        await sql`select 1`.execute(open);
      });
      await expect(transaction).rejects.toMatchObject({ code: 'store_unavailable' });
      await client.end();
      expect(await store.revision('keys')).toBe(0);
    });
  });

  describe('a network that swallows everything', () => {
    const silence = { working: 300, listening: 300, goodbye: 300 };
    const opened = async (given = silence) => {
      const target = new URL(address);
      const forwarder = await forwarderTo(target);
      target.host = `127.0.0.1:${forwarder.port}`;
      const store = await openPostgres(target.href, { silence: given });
      return { store, forwarder };
    };

    it('costs what is under way, and no more', async () => {
      const { store, forwarder } = await opened();
      forwarder.swallow();
      await expect(store.revision('keys')).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await store.revision('keys')).toBeTypeOf('number');
      forwarder.swallow();
      await expect(store.transaction((open) => sql`select 1`.execute(open))).rejects.toMatchObject({
        code: 'store_unavailable',
      });
      expect(await store.revision('keys')).toBeTypeOf('number');
      await store.close();
      forwarder.close();
    });

    it('keeps nobody from closing', async () => {
      const patient = { working: 600_000, listening: 600_000, goodbye: 10 };
      const { store, forwarder } = await opened(patient);
      const heard: string[] = [];
      store.onChange((scope) => heard.push(scope));
      await expect.poll(() => heard).toEqual(['*']);
      forwarder.swallow();
      const refused = expect(store.revision('keys')).rejects.toMatchObject({ code: 'store_unavailable' });
      await store.close();
      await refused;
      forwarder.close();
    });

    it('is noticed by who only listens', async () => {
      const { store, forwarder } = await opened();
      const heard: string[] = [];
      store.onChange((scope) => heard.push(scope));
      await expect.poll(() => heard).toEqual(['*']);
      forwarder.swallow();
      await expect.poll(() => heard).toEqual(['*', '*']);
      await store.close();
      forwarder.close();
    });
  });
}

describe('a PostgreSQL that is not there', () => {
  it('is named without its password', async () => {
    const opening = openStore('postgres://ann:hunter2@127.0.0.1:1/toolcrib');
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(String(error)).toContain('postgres://ann@127.0.0.1:1/toolcrib');
    expect(String(error)).not.toContain('hunter2');
  });
});
