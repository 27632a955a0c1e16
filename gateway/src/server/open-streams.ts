import { ToolcribError } from '../errors.ts';
import { type Principal, sharerOf } from '../operations/index.ts';

export interface StreamLimits {
  /** What they are called: `event streams`. */
  readonly name: string;
  /** Of one user. */
  readonly each: number;
  /** Of all users and the operator; absent: no limit. */
  readonly all?: number;
}

/** Each asks the log again whenever anything happens: one user's may not slow down everybody's calls. */
export const EVENT_STREAMS: StreamLimits = { name: 'event streams', each: 16 };

/** As many as there may be sessions of older revisions, each of which has a stream for what changes. */
export const LISTEN_STREAMS: StreamLimits = { name: 'streams for changes', each: 100, all: 1000 };

/** Counts the streams of one kind that are open, by user. */
export interface OpenStreams {
  /** Returns what ends it, any number of times. Throws `overloaded`. */
  open(principal: Principal): () => void;
}

export function createOpenStreams({ name, each, all = Infinity }: StreamLimits): OpenStreams {
  const open = new Map<string | undefined, number>();
  let total = 0;
  return {
    open(principal) {
      const owner = sharerOf(principal);
      const count = open.get(owner) ?? 0;
      if (owner !== undefined && count >= each) {
        throw overloaded(`This user has ${count} ${name} open already.`);
      }
      if (total >= all) throw overloaded(`${total} ${name} are open already.`);
      open.set(owner, count + 1);
      total++;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        total--;
        const left = open.get(owner)! - 1;
        if (left === 0) open.delete(owner);
        else open.set(owner, left);
      };
    },
  };
}

function overloaded(message: string): ToolcribError {
  return new ToolcribError('overloaded', message, {
    next: 'Close what is no longer needed, or come back later.',
  });
}
