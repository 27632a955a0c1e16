import type { SecretReader } from '../../credentials/secret-reference.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { SecretReference } from '../../operations/index.ts';
import { checkedAddress } from '../../operations/postgres/checked-address.ts';
import { steadyClient } from '../../operations/postgres/steady-client.ts';
import { printable } from '../../operations/text/printable.ts';
import { queue } from '../../operations/work/queue.ts';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import type { TimeLeft } from '../time-left.ts';

export interface QueryAnswer {
  readonly rows: readonly Record<string, unknown>[];
}

/** One connection: a pg client, PGlite, or anything that takes a statement with its parameters. */
export interface Queryable {
  query(text: string, params?: unknown[]): Promise<QueryAnswer>;
}

/** A pool of pg. */
interface Pool extends Queryable {
  connect(): Promise<Queryable & { release(error?: Error | boolean): void }>;
}

/** What a provider may be given: a pool, or one connection, whose transactions then come after each other. */
export type Database = Pool | Queryable;

/** Runs `work` in a read-only transaction that ends with the call. Throws ToolcribError. */
export type ReadOnly = <T>(time: TimeLeft, work: (query: Queryable['query']) => Promise<T>) => Promise<T>;

export interface Connected {
  readonly run: ReadOnly;
  close(): Promise<void>;
}

/** The server stops a statement at this time, whatever the call's deadline is. Milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** After that time, until it counts as gone. Milliseconds. */
const SILENT_MS = 1000;

export function connectedTo(
  database: Database,
  provider: string,
  statementMs = STATEMENT_TIMEOUT_MS,
): Connected {
  const inTurn = queue();
  const pool = 'connect' in database && 'totalCount' in database ? (database as Pool) : undefined;
  return {
    async run(time, work) {
      if (pool !== undefined) return inPool(pool, provider, statementMs, time, work);
      return inTurn(() => transaction(database, provider, statementMs, time, work));
    },
    close: async () => undefined,
  };
}

/** A pool of its own for a postgres: address; `pg` is loaded with the first call. */
export function connectedBy(
  address: SecretReference,
  secrets: SecretReader,
  provider: string,
  statementMs = STATEMENT_TIMEOUT_MS,
): Connected {
  let opening: Promise<Pool & { end(): Promise<void> }> | undefined;
  const open = async (signal: AbortSignal) => {
    const name = `the address of ${provider}`;
    const read = await secrets.read(address, name, signal);
    const connectionString = checkedAddress(read, { name: `The address of ${provider}` });
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString,
      Client: steadyClient(pg.Client, { name, code: 'upstream_unreachable' }),
      max: 4,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 5000,
      application_name: 'toolcrib',
      allowExitOnIdle: true,
    });
    // an idle connection that the server ends is replaced with the next call
    pool.on('error', () => undefined);
    return pool as unknown as Pool & { end(): Promise<void> };
  };
  return {
    async run(time, work) {
      opening ??= open(time.signal).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return inPool(await opening, provider, statementMs, time, work);
    },
    close: async () => (await opening?.catch(() => undefined))?.end(),
  };
}

async function inPool<T>(
  pool: Pool,
  provider: string,
  statementMs: number,
  time: TimeLeft,
  work: (query: Queryable['query']) => Promise<T>,
): Promise<T> {
  let client: Awaited<ReturnType<Pool['connect']>>;
  try {
    client = await pool.connect();
  } catch (cause) {
    if (isToolcribError(cause)) throw cause;
    throw new ToolcribError(
      'upstream_unreachable',
      `${provider}: the database cannot be reached${codeOf(cause)}.`,
      {
        details: { provider },
        cause,
      },
    );
  }
  const milliseconds = millisecondsOf(statementMs, time);
  // a server that has gone sends nothing, not even that the statement took too long
  const ends = AbortSignal.any([time.signal, AbortSignal.timeout(milliseconds + SILENT_MS)]);
  let broken: Error | undefined;
  try {
    return await untilAborted(transaction(client, provider, statementMs, time, work), ends);
  } catch (error) {
    broken = error as Error;
    throw errorOf(error, provider, milliseconds);
  } finally {
    // one that failed is closed, whatever it still does
    client.release(broken);
  }
}

async function transaction<T>(
  connection: Queryable,
  provider: string,
  statementMs: number,
  time: TimeLeft,
  work: (query: Queryable['query']) => Promise<T>,
): Promise<T> {
  const milliseconds = millisecondsOf(statementMs, time);
  try {
    time.signal.throwIfAborted();
    await connection.query('BEGIN READ ONLY');
    await connection.query("SELECT set_config('statement_timeout', $1, true)", [String(milliseconds)]);
    const result = await work((text, params) => connection.query(text, params));
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw errorOf(error, provider, milliseconds);
  }
}

function millisecondsOf(statementMs: number, time: TimeLeft): number {
  return Math.max(1, Math.floor(Math.min(statementMs, time.left())));
}

/** SQLSTATE 57014: the statement timeout. Connection parameters stay out of messages. */
function errorOf(error: unknown, provider: string, milliseconds: number): unknown {
  if (error instanceof ToolcribError) return error;
  const { code, message = '', name } = error as { code?: unknown; message?: string; name?: string };
  const details = { provider, ...(typeof code === 'string' ? { code } : {}) };
  if (name === 'AbortError')
    return new ToolcribError('cancelled', `The caller went away before ${provider} was asked.`);
  if (name === 'TimeoutError' || code === '57014') {
    return new ToolcribError('deadline_exceeded', `${provider} did not answer within ${milliseconds} ms.`, {
      details,
      cause: error,
    });
  }
  const said = printable(message, 300);
  return new ToolcribError('upstream_failed', `${provider}: ${said}.`, { details, cause: error });
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
}
