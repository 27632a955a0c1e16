import { ToolcribError } from '../../errors.ts';
import { type Principal, sharerOf } from '../../operations/index.ts';

/** Each stream asks the log again whenever anything happens: one user's may not slow down everybody's calls. */
const MOST_EACH = 16;

/** Counts the event streams that are open, by user. */
export interface OpenStreams {
  /** Returns what ends it, any number of times. Throws `overloaded`. */
  open(principal: Principal): () => void;
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<string, number>();
  return {
    open(principal) {
      const owner = sharerOf(principal);
      if (owner === undefined) return () => undefined;
      const count = open.get(owner) ?? 0;
      if (count >= MOST_EACH) {
        throw new ToolcribError('overloaded', `This user has ${count} event streams open already.`);
      }
      open.set(owner, count + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = open.get(owner)! - 1;
        if (left === 0) open.delete(owner);
        else open.set(owner, left);
      };
    },
  };
}
