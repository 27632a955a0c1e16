import { sameItems } from '../operations/same-items.ts';
import { type Activation, hasEnded, NOTED_MS, UNUSED_MS } from './activation.ts';

interface Known {
  readonly list: ReadonlyMap<string, Activation>;
  readonly operations: readonly string[];
  /** When the first of them ends. */
  readonly until: number;
}

const NOTHING: readonly string[] = Object.freeze([]);

/** What this process knows of everybody's operations. */
export class KnownActivations {
  readonly #principals = new Map<string, Known>();
  readonly #listeners = new Set<(principal: string) => void>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  operations(principal: string): readonly string[] {
    const known = this.#principals.get(principal);
    if (known === undefined) return NOTHING;
    if (this.#now() < known.until) return known.operations;
    return this.#keep(principal, [...known.list.values()]);
  }

  list(principal: string): Activation[] {
    return [...(this.#principals.get(principal)?.list.values() ?? [])];
  }

  get principals(): readonly string[] {
    return [...this.#principals.keys()];
  }

  /** All are listed, and used so lately that it need not be noted. */
  fresh(principal: string, operations: readonly string[]): boolean {
    const now = this.#now();
    const list = this.#principals.get(principal)?.list;
    return operations.every((operation) => {
      const one = list?.get(operation);
      return one !== undefined && !hasEnded(one, now) && one.usedAt + NOTED_MS > now;
    });
  }

  has(principal: string, operations: readonly string[]): boolean {
    const known = new Set(this.operations(principal));
    return operations.every((operation) => known.has(operation));
  }

  /** Tells the listeners where other operations are listed than before. */
  set(principal: string, list: readonly Activation[]): void {
    const before = this.operations(principal);
    const after = this.#keep(principal, list);
    if (after === before) return;
    for (const listener of this.#listeners) listener(principal);
  }

  onChange(listener: (principal: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets whoever was set longest ago, until so many are left; their lists come back with their next use. */
  keepNewest(count: number): void {
    for (const principal of this.#principals.keys()) {
      if (this.#principals.size <= count) return;
      this.#principals.delete(principal);
    }
  }

  #keep(principal: string, list: readonly Activation[]): readonly string[] {
    const now = this.#now();
    const live = list.filter((one) => !hasEnded(one, now));
    const before = this.#principals.get(principal)?.operations ?? NOTHING;
    this.#principals.delete(principal);
    if (live.length === 0) return NOTHING;
    const sorted = live.map(({ operation }) => operation).sort();
    const operations = sameItems(sorted, before) ? before : Object.freeze(sorted);
    const until = Math.min(...live.map(({ usedAt }) => usedAt)) + UNUSED_MS;
    this.#principals.set(principal, {
      list: new Map(live.map((one) => [one.operation, one])),
      operations,
      until,
    });
    return operations;
  }
}
