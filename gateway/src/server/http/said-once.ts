import { setTimeout as pause } from 'node:timers/promises';
import { isToolcribError } from '../../errors.ts';
import { isObject, type Principal } from '../../operations/index.ts';
import { readBodyText } from '../body-text.ts';

/** How long the store is waited for, milliseconds: a database that starts anew is back by then. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;
/** Messages that wait at one time. */
const MOST_WAITING = 100;
/** An answer of a person is no longer than that. */
const MOST_BYTES = 64 * 1024;

export interface SaidOnceParts {
  /** Who sends it. Throws `store_unavailable`. */
  readonly principal: (request: Request) => Promise<Principal>;
  /** Whether it names a session that is open here: nobody guesses one. */
  readonly isOfSession: (request: Request) => boolean;
  readonly closing: AbortSignal;
}

/**
 * Who sends an MCP request. An answer to a question and a notice, such as that a call is taken back, are sent once:
 * no client repeats what was refused. While the store is away they wait for it; requests are refused at once.
 */
export function createSaidOnce({ principal, isOfSession, closing }: SaidOnceParts) {
  let waiting = 0;
  const patiently = async (request: Request, refused: unknown): Promise<Principal> => {
    const until = performance.now() + PATIENCE_MS;
    const signal = AbortSignal.any([request.signal, closing]);
    for (let last = refused; ; ) {
      await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || performance.now() > until) throw last;
      try {
        return await principal(request);
      } catch (error) {
        if (!isAway(error)) throw error;
        last = error;
      }
    }
  };
  return async (request: Request): Promise<Principal> => {
    try {
      return await principal(request);
    } catch (error) {
      if (!isAway(error) || !isOfSession(request) || waiting >= MOST_WAITING) throw error;
      waiting++;
      try {
        if (!(await isSaidOnce(request))) throw error;
        return await patiently(request, error);
      } finally {
        waiting--;
      }
    }
  };
}

function isAway(error: unknown): boolean {
  return isToolcribError(error) && error.code === 'store_unavailable';
}

/** Whether nothing in it is a request; the body stays to be read. */
async function isSaidOnce(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    const body: unknown = JSON.parse((await readBodyText(request.clone(), MOST_BYTES)) ?? '');
    const messages = Array.isArray(body) ? body : [body];
    return messages.length > 0 && messages.every((one) => isObject(one) && !('method' in one && 'id' in one));
  } catch {
    return false;
  }
}
