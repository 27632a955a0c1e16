import type { Json, JsonObject } from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';

/** Takes secrets out of a value; returns it as it came where there is nothing to hide. */
export type Redact = <T>(value: T) => T;

/** Characters of one text that are shown. */
const TEXT = 200;
/** Characters of one text that are looked at: a secret that begins in what is shown ends in it. */
const LOOKED_AT = 8192;
/** Members of one object and items of one array; even, so that header lists stay pairs. */
const MEMBERS = 50;
const DEPTH = 6;
/** Characters of the whole preview as JSON. */
const TOTAL = 2048;
/** Characters that are looked at altogether. */
const BUDGET = 65_536;

/** Stands for what was left out; with it the preview says that it is none of the whole. */
export const LEFT_OUT = '…';

/**
 * The arguments of a call for its start event: bounded first, then redacted, then cut, so that neither large nor
 * secret arguments reach an event. At most about 2 KB.
 */
export function previewInput(input: JsonObject, redact: Redact): JsonObject {
  const bound = new Bound();
  const bounded = bound.value(input, 0) as JsonObject;
  const clean = redact(bounded);
  if (clean === input && !bound.long) return input;
  const cut = new Cut();
  const preview = cut.object(clean);
  return bound.lost || cut.lost ? { ...preview, [LEFT_OUT]: 'cut' } : preview;
}

/** A copy within depth, width and budget, or the value itself where it fits. */
class Bound {
  lost = false;
  /** Something may be longer than what is shown. */
  long = false;
  #left = BUDGET;
  #size = 2;

  value(value: Json, depth: number): Json {
    if (typeof value === 'string') return this.#text(value);
    this.#count(8);
    if (value === null || typeof value !== 'object') return value;
    if (depth >= DEPTH || this.#left <= 0) return this.#lose();
    return Array.isArray(value) ? this.#array(value, depth) : this.#object(value as JsonObject, depth);
  }

  #text(text: string): string {
    if (this.#left <= 0) return this.#lose();
    this.#count(text.length + 3);
    if (text.length > TEXT) this.long = true;
    this.#left -= Math.min(text.length, LOOKED_AT) + 8;
    if (text.length <= LOOKED_AT) return text;
    this.lost = true;
    // half a JSON text does not show which of its values are secret by name
    return /^\s*[[{]/.test(text) ? `(${text.length} characters of JSON)` : text.slice(0, LOOKED_AT);
  }

  #array(items: readonly Json[], depth: number): Json {
    if (items.length > MEMBERS) this.#loseSome();
    let copy: Json[] | undefined = items.length > MEMBERS ? items.slice(0, MEMBERS) : undefined;
    for (let index = 0; index < Math.min(items.length, MEMBERS); index++) {
      const item = items[index] as Json;
      const bounded = this.value(item, depth + 1);
      if (bounded === item) continue;
      copy ??= [...items];
      copy[index] = bounded;
    }
    return copy ?? (items as Json);
  }

  #object(object: JsonObject, depth: number): Json {
    const keys = Object.keys(object);
    let copy: Record<string, Json> | undefined;
    if (keys.length > MEMBERS || keys.some((key) => key.length > TEXT)) {
      this.#loseSome();
      keys.length = Math.min(keys.length, MEMBERS);
      copy = {};
      for (const key of keys) if (key.length <= TEXT) define(copy, key, object[key] as Json);
    }
    for (const key of keys) {
      if (key.length > TEXT) continue;
      this.#count(key.length + 4);
      const member = object[key] as Json;
      const bounded = this.value(member, depth + 1);
      if (bounded === member) continue;
      copy ??= { ...object };
      define(copy, key, bounded);
    }
    return copy ?? object;
  }

  #count(characters: number): void {
    this.#size += characters;
    if (this.#size > TOTAL) this.long = true;
  }

  #loseSome(): void {
    this.lost = true;
    this.long = true;
  }

  #lose(): string {
    this.#loseSome();
    return LEFT_OUT;
  }
}

/** Copies until the total is reached; what comes later is left out. */
class Cut {
  lost = false;
  #left = TOTAL - 16;

  object(object: JsonObject): JsonObject {
    const copy: Record<string, Json> = {};
    for (const [key, value] of Object.entries(object)) {
      this.#left -= JSON.stringify(key).length + 2;
      if (this.#left <= 0) {
        this.lost = true;
        break;
      }
      define(copy, key, this.#value(value));
    }
    return copy;
  }

  #value(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (value === null || typeof value !== 'object') {
      this.#left -= String(value).length + 1;
      return value;
    }
    this.#left -= 3;
    if (!Array.isArray(value)) return this.object(value as JsonObject);
    const copy: Json[] = [];
    for (const item of value) {
      if (this.#left <= 1) {
        this.lost = true;
        break;
      }
      copy.push(this.#value(item));
    }
    return copy;
  }

  #text(text: string): string {
    const most = Math.max(0, Math.min(TEXT, this.#left - 4));
    const shown = text.length > most ? `${cutText(text, most)}… (${text.length} characters)` : text;
    if (shown !== text) this.lost = true;
    this.#left -= JSON.stringify(shown).length;
    return shown;
  }
}

/** Also for a member named `__proto__`. */
function define(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
