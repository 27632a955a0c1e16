import type { Json, JsonObject } from '../../../operations/index.ts';
import type { Location } from './json-path.ts';

type Container = Json[] | JsonObject;

/** What YAML aliases let several places share: a place is given a copy of its own before it is changed. */
export class SharedValues {
  readonly #root: Json;
  readonly #shared = new Set<object>();

  constructor(root: Json) {
    this.#root = root;
    const seen = new Set<object>();
    const pending = [root];
    while (pending.length > 0) {
      const value = pending.pop()!;
      if (!isContainer(value)) continue;
      if (seen.has(value)) this.#shared.add(value);
      else {
        seen.add(value);
        for (const child of Object.values(value)) pending.push(child);
      }
    }
  }

  /** The value at a place as it is now, which no other place has; undefined where the place is gone. */
  own(location: Location): Json | undefined {
    let value: Json | undefined = this.#root;
    for (const key of location) value = isContainer(value) ? this.member(value, key) : undefined;
    return value;
  }

  /** The same for a member of such a value. */
  member(parent: Container, key: string | number): Json | undefined {
    const members = parent as Record<string | number, Json>;
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    if (!isContainer(value) || !this.#shared.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    for (const child of Object.values(value)) if (isContainer(child)) this.#shared.add(child);
    members[key] = copy;
    return copy;
  }
}

function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}
