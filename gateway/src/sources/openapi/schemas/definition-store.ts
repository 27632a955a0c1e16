import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../operations/index.ts';
import type { Target } from '../read/references.ts';
import { definitionName } from './definition-names.ts';
import type { Definition } from './definitions.ts';

/** Named schemas of one direction: names that no other has, and what each reaches. */
export class DefinitionStore {
  readonly #byName = new Map<string, Definition>();
  readonly #names = new Map<unknown, string>();
  readonly #partNames = new Map<unknown, string>();
  readonly #closures = new Map<string, JsonObject>();

  get all(): ReadonlyMap<string, Definition> {
    return this.#byName;
  }

  get(name: string): Definition | undefined {
    return this.#byName.get(name);
  }

  set(definition: Definition): void {
    this.#byName.set(definition.name, definition);
  }

  /**
   * The name of a referenced schema; `fresh` the first time, when it still has to be converted. `asPart`: of how it reads
   * as a part of another, which is a schema of its own.
   */
  claim(target: Target, asPart: boolean): { readonly name: string; readonly fresh: boolean } {
    const key = isObject(target.node) ? target.node : target.pointer;
    const names = asPart ? this.#partNames : this.#names;
    const known = names.get(key);
    if (known !== undefined) return { name: known, fresh: false };
    const name = this.#newName(target.pointer, asPart ? '_part' : '');
    names.set(key, name);
    this.set({ name, schema: {}, uses: new Set(), inPlace: [], pointer: target.pointer });
    return { name, fresh: true };
  }

  /** Everything that can be reached from these names, sorted and shared; undefined where there is nothing. */
  closure(names: Iterable<string>): JsonObject | undefined {
    const reached = new Set(names);
    if (reached.size === 0) return undefined;
    const key = [...reached].sort().join(' ');
    const known = this.#closures.get(key);
    if (known !== undefined) return known;
    for (const name of reached) for (const next of this.#byName.get(name)!.uses) reached.add(next);
    const definitions: JsonObject = {};
    for (const name of [...reached].sort()) definitions[name] = this.#byName.get(name)!.schema;
    this.#closures.set(key, definitions);
    return definitions;
  }

  #newName(pointer: string, suffix: string): string {
    const wanted = definitionName(pointer).slice(0, 64 - suffix.length) + suffix;
    if (!this.#byName.has(wanted)) return wanted;
    const hash = createHash('sha256').update(pointer).digest('hex');
    for (let length = 6; ; length++) {
      const name = `${wanted.slice(0, 63 - length)}_${hash.slice(0, length)}`;
      if (!this.#byName.has(name)) return name;
    }
  }
}
