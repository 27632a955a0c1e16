import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../operations/index.ts';

/** Members of one list and of one map, and characters of one text, that are read; the rest adds nothing. */
const MAX_ITEMS = 200;
const MAX_TEXT = 4000;

/** Members of one object by the kind of value that they should have; names those that have another. */
export class Members {
  readonly #object: JsonObject;
  readonly #known = new Set<string>();
  /** Names of members that could not be read. */
  readonly problems: string[] = [];

  constructor(object: JsonObject) {
    this.#object = object;
  }

  /** What was asked for. */
  get known(): readonly string[] {
    return [...this.#known];
  }

  /** The value as it stands; null counts as absent. */
  value(name: string): Json | undefined {
    this.#known.add(name);
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    return value === null ? undefined : value;
  }

  text(name: string): string | undefined {
    return this.#read(name, textOf);
  }

  /** A list of texts; one text alone is taken as a list of one. */
  texts(name: string): readonly string[] | undefined {
    return this.#list(name, textOf);
  }

  /** The first form is meant; `"true"` and `"false"` are understood. */
  flag(name: string): boolean | undefined {
    return this.#read(name, (value) =>
      value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
    );
  }

  /** Objects of a list that `read` understands. */
  objects<T>(name: string, read: (object: JsonObject) => T | undefined): readonly T[] | undefined {
    return this.#list(name, (value) => (isObject(value) ? read(value) : undefined));
  }

  object<T>(name: string, read: (object: JsonObject) => T | undefined): T | undefined {
    return this.#read(name, (value) => (isObject(value) ? read(value) : undefined));
  }

  /** A map of texts; numbers and truth values are written out. */
  textMap(name: string): Readonly<Record<string, string>> | undefined {
    return this.object(name, (object) => {
      const map: Record<string, string> = {};
      for (const [key, value] of Object.entries(object).slice(0, MAX_ITEMS)) {
        const text = textOf(value);
        if (text !== undefined && !UNSAFE_KEYS.has(key)) map[key] = text;
      }
      return Object.keys(map).length === 0 ? undefined : map;
    });
  }

  /** What nobody asked for. */
  rest(): JsonObject | undefined {
    const left = Object.entries(this.#object).filter(
      ([name]) => !this.#known.has(name) && !UNSAFE_KEYS.has(name),
    );
    return left.length === 0 ? undefined : Object.fromEntries(left);
  }

  #read<T>(name: string, read: (value: Json) => T | undefined): T | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const found = read(value);
    if (found === undefined && !isEmpty(value)) this.problems.push(name);
    return found;
  }

  #list<T>(name: string, read: (value: Json) => T | undefined): readonly T[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const found: T[] = [];
    let isProblem = false;
    for (const item of Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]) {
      const one = read(item);
      if (one !== undefined) found.push(one);
      else isProblem ||= !isEmpty(item);
    }
    if (isProblem) this.problems.push(name);
    return found.length === 0 ? undefined : found;
  }
}

/** Text of a scalar; undefined for what is empty or no scalar. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_TEXT).trim();
  return text === '' ? undefined : text;
}

/** A number, also where it is written as text. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isEmpty(value: Json): boolean {
  return (
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)
  );
}
