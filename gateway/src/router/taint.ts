import type { Call, Operation, TaintPolicy } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { memoryTaints } from './taint-memory.ts';
import type { TaintKey } from './taint-records.ts';
import { storeTaints } from './taint-store.ts';

/** What a caller has read decides what it may do alone. */
export interface Taint {
  /** Whether there is anything to remember or to ask for. */
  readonly active: boolean;
  /** After this call's result, content of strangers is with its caller. Throws `store_unavailable`. */
  mark(call: Call): Promise<void>;
  /**
   * The same for what no tool brought: a resource, a prompt or stored rows of this source; '' where nobody knows whose
   * they are. Throws `store_unavailable`.
   */
  read(source: string, reader: Pick<Call, 'principal' | 'run'>): Promise<void>;
  /** Why a person must agree to this call; undefined: nothing. Throws `store_unavailable`. */
  reason(call: Call): Promise<string | undefined>;
}

export interface TaintOptions {
  /** As it counts now; undefined: nothing is asked for. */
  readonly policy: () => TaintPolicy | undefined;
  /** Whether strangers may have written the results of an operation. */
  readonly untrusted: (operation: Operation) => boolean;
  /** Whether the operator vouches for everything of a source. */
  readonly trusts?: (source: string) => boolean;
  /** Shared by all processes that serve a session; undefined: there is only this one. */
  readonly store: Store | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** With a store every process knows what any has delivered; a call without a run counts as belonging to all. */
export function createTaint(options: TaintOptions): Taint {
  const { policy, untrusted, store, now = Date.now } = options;
  const records = store === undefined ? memoryTaints(now) : storeTaints(store, now);
  const remember = async (source: string, reader: Pick<Call, 'principal' | 'run'>) => {
    const rule = policy();
    if (rule?.writes !== 'ask') return;
    if (rule.sources !== undefined && source !== '' && !rule.sources.includes(source)) return;
    await records.mark(keyOf(reader), source, rule.forMs);
  };
  return {
    get active() {
      return policy()?.writes === 'ask';
    },
    async mark(call) {
      const { operation, channel } = call;
      if (!untrusted(operation)) return;
      channel.brings?.(operation.source);
      await remember(operation.source, call);
    },
    async read(source, reader) {
      if (!options.trusts?.(source)) await remember(source, reader);
    },
    async reason(call) {
      if (call.operation.access === 'read' || policy()?.writes !== 'ask') return undefined;
      const source = await records.find(keyOf(call));
      if (source === undefined) return undefined;
      const from = source === '' ? 'outside' : `source ${source}`;
      return `The caller has read untrusted content from ${from}, which may have asked for this.`;
    },
  };
}

function keyOf({ principal, run }: Pick<Call, 'principal' | 'run'>): TaintKey {
  return { principal: principal.id, run: run ?? '' };
}
