import { escapeToken, isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../operations/index.ts';
import { kindOf } from './schema-keywords.ts';

/** How large a schema may be. Generous for real ones: hundreds of properties, a dozen levels. */
export interface SchemaBudget {
  /** Schemas, counted where they stand. */
  readonly schemas: number;
  /** Schemas inside each other. */
  readonly depth: number;
  /** Values in enums, defaults, examples, name lists and unknown keywords, with everything inside them. */
  readonly values: number;
  readonly references: number;
  /** Schemas applied to one value through allOf, anyOf, oneOf, not, if and references, all expanded. */
  readonly alternatives: number;
  /** Characters of one text, one name, one regular expression, and of everything together. */
  readonly text: number;
  readonly name: number;
  readonly pattern: number;
  readonly total: number;
}

export const DEFAULT_BUDGET: SchemaBudget = Object.freeze({
  schemas: 12_000,
  depth: 200,
  values: 50_000,
  references: 5000,
  alternatives: 10_000,
  text: 100_000,
  name: 1024,
  pattern: 4096,
  total: 4_000_000,
});

/** Why a schema cannot be used at all. Stays inside the compiler. */
export class SchemaRefused extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** A `$id` and the schema it names. */
export interface Resource {
  readonly uri: string | undefined;
  readonly pointer: string;
  readonly parent: Resource | undefined;
}

/** What a first look at a schema found; nothing was changed yet. */
export interface Survey {
  readonly resources: readonly Resource[];
  /** Resource of each schema that holds a reference. */
  readonly resourceOf: ReadonlyMap<object, Resource>;
  /** `<resource pointer>#<anchor>` → pointer of the schema; undefined where several have the name. */
  readonly anchors: ReadonlyMap<string, string | undefined>;
  /** Annotations that cannot be kept, by the schema they stand in. */
  readonly drops: ReadonlyMap<object, ReadonlyMap<string, string>>;
  /** Every regular expression. */
  readonly patterns: ReadonlySet<string>;
}

/** `$id: '#name'` of drafts 6 and 7, `id: '#name'` of draft 4; `#/…` is a pointer. */
const OLDER_ANCHOR = /^#[A-Za-z_][\w.:-]*$/;

interface Frame {
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly depth: number;
  readonly resource: Resource;
}

/**
 * Walks a schema without recursion and throws SchemaRefused as soon as a budget is spent; so the rest of the
 * compiler may recurse. A schema that contains itself in memory ends at the depth limit.
 */
export function surveySchema(root: JsonObject, budget: SchemaBudget): Survey {
  const survey = new Surveyor(budget);
  survey.walk(root);
  return survey;
}

class Surveyor implements Survey {
  readonly resources: Resource[] = [{ uri: undefined, pointer: '#', parent: undefined }];
  readonly resourceOf = new Map<object, Resource>();
  readonly anchors = new Map<string, string | undefined>();
  readonly drops = new Map<object, Map<string, string>>();
  readonly patterns = new Set<string>();
  readonly #budget: SchemaBudget;
  readonly #stack: Frame[] = [];
  #schemas = 0;
  #values = 0;
  #references = 0;
  #total = 0;

  constructor(budget: SchemaBudget) {
    this.#budget = budget;
  }

  walk(root: JsonObject): void {
    this.#stack.push({ schema: root, pointer: '#', depth: 0, resource: this.resources[0]! });
    for (let frame = this.#stack.pop(); frame !== undefined; frame = this.#stack.pop()) this.#visit(frame);
  }

  #visit(frame: Frame): void {
    const { schema, pointer, depth } = frame;
    if (++this.#schemas > this.#budget.schemas)
      throw new SchemaRefused(pointer, `it holds more than ${this.#budget.schemas} schemas`);
    if (depth > this.#budget.depth)
      throw new SchemaRefused(shorten(pointer), `it is nested deeper than ${this.#budget.depth} levels`);
    const within = { ...frame, resource: this.#enterResource(frame) };
    for (const id of [schema['$id'], schema['id']]) this.#olderAnchor(id, within);
    for (const keyword of Object.keys(schema)) {
      this.#name(keyword, pointer);
      if (!UNSAFE_KEYS.has(keyword)) this.#keyword(keyword, schema[keyword]!, within);
    }
  }

  #keyword(keyword: string, value: Json, frame: Frame): void {
    const kind = kindOf(keyword);
    const place = `${frame.pointer}/${escapeToken(keyword)}`;
    if (kind === 'reference') {
      if (++this.#references > this.#budget.references)
        throw new SchemaRefused(place, `it holds more than ${this.#budget.references} references`);
      this.resourceOf.set(frame.schema, frame.resource);
    }
    if (kind === 'anchor' && typeof value === 'string') this.#anchor(value, frame);
    if (kind === 'pattern' && typeof value === 'string') this.patterns.add(value);
    if (typeof value === 'string') {
      this.#count(value.length, place);
      if (kind === 'text' && value.length > this.#budget.text)
        this.#drop(frame.schema, keyword, `a text of ${value.length} characters`);
    } else if (typeof value === 'number' && kind === 'annotation' && !Number.isFinite(value)) {
      this.#drop(frame.schema, keyword, 'an infinite number');
    } else if (value !== null && typeof value === 'object') this.#children(keyword, value, place, frame);
  }

  #children(keyword: string, value: Json[] | JsonObject, place: string, frame: Frame): void {
    const kind = kindOf(keyword);
    if (Array.isArray(value) && (kind === 'schemas' || keyword === 'items')) {
      for (let index = 0; index < value.length; index++) this.#push(value[index], `${place}/${index}`, frame);
    } else if (kind === 'schema') this.#push(value, place, frame);
    else if (kind === 'schema-map' || kind === 'pattern-map' || kind === 'dependencies') {
      for (const name of Object.keys(value)) {
        this.#name(name, place);
        if (kind === 'pattern-map') this.patterns.add(name);
        const member = (value as JsonObject)[name];
        if (Array.isArray(member)) this.#value(member, place, undefined);
        else if (name !== '__proto__') this.#push(member, `${place}/${escapeToken(name)}`, frame);
      }
    } else {
      const reason = this.#value(value, place, kind === 'annotation' ? 'drop' : undefined);
      if (reason !== undefined) this.#drop(frame.schema, keyword, reason);
    }
  }

  #push(schema: unknown, pointer: string, { depth, resource }: Frame): void {
    if (isObject(schema)) this.#stack.push({ schema, pointer, depth: depth + 1, resource });
    else if (typeof schema === 'boolean' && ++this.#schemas > this.#budget.schemas)
      throw new SchemaRefused(pointer, `it holds more than ${this.#budget.schemas} schemas`);
  }

  /** Counts a JSON value. Gives a reason to drop it where it may be dropped, otherwise refuses. */
  #value(value: Json, place: string, mode: 'drop' | undefined): string | undefined {
    const complain = (reason: string): string => {
      if (mode === undefined) throw new SchemaRefused(place, `it holds ${reason}`);
      return reason;
    };
    let level: Json[] = [value];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > this.#budget.depth)
        return complain(`a value nested deeper than ${this.#budget.depth} levels`);
      const next: Json[] = [];
      for (const item of level) {
        if (++this.#values > this.#budget.values)
          throw new SchemaRefused(place, `it holds more than ${this.#budget.values} values`);
        if (typeof item === 'string') this.#count(item.length, place);
        else if (typeof item === 'number' && !Number.isFinite(item)) return complain('an infinite number');
        else if (Array.isArray(item)) for (const child of item) next.push(child);
        else if (item !== null && typeof item === 'object') {
          for (const key of Object.keys(item)) {
            if (UNSAFE_KEYS.has(key)) return complain(`the key ${key}`);
            this.#count(key.length, place);
            next.push(item[key]!);
          }
        }
      }
      level = next;
    }
    return undefined;
  }

  #enterResource({ schema, pointer, resource }: Frame): Resource {
    const id = schema['$id'];
    if (typeof id !== 'string' || id.startsWith('#')) return resource;
    const entered: Resource = { uri: resolveUri(id, baseOf(resource)), pointer, parent: resource };
    this.resources.push(entered);
    return entered;
  }

  #anchor(name: string, { resource, pointer }: Frame): void {
    const key = `${resource.pointer}#${name}`;
    this.anchors.set(key, this.anchors.has(key) && this.anchors.get(key) !== pointer ? undefined : pointer);
  }

  /** Until draft 7 an id that is a fragment alone. */
  #olderAnchor(id: Json | undefined, frame: Frame): void {
    if (typeof id === 'string' && OLDER_ANCHOR.test(id)) this.#anchor(id.slice(1), frame);
  }

  #name(name: string, place: string): void {
    if (name.length > this.#budget.name && !this.#isPatternPlace(place))
      throw new SchemaRefused(shorten(place), `a name has more than ${this.#budget.name} characters`);
    this.#count(name.length, place);
  }

  #isPatternPlace(place: string): boolean {
    return place.endsWith('/patternProperties');
  }

  #count(characters: number, place: string): void {
    this.#total += characters;
    if (this.#total > this.#budget.total)
      throw new SchemaRefused(shorten(place), `its texts have more than ${this.#budget.total} characters`);
  }

  #drop(schema: object, keyword: string, reason: string): void {
    const known = this.drops.get(schema) ?? new Map<string, string>();
    known.set(keyword, reason);
    this.drops.set(schema, known);
  }
}

/** The nearest absolute URI that a reference resolves against (RFC 3986 §5.1). */
export function baseOf(resource: Resource | undefined): string | undefined {
  for (let at = resource; at !== undefined; at = at.parent) if (at.uri !== undefined) return at.uri;
  return undefined;
}

/** A URI without its fragment; a relative one without a base stays as written. */
export function resolveUri(reference: string, base: string | undefined): string | undefined {
  const bare = reference.replace(/#.*$/s, '');
  if (bare === '') return base;
  if (base !== undefined && URL.canParse(bare, base)) return new URL(bare, base).href;
  return URL.canParse(bare) ? new URL(bare).href : bare;
}

/** The text of a fragment without its percent-encoding; undefined when that is broken. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function shorten(pointer: string): string {
  return pointer.length <= 200 ? pointer : `${pointer.slice(0, 200)}…`;
}
