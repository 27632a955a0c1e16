import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Executor, RawResult } from '../../executors/executor.ts';
import type { Call, CallChannel, Connection, Invocation, Result } from '../../operations/index.ts';
import type { Next } from '../compose.ts';

export type Executors = Readonly<Record<Invocation['kind'], Executor>>;

export interface ExecuteOptions {
  readonly executors: Executors;
  /** Keeps a connection within its concurrency and gives a failing one a pause. */
  readonly limit: <T>(call: Call, connection: Connection, task: () => Promise<T>) => Promise<T>;
  /** The call's channel as its executor may use it. */
  readonly channelFor: (call: Call) => CallChannel;
  readonly normalize: (raw: RawResult, call: Call, connection: Connection) => Promise<Result>;
  /** A failure as its caller may read it: it may repeat what the service said. */
  readonly failed: (error: unknown, call: Call) => unknown;
}

/** The core of the onion: the operation's executor, within its connection's limits, and a normalised result. */
export function executeCore({ executors, limit, channelFor, normalize, failed }: ExecuteOptions): Next {
  return async (call: Call) => {
    const { connection } = call;
    if (connection === undefined) {
      throw new ToolcribError('internal', `The call of ${call.tool} was never authorised.`);
    }
    const executor = executors[call.operation.invocation.kind];
    const asked = performance.now();
    const execute = () => {
      noteLong(call, 'limit', asked);
      const channel = channelFor(call);
      const heard = channel === call.channel ? call : { ...call, channel };
      return executor.execute(heard, { connection, signal: call.signal, deadline: call.deadline });
    };
    try {
      const raw = await (call.dryRun ? execute() : limit(call, connection, execute));
      const answered = performance.now();
      const result = await normalize(raw, call, connection);
      noteLong(call, 'normalise', answered);
      return result;
    } catch (error) {
      throw failed(hidesLink(error, call, connection) ? withoutLink(error, connection) : error, call);
    }
  };
}

/** What keeps a call from being carried out, as far as its executor knows that without sending anything. */
export function readyCheck(executors: Executors): (call: Call) => Promise<void> {
  return async (call) => {
    const { connection, operation, signal } = call;
    if (connection === undefined) return;
    await executors[operation.invocation.kind].ready?.(call, { connection, signal });
  };
}

/** Shorter ones are nothing to look at. */
const LONG_MS = 1;

function noteLong({ facts }: Call, name: string, started: number): void {
  if (performance.now() - started >= LONG_MS) facts?.steps?.note(name, started, 'passed');
}

/** Whoever has the page on which an account is connected again can put another account in its place. */
function hidesLink(
  error: unknown,
  { principal, operation }: Call,
  { accountOwner }: Connection,
): error is ToolcribError {
  // these links go to admins only, who put connections in order
  if (operation.invocation.kind === 'azure') return false;
  if (!isToolcribError(error) || error.details?.['link'] === undefined) return false;
  return principal.kind === 'user' && accountOwner !== 'user';
}

/** The account is not the caller's own: an admin opens the page for its connection record. */
function withoutLink(error: ToolcribError, { account }: Connection): ToolcribError {
  const { link: _link, expiresAt: _end, ...details } = error.details ?? {};
  return new ToolcribError(error.code, error.message, {
    cause: error,
    details: { ...details, ...(account === undefined ? {} : { connection: account }) },
    ...(error.status === undefined ? {} : { status: error.status }),
  });
}
