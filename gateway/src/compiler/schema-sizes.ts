import type { Json } from '../operations/index.ts';

/** JSON sizes in characters, measured once per shared sub-schema. */
export class SchemaSizes {
  readonly #known = new WeakMap<object, number>();

  of(value: Json | undefined): number {
    if (value === undefined) return 0;
    if (value === null || typeof value !== 'object') return typeof value === 'string' ? value.length + 2 : 5;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let size = 2;
    if (Array.isArray(value)) for (const item of value) size += this.of(item) + 1;
    else for (const [key, member] of Object.entries(value)) size += key.length + 4 + this.of(member);
    this.#known.set(value, size);
    return size;
  }
}
