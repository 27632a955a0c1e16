import { Kysely, PostgresDialect } from 'kysely';
import type { ClientConfig, CustomTypesConfig, QueryResultRow } from 'pg';
import { isToolcribError, ToolcribError } from '../errors.ts';
import { checkedAddress } from '../operations/postgres/checked-address.ts';
import { steadyClient } from '../operations/postgres/steady-client.ts';
import { describeAddress } from './address.ts';
import { checkVersion, migrate } from './migrate.ts';
import { postgresFault } from './postgres-faults.ts';
import { postgresNotices } from './postgres-notices.ts';
import { type PostgresParts, postgresStore } from './postgres-store.ts';
import type { Statement } from './repeated-statement.ts';
import type { Database, Store } from './store.ts';
import { storeError, withStoreErrors } from './store-errors.ts';
import type { Tables } from './tables.ts';
import { WATCH_CLIENT } from './watch-client.ts';
import { whyUnwritable } from './writing.ts';

/** Connections of one process; one more listens. */
const POOL_SIZE = 10;
const CONNECT_MS = 5000;
/** No statement of ours takes longer; a transaction that nobody goes on with is ended; whatever the role has. */
const STATEMENT_MS = 30_000;
const LIMITS = `set statement_timeout = ${STATEMENT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_MS}`;
/**
 * A connection over which nothing came or went for so long is lost, milliseconds: the database would have answered or
 * refused by now, and a network that swallows everything says nothing. The one that listens is asked now and then.
 */
const SILENCE: Silence = { working: STATEMENT_MS + 5000, listening: 15_000, goodbye: 3000 };

export interface Silence {
  readonly working: number;
  readonly listening: number;
  /** Of connections that are being closed. */
  readonly goodbye: number;
}

/** A pool for the URL. Throws `store_unavailable` when nobody answers there. */
export async function connectPostgres(address: string, silence: Silence = SILENCE): Promise<PostgresParts> {
  const [{ default: pg }, { Socket }] = await Promise.all([import('pg'), import('node:net')]);
  const open = new Set<InstanceType<typeof Socket>>();
  const impatient = (milliseconds: number) => () => {
    const socket = new Socket();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return socket.setTimeout(milliseconds, () => socket.destroy(new Error('The connection ended: timeout')));
  };
  const config: ClientConfig = {
    connectionString: checkedAddress(address, { name: 'The address of the store', pointer: '#/store' }),
    application_name: 'toolcrib',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: numbers(pg.types),
  };
  const Client = steadyClient(pg.Client, { name: 'the address of the store', code: 'store_unavailable' });
  const pool = new pg.Pool({
    ...config,
    Client,
    stream: impatient(silence.working),
    max: POOL_SIZE,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    // no parameters of the start: a pooler refuses those that it does not know
    onConnect: async (client) => void (await client.query(`${LIMITS}; ${WATCH_CLIENT}`)),
  });
  // a connection that breaks is replaced; what is under way hears of it by itself
  pool.on('error', () => undefined);
  // the pool listens only while nobody uses it: one that breaks between two statements would end the process
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Tables>({ dialect: withStoreErrors(new PostgresDialect({ pool })) });
  const client = await pool.connect().catch(async (error: unknown) => {
    await database.destroy();
    if (isToolcribError(error)) throw error;
    const { message } = storeError(error);
    const known = postgresFault(error)?.next;
    throw new ToolcribError(
      'store_unavailable',
      `The store at ${describeAddress(address)} cannot be opened. ${message}`,
      {
        next:
          known ??
          'Check that the database runs and can be reached from here, and the user, password and name in `store:`.',
        cause: error,
      },
    );
  });
  client.release();
  return {
    database,
    notices: postgresNotices(
      () => new Client({ ...config, stream: impatient(silence.listening) }),
      silence.listening / 3,
    ),
    // a named statement is parsed and planned once a connection
    repeat: async <R>({ name, text }: Statement, values: readonly unknown[]) =>
      (await pool.query<R & QueryResultRow>({ name, text, values: [...values] })).rows,
    cut: {
      afterMs: silence.goodbye,
      now() {
        for (const socket of open) socket.destroy();
      },
    },
  };
}

export async function openPostgres(
  address: string,
  {
    migrate: migrating = true,
    write = false,
    silence,
  }: { readonly migrate?: boolean; readonly write?: boolean; readonly silence?: Silence } = {},
): Promise<Store> {
  const parts = await connectPostgres(address, silence);
  try {
    if (migrating) await migrate(parts.database, 'postgres');
    else await checkVersion(parts.database, 'postgres');
    if (write) await requireWritable(parts.database, address);
    return postgresStore(parts);
  } catch (error) {
    await parts.database.destroy();
    throw error;
  }
}

/** Nothing is begun with a store that would take none of it. */
async function requireWritable(database: Database, address: string): Promise<void> {
  const fault = await whyUnwritable(database);
  if (fault === undefined) return;
  const { reason, next } = fault;
  const message = `The store at ${describeAddress(address)} cannot be written: ${reason}.`;
  throw new ToolcribError('store_unavailable', message, next === undefined ? {} : { next });
}

/** 64-bit integers and sums of them as numbers: none of ours leaves the safe range. */
function numbers(types: CustomTypesConfig): CustomTypesConfig {
  const INT8 = 20;
  const NUMERIC = 1700;
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text')) as never,
  };
}
