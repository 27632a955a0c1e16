import type { JsonObject } from '../../operations/index.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';

/** Whether any operation of a document has the extension that the configuration names, and what it may have meant. */
export class UnnamedExtension {
  readonly name: string;
  readonly #others = new Set<string>();
  #isThere = false;
  #operations = 0;

  constructor(name: string) {
    this.name = name;
  }

  saw(operation: JsonObject): void {
    this.#operations += 1;
    if (this.#isThere) return;
    this.#isThere = Object.hasOwn(operation, this.name);
    for (const key of Object.keys(operation)) if (key.startsWith('x-')) this.#others.add(key);
  }

  /** Undefined where it is there, or where there is no operation; else ` Did you mean "x-…"?`, or nothing. */
  get unnamed(): string | undefined {
    return this.#isThere || this.#operations === 0 ? undefined : didYouMean(this.name, this.#others);
  }
}
