import { setImmediate } from 'node:timers/promises';
import { ToolcribError } from '../errors.ts';
import { type Principal, sharerOf } from '../operations/index.ts';
import { onBodyRead } from './body-text.ts';

/** Requests of one user at one time, streams that stay open included. */
const MOST_EACH = 1000;
/** More of them are begun one after the other, so that requests of others come in between. */
const MOST_AT_ONCE = 64;
/** Bodies of one user at one time, in bodies of the greatest size. */
const MOST_BODIES_EACH = 32;

interface Share {
  requests: number;
  bodyBytes: number;
  /** When the last request that had to wait may begin. */
  turn: Promise<void>;
}

/** What the open requests of each user take: one who sends slowly, or reads nothing, is not to fill the memory. */
export interface OpenRequests {
  /**
   * Before anything of the body is read. Throws `overloaded`. A promise where the user has so many open that this one
   * waits for its turn.
   */
  begin(request: Request, principal: Principal): Promise<void> | undefined;
  /** It is answered, or its connection is gone; any number of times. */
  end(request: Request): void;
}

export function createOpenRequests(maxBodyBytes: number): OpenRequests {
  const shares = new Map<string, Share>();
  const ends = new WeakMap<Request, () => void>();
  const over = new WeakSet<Request>();
  return {
    begin(request, principal) {
      const owner = sharerOf(principal);
      // who went away while it was found out who that is
      if (owner === undefined || over.has(request)) return undefined;
      const share = shares.get(owner) ?? { requests: 0, bodyBytes: 0, turn: Promise.resolve() };
      let bodyBytes = announcedBytes(request, maxBodyBytes);
      if (share.requests >= MOST_EACH) throw overloaded(`${share.requests} requests of this user are open.`);
      if (share.bodyBytes + bodyBytes > MOST_BODIES_EACH * maxBodyBytes) {
        throw overloaded(`The open requests of this user have bodies of ${share.bodyBytes} bytes already.`);
      }
      shares.set(owner, share);
      share.requests++;
      share.bodyBytes += bodyBytes;
      onBodyRead(request, (bytes) => {
        share.bodyBytes += bytes - bodyBytes;
        bodyBytes = bytes;
      });
      ends.set(request, () => {
        share.bodyBytes -= bodyBytes;
        share.requests--;
        if (share.requests === 0) shares.delete(owner);
      });
      if (share.requests <= MOST_AT_ONCE) return undefined;
      share.turn = share.turn.then(() => setImmediate());
      return share.turn;
    },
    end(request) {
      if (over.has(request)) return;
      over.add(request);
      ends.get(request)?.();
    },
  };
}

/** What is larger is refused unread; what comes without a length may be as large as that. */
function announcedBytes({ headers }: Request, maxBodyBytes: number): number {
  if (headers.has('transfer-encoding')) return maxBodyBytes;
  return Math.min(Number(headers.get('content-length') ?? 0), maxBodyBytes);
}

function overloaded(message: string): ToolcribError {
  return new ToolcribError('overloaded', message, { next: 'Let some of them end, then send it again.' });
}
