import { unusedNames } from '../operations/json/unused-names.ts';
import { credentialRanges } from './credential-patterns.ts';
import { createSecretSearch, maskRanges, type SecretSearch } from './secret-search.ts';
import { hidesValue } from './sensitive-names.ts';

/**
 * The payload without live secrets in any key or string, plain or encoded, and without values that a name or a
 * form gives away as credentials. The input is left as it is; what needs no change is returned as it came.
 * Masked numbers become strings; what JSON cannot hold becomes what a reader can use (a URL its text).
 */
export function redact<T>(payload: T, secrets: Iterable<string>): T {
  return redactWith(payload, createSecretSearch(secrets));
}

/** `redact` with a prepared search, and the short texts that this search has found harmless before. */
export function redactWith<T>(payload: T, search: SecretSearch, harmless?: HarmlessTexts): T {
  return new Redaction(search, harmless).value(payload, 0) as T;
}

/** Texts without anything to hide; names and words come again with every call. Belongs to one search. */
export type HarmlessTexts = Pick<Set<string>, 'has' | 'add'>;

/** Longer texts seldom come again. */
const LONGEST_HARMLESS = 64;

const MAX_DEPTH = 256;
const PLAIN = { enumerable: true, writable: true, configurable: true };
/** Longer JSON inside a string is searched as text only. */
const MAX_EMBEDDED_JSON = 1_000_000;

class Redaction {
  readonly #search: SecretSearch;
  readonly #harmless: HarmlessTexts | undefined;
  /** Copies by original, so that cycles and shared parts stay what they are. */
  readonly #copies = new Map<object, unknown>();
  readonly #hidden = new Set<object>();

  constructor(search: SecretSearch, harmless: HarmlessTexts | undefined) {
    this.#search = search;
    this.#harmless = harmless;
  }

  value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
      case 'bigint':
        return this.#number(value);
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        return value;
    }
  }

  text(text: string): string {
    if (this.#harmless === undefined || text.length > LONGEST_HARMLESS) return this.#cleaned(text);
    if (this.#harmless.has(text)) return text;
    const clean = this.#cleaned(text);
    if (clean === text) this.#harmless.add(text);
    return clean;
  }

  #cleaned(text: string): string {
    let clean = this.#embeddedJson(text);
    clean = maskRanges(clean, credentialRanges(clean), this.#search.mask);
    for (let round = 0; round < 4; round++) {
      const ranges = this.#search.rangesIn(clean);
      if (ranges.length === 0) return clean;
      clean = maskRanges(clean, ranges, this.#search.mask);
    }
    return this.#search.rangesIn(clean).length === 0 ? clean : this.#search.mask;
  }

  #embeddedJson(text: string): string {
    if (!/^\s*[[{]/.test(text) || text.length > MAX_EMBEDDED_JSON) return text;
    try {
      const parsed: unknown = JSON.parse(text);
      const clean = new Redaction(this.#search, this.#harmless).value(parsed, 1);
      return clean === parsed ? text : JSON.stringify(clean);
    } catch {
      return text;
    }
  }

  #number(value: number | bigint): unknown {
    if (this.#search.empty) return value;
    const text = String(value);
    if (this.#harmless?.has(text)) return value;
    if (this.#search.rangesIn(text).length > 0) return this.#search.mask;
    // as a text it may look like a card number
    if (credentialRanges(text).length === 0) this.#harmless?.add(text);
    return value;
  }

  #object(object: object, depth: number): unknown {
    if (this.#copies.has(object)) return this.#copies.get(object);
    if (depth > MAX_DEPTH) return `${this.#search.mask} (nested too deeply)`;
    if (object instanceof Date || object instanceof RegExp) return object;
    if (object instanceof URL) return this.text(object.href);
    if (object instanceof Uint8Array) return this.#bytes(object);
    if (object instanceof Error) return this.#error(object, depth);
    if (object instanceof Map) return this.#map(object, depth);
    if (object instanceof Set) return new Set([...object].map((item) => this.value(item, depth + 1)));
    if (isNameValueIterable(object)) return this.#object(Object.fromEntries(object), depth);
    return Array.isArray(object) ? this.#array(object, depth) : this.#record(object, depth);
  }

  #array(array: readonly unknown[], depth: number): unknown {
    const copy: unknown[] = [];
    this.#copies.set(array, copy);
    const hidden = hiddenItems(array);
    for (const [index, item] of array.entries()) {
      copy.push(hidden.has(index) ? this.hidden(item, depth + 1) : this.value(item, depth + 1));
    }
    return this.#unlessSame(
      array,
      copy,
      copy.some((item, index) => item !== array[index]),
    );
  }

  #record(object: object, depth: number): unknown {
    const copy: Record<string, unknown> = {};
    this.#copies.set(object, copy);
    const hiddenKey = valueKeyOfPair(object);
    // keys that were masked look alike
    const unused = unusedNames(
      (name) => Object.hasOwn(copy, name),
      (name, count) => `${name} (${count})`,
    );
    let changed = false;
    for (const key of Object.keys(object)) {
      const value = read(object, key);
      const clean = this.#property(key, value, key === hiddenKey, depth);
      const cleanKey = unused(this.text(key));
      changed ||= clean !== value || cleanKey !== key;
      if (cleanKey !== '__proto__') copy[cleanKey] = clean;
      else Object.defineProperty(copy, cleanKey, { value: clean, ...PLAIN });
    }
    return this.#unlessSame(object, copy, changed);
  }

  #property(key: string, value: unknown, hide: boolean, depth: number): unknown {
    if (hide || (hidesValue(key, value) && !isSchema(value))) return this.hidden(value, depth + 1);
    if (/headers?$/i.test(key) && isFlatPairs(value))
      return value.map((item, index) =>
        index % 2 === 1 && hidesValue(value[index - 1]!, item)
          ? this.#search.mask
          : this.value(item, depth + 2),
      );
    return this.value(value, depth + 1);
  }

  /** Nothing of the value stays but its shape. */
  hidden(value: unknown, depth: number): unknown {
    if (value === null || value === undefined || typeof value === 'boolean' || value === '') return value;
    if (typeof value !== 'object' || depth > MAX_DEPTH || this.#hidden.has(value)) return this.#search.mask;
    this.#hidden.add(value);
    if (Array.isArray(value)) return value.map((item) => this.hidden(item, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype) return this.#search.mask;
    return Object.fromEntries(
      Object.keys(value).map((key) => [this.text(key), this.hidden(read(value, key), depth + 1)]),
    );
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): unknown {
    const copy = new Map<unknown, unknown>();
    this.#copies.set(map, copy);
    for (const [key, value] of map) {
      const hide = typeof key === 'string' && hidesValue(key, value);
      copy.set(
        this.value(key, depth + 1),
        hide ? this.hidden(value, depth + 1) : this.value(value, depth + 1),
      );
    }
    return copy;
  }

  /** An error of the same class; message, stack, cause and own properties are cleaned like any other. */
  #error(error: Error, depth: number): unknown {
    const copy: Error = Object.create(Object.getPrototypeOf(error));
    this.#copies.set(error, copy);
    let changed = false;
    for (const key of new Set([...Object.getOwnPropertyNames(error), 'message', 'stack'])) {
      const value = read(error, key);
      if (value === undefined) continue;
      const clean = this.#property(key, value, false, depth);
      changed ||= clean !== value;
      const enumerable = Object.getOwnPropertyDescriptor(error, key)?.enumerable ?? false;
      Object.defineProperty(copy, key, { value: clean, enumerable, writable: true, configurable: true });
    }
    return this.#unlessSame(error, copy, changed);
  }

  #bytes(bytes: Uint8Array): unknown {
    const text = decodeUtf8(bytes);
    const clean = text === undefined ? undefined : this.text(text);
    if (text !== undefined) return clean === text ? bytes : Buffer.from(clean!, 'utf8');
    const binary = Buffer.from(bytes).toString('latin1');
    return this.#search.rangesIn(binary).length === 0 ? bytes : this.#search.mask;
  }

  #unlessSame(original: object, copy: unknown, changed: boolean): unknown {
    if (changed) return copy;
    this.#copies.set(original, original);
    return original;
  }
}

/** Positions whose values go because of the name before them: `[name, value]` pairs and flat header lists. */
function hiddenItems(array: readonly unknown[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  if (array.length < 2 || array.length % 2 !== 0 || typeof array[0] !== 'string') return hidden;
  const isPair = array.length === 2;
  for (let index = 0; index < array.length; index += 2) {
    const name = array[index];
    if (typeof name !== 'string' || !/^[\w-]{1,100}$/.test(name)) return new Set();
    if ((isPair || isHeaderName(name)) && hidesValue(name, array[index + 1]) && !isNameOnly(array))
      hidden.add(index + 1);
  }
  return hidden;
}

/** `["password", "email"]` is a list of names, `["password", "x1!"]` and `["Cookie", "a=b"]` are pairs. */
function isNameOnly(array: readonly unknown[]): boolean {
  return (
    !isHeaderName(String(array[0])) &&
    array.every((item) => typeof item === 'string' && /^[a-z_]+$/i.test(item))
  );
}

function isHeaderName(name: string): boolean {
  return name.includes('-') || /^(?:authorization|cookie)$/i.test(name);
}

function isFlatPairs(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length % 2 === 0 && value.every((item) => typeof item === 'string');
}

/** `{ name: "Authorization", value: "…" }`: the key whose value goes. */
function valueKeyOfPair(object: object): string | undefined {
  const keys = Object.keys(object);
  const valueKey = keys.find((key) => /^(?:value|val|values|content|data|text)$/i.test(key));
  if (valueKey === undefined) return undefined;
  const named = keys.some((key) => {
    const name =
      /^(?:name|key|k|id|header|headername|field|fieldname|param|parameter|property)$/i.test(key) &&
      read(object, key);
    return typeof name === 'string' && hidesValue(name, read(object, valueKey));
  });
  return named ? valueKey : undefined;
}

const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const SCHEMA_KEYS = new Set(
  'type format title description minLength maxLength pattern writeOnly readOnly deprecated nullable'.split(
    ' ',
  ),
);

/** A JSON Schema that describes a secret holds none. */
function isSchema(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { type } = value as { type?: unknown };
  return (
    typeof type === 'string' &&
    SCHEMA_TYPES.has(type) &&
    Object.keys(value).every((key) => SCHEMA_KEYS.has(key))
  );
}

/** Headers, URLSearchParams. Told by tag: naming the globals would load all of Node's fetch. */
function isNameValueIterable(object: object): object is Iterable<readonly [string, string]> {
  return /^\[object (?:Headers|URLSearchParams|FormData)]$/.test(Object.prototype.toString.call(object));
}

/** A getter that throws costs its own value only. */
function read(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
