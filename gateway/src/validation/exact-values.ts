import { canonicalJson } from '../operations/index.ts';

/** A set of JSON values, compared as JSON Schema does (2020-12 core §4.2.2): by value, key order aside. Linear. */
export class ValueSet {
  readonly #scalars = new Set<unknown>();
  readonly #structures = new Set<string>();

  constructor(values: Iterable<unknown> = []) {
    for (const value of values) this.add(value);
  }

  has(value: unknown): boolean {
    return isStructure(value) ? this.#structures.has(canonicalJson(value)) : this.#scalars.has(value);
  }

  /** False when an equal value was there already. */
  add(value: unknown): boolean {
    if (!isStructure(value)) return this.#scalars.size !== this.#scalars.add(value).size;
    return this.#structures.size !== this.#structures.add(canonicalJson(value)).size;
  }
}

export function areUnique(values: readonly unknown[]): boolean {
  const seen = new ValueSet();
  return values.every((value) => seen.add(value));
}

function isStructure(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
