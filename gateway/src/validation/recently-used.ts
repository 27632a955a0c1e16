/** Values by the identity of their key, at most `limit` of them; keys that nobody else holds go with their values. */
export class RecentlyUsed<K extends object, V> {
  readonly #entries = new WeakMap<K, { readonly value: V; readonly reference: WeakRef<K> }>();
  /** Least recently used first. */
  readonly #order = new Set<WeakRef<K>>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#order.delete(entry.reference);
    this.#order.add(entry.reference);
    return entry.value;
  }

  set(key: K, value: V): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#order.delete(known.reference);
    const reference = new WeakRef(key);
    this.#entries.set(key, { value, reference });
    this.#order.add(reference);
    for (const oldest of this.#order) {
      if (this.#order.size <= this.#limit) break;
      this.#order.delete(oldest);
      const gone = oldest.deref();
      if (gone !== undefined) this.#entries.delete(gone);
    }
  }
}
