import { ToolcribError } from '../../errors.ts';
import type { Executor, RawResult } from '../../executors/executor.ts';
import type { Call, Connection, Invocation, Result } from '../../operations/index.ts';
import type { Next } from '../compose.ts';

export type Executors = Readonly<Record<Invocation['kind'], Executor>>;

export interface ExecuteOptions {
  readonly executors: Executors;
  /** Keeps a connection within its concurrency and gives a failing one a pause. */
  readonly limit: <T>(connection: Connection, signal: AbortSignal, task: () => Promise<T>) => Promise<T>;
  readonly normalize: (raw: RawResult, call: Call, connection: Connection) => Promise<Result>;
}

/** The core of the onion: the operation's executor, within its connection's limits, and a normalised result. */
export function executeCore({ executors, limit, normalize }: ExecuteOptions): Next {
  return async (call: Call) => {
    const { connection } = call;
    if (connection === undefined) {
      throw new ToolcribError('internal', `The call of ${call.tool} was never authorised.`);
    }
    const executor = executors[call.operation.invocation.kind];
    const execute = () =>
      executor.execute(call, { connection, signal: call.signal, deadline: call.deadline });
    const raw = await (call.dryRun ? execute() : limit(connection, call.signal, execute));
    return await normalize(raw, call, connection);
  };
}
