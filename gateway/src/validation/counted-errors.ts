import type { ErrorObject } from 'ajv';

/**
 * The errors of one validation. Generated code takes it for an array: it counts all of them, which decides what is
 * valid, and keeps the first ones, without the data. A list can have a million items that do not fit.
 */
export class CountedErrors {
  readonly #most: number;
  #kept: ErrorObject[] = [];
  #length = 0;

  constructor(most: number, first: ErrorObject) {
    this.#most = most;
    this.push(first);
  }

  get length(): number {
    return this.#length;
  }

  /** Errors of a branch that need not fit are taken back so. */
  set length(length: number) {
    this.#length = length;
    if (this.#kept.length > length) this.#kept.length = length;
  }

  get kept(): readonly ErrorObject[] {
    return this.#kept;
  }

  push(error: ErrorObject): void {
    if (this.#length++ >= this.#most) return;
    delete error.data;
    this.#kept.push(error);
  }

  /** Of a schema that is referred to. */
  concat(more: CountedErrors): this {
    for (const error of more.#kept.slice(0, Math.max(0, this.#most - this.#length))) this.#kept.push(error);
    this.#length += more.#length;
    return this;
  }
}
