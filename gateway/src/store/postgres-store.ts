import { CompiledQuery } from 'kysely';
import { withinTime } from '../operations/work/within-time.ts';
import { createListeners } from './listeners.ts';
import { openTransactions } from './open-transactions.ts';
import { APPEND_CHANNEL, appendEvents } from './postgres-append.ts';
import { processIdentity } from './process-identity.ts';
import { type Repeat, repeatWhole, type Statement } from './repeated-statement.ts';
import { raiseRevisions } from './revisions.ts';
import type { Database, Store } from './store.ts';
import { translated } from './store-errors.ts';

export const CHANGE_CHANNEL = 'toolcrib_changes';

/** What NOTIFY brings; open while somebody listens. */
export interface Notices {
  /** `lost` is called when notices may have been missed, and once when they begin to arrive. */
  listen(on: { notice(channel: string, payload: string): void; lost(): void }): () => void;
  close(): Promise<void>;
}

export interface PostgresParts {
  readonly database: Database;
  readonly notices: Notices;
  /** Where connections keep statements prepared. */
  readonly repeat?: Repeat;
  /** Ends every connection without a goodbye, and what waits for an answer with it: when closing took so long. */
  readonly cut?: { readonly afterMs: number; now(): void };
}

/** The store over any connection that speaks PostgreSQL. */
export function postgresStore(parts: PostgresParts): Store {
  const { database, notices, repeat = repeatWhole(database), cut } = parts;
  const transactions = openTransactions();
  const identity = processIdentity();
  const readRevision = revisionReader(repeat);
  let stop = () => {};
  const occupied = () => {
    if (changes.size + appends.size > 1) return vacated;
    stop = notices.listen({ notice, lost });
    return vacated;
  };
  const vacated = () => {
    if (changes.size + appends.size === 0) stop();
  };
  const changes = createListeners<string>(occupied);
  const appends = createListeners<void>(occupied);
  const notice = (channel: string, payload: string) => {
    if (channel === APPEND_CHANNEL) return appends.tell();
    const [origin, scope] = splitOnce(payload);
    // this process told its own listeners when it committed
    if (origin !== identity.id) changes.tell(scope);
  };
  const lost = () => {
    appends.tell();
    changes.tell('*');
  };
  let closed: Promise<void> | undefined;

  return {
    dialect: 'postgres',
    process: identity.id,
    identity,
    database,
    snapshot: (work) => transactions.run(database, work, 'repeatable read'),
    transaction: (work) => transactions.run(database, work),
    async change(scopes, work) {
      const done = await transactions.run(database, async (open) => {
        // first: whoever changes the same waits here, and reads what this one leaves
        const raised = await raiseRevisions(open, 'postgres', scopes);
        const done = await work(open);
        for (const scope of raised.keys()) {
          await open.executeQuery(
            CompiledQuery.raw('select pg_notify($1, $2)', [CHANGE_CHANNEL, `${identity.id} ${scope}`]),
          );
        }
        return done;
      });
      for (const scope of new Set(scopes)) changes.tell(scope);
      return done;
    },
    revision: (scope) => translated(readRevision(scope)),
    onChange: (listener) => changes.add(listener),
    onAppend: (listener) => appends.add(listener),
    append: (entries) => translated(appendEvents(repeat, entries)),
    close() {
      closed ??= (async () => {
        const ended = notices.close().then(() => database.destroy());
        if (cut !== undefined) {
          await withinTime(cut.afterMs, ended);
          cut.now();
        }
        await ended;
      })();
      return closed;
    },
  };
}

const READ_REVISIONS: Statement = {
  name: 'toolcrib_revisions',
  text: `select scope, revision from revisions
    where scope in (select json_array_elements_text($1::json))`,
};

/** Everybody who asks within one turn shares a query, sent after the last of them asked. */
function revisionReader(repeat: Repeat): (scope: string) => Promise<number> {
  let next:
    | { readonly scopes: Set<string>; readonly answer: Promise<ReadonlyMap<string, number>> }
    | undefined;
  const read = async (scopes: ReadonlySet<string>) => {
    const rows = await repeat<{ scope: string; revision: number }>(READ_REVISIONS, [
      JSON.stringify([...scopes]),
    ]);
    return new Map(rows.map(({ scope, revision }) => [scope, Number(revision)]));
  };
  return async (scope) => {
    if (next === undefined) {
      const scopes = new Set<string>();
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        next = undefined;
        return read(scopes);
      });
      next = { scopes, answer };
    }
    next.scopes.add(scope);
    return (await next.answer).get(scope) ?? 0;
  };
}

function splitOnce(payload: string): readonly [string, string] {
  const at = payload.indexOf(' ');
  return [payload.slice(0, at), payload.slice(at + 1)];
}
