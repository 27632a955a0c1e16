import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  parsePointer,
  UNSAFE_KEYS,
  valueAt,
} from '../operations/index.ts';
import { addTo, modernise, moveUnsafeNames, type Note } from './schema-dialects.ts';
import { hasMeaning, isKnownDialect, type KeywordKind, kindOf } from './schema-keywords.ts';
import {
  baseOf,
  decodeFragment,
  type Resource,
  resolveUri,
  SchemaRefused,
  type Survey,
} from './schema-survey.ts';

type Report = (pointer: string, message: string) => void;

/** What a keyword becomes: itself, another value, or nothing. */
const DROPPED = Symbol('dropped');
type Outcome = Json | typeof DROPPED;

/**
 * The schema with every reference as `#/…`, without `$id` and anchors, and without what has no meaning or cannot
 * be checked. Copy on write: untouched parts are the same objects. Depth and size were checked by the survey.
 */
export function rebuildSchema(
  root: JsonObject,
  survey: Survey,
  unsupported: ReadonlySet<string>,
  report: Report,
): JsonObject {
  return new Rebuilder(root, survey, unsupported, report).schema(root, '#');
}

class Rebuilder {
  readonly #root: JsonObject;
  readonly #survey: Survey;
  readonly #unsupported: ReadonlySet<string>;
  readonly #report: Report;
  readonly #pointerOf: ReadonlyMap<string, string | undefined>;
  /** Undefined: several have the name. */
  readonly #resources: ReadonlyMap<string, Resource | undefined>;

  constructor(root: JsonObject, survey: Survey, unsupported: ReadonlySet<string>, report: Report) {
    this.#root = root;
    this.#survey = survey;
    this.#unsupported = unsupported;
    this.#report = report;
    this.#pointerOf = survey.anchors;
    this.#resources = byUri(survey.resources);
  }

  schema(schema: JsonObject, pointer: string): JsonObject {
    const members = new Map<string, Json>();
    let changed = false;
    for (const keyword of Object.keys(schema)) {
      const outcome = this.#keyword(keyword, schema, `${pointer}/${escapeToken(keyword)}`);
      if (outcome !== schema[keyword]) changed = true;
      if (outcome !== DROPPED) members.set(keyword, outcome);
    }
    const note = (keyword: string, message: string) => {
      changed = true;
      this.#report(`${pointer}/${escapeToken(keyword)}`, message);
    };
    modernise(members, note);
    moveUnsafeNames(members, note);
    if (this.#unsupported.size > 0) this.#weaken(schema, members, note);
    return changed ? Object.fromEntries(members) : schema;
  }

  #keyword(keyword: string, schema: JsonObject, pointer: string): Outcome {
    const value = schema[keyword]!;
    if (UNSAFE_KEYS.has(keyword)) return this.#drop(pointer, `The key ${keyword} was removed.`);
    const reason = this.#survey.drops.get(schema)?.get(keyword);
    if (reason !== undefined) return this.#drop(pointer, `${keyword} was dropped: it holds ${reason}.`);
    if (keyword === '$schema') return this.#dialect(value, pointer);
    const kind = kindOf(keyword);
    if (kind === 'refused') return this.#drop(pointer, `${keyword} was removed.`);
    if (kind === 'anchor') return typeof value === 'string' ? DROPPED : this.#meaningless(keyword, pointer);
    if (kind === 'reference') return this.#reference(keyword, schema, pointer);
    if (kind === 'pattern' && typeof value === 'string' && this.#unsupported.has(value))
      return this.#drop(pointer, 'pattern was dropped: the linear-time engine cannot run it.');
    const nested = this.#nested(kind, keyword, value, pointer);
    if (nested !== undefined) return nested;
    if (hasMeaning(kind, keyword, value)) return value;
    if (kind === 'limit' && typeof value === 'boolean') return value;
    const once = Array.isArray(value) ? [...new Set(value)] : value;
    if ((kind === 'names' || kind === 'types') && hasMeaning(kind, keyword, once)) {
      this.#report(pointer, `${keyword} names something twice; once is enough.`);
      return once;
    }
    return this.#meaningless(keyword, pointer);
  }

  #nested(kind: KeywordKind, keyword: string, value: Json, pointer: string): Outcome | undefined {
    if (keyword === 'items' && Array.isArray(value)) return this.#list(value, pointer, keyword);
    if (kind === 'schema') return this.#subschema(value, pointer) ?? this.#meaningless(keyword, pointer);
    if (kind === 'schemas')
      return Array.isArray(value) && value.length > 0
        ? this.#list(value, pointer, keyword)
        : this.#meaningless(keyword, pointer);
    if (kind === 'schema-map' || kind === 'pattern-map' || kind === 'dependencies')
      return isObject(value) ? this.#map(kind, value, pointer) : this.#meaningless(keyword, pointer);
    return undefined;
  }

  #subschema(value: Json | undefined, pointer: string): Json | undefined {
    if (typeof value === 'boolean') return value;
    return isObject(value) ? this.schema(value, pointer) : undefined;
  }

  #list(values: Json[], pointer: string, keyword: string): Json[] {
    let copy: Json[] | undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index]!;
      const place = `${pointer}/${index}`;
      const rebuilt = this.#subschema(value, place);
      if (rebuilt === undefined)
        throw new SchemaRefused(place, `${keyword} holds something that is no schema`);
      if (rebuilt === value) continue;
      copy ??= [...values];
      copy[index] = rebuilt;
    }
    return copy ?? values;
  }

  #map(kind: KeywordKind, map: JsonObject, pointer: string): JsonObject {
    const members = new Map<string, Json>();
    let changed = false;
    for (const name of Object.keys(map)) {
      const value = map[name]!;
      const place = `${pointer}/${escapeToken(name)}`;
      const rebuilt = kind === 'dependencies' && Array.isArray(value) ? value : this.#subschema(value, place);
      if (name === '__proto__') this.#drop(place, 'The key __proto__ was removed.');
      else if (rebuilt === undefined) this.#drop(place, `${name.slice(0, 80)} was dropped: it is no schema.`);
      else if (kind === 'pattern-map' && this.#unsupported.has(name))
        this.#drop(place, 'The pattern was dropped: the linear-time engine cannot run it.');
      else members.set(name, rebuilt);
      if (members.get(name) !== value) changed = true;
    }
    return changed ? Object.fromEntries(members) : map;
  }

  #dialect(value: Json, pointer: string): Outcome {
    return isKnownDialect(value)
      ? DROPPED
      : this.#drop(pointer, '$schema was removed: its dialect is not known; the schema is read as 2020-12.');
  }

  /** Every reference as a pointer from the root, whatever `$id` and anchors said. */
  #reference(keyword: string, schema: JsonObject, pointer: string): Outcome {
    const reference = schema[keyword];
    if (typeof reference !== 'string') throw new SchemaRefused(pointer, 'a reference is no string');
    const shown = JSON.stringify(reference.slice(0, 200));
    const resource = this.#target(reference, this.#survey.resourceOf.get(schema)!, pointer);
    const fragment = decodeFragment(reference.slice(reference.indexOf('#') + 1 || reference.length));
    if (fragment === undefined) throw new SchemaRefused(pointer, `the reference ${shown} is no valid URI`);
    if (fragment === '' || fragment.startsWith('/')) {
      const place = [resource.pointer, ...parsePointer(fragment)!.map(escapeToken)].join('/');
      const renamed = pastTuples(place, this.#root);
      const isAsWritten = renamed === place && resource.pointer === '#' && reference.startsWith('#');
      return isAsWritten ? reference : asFragment(renamed);
    }
    const anchor = `${resource.pointer}#${fragment}`;
    const anchored = this.#pointerOf.get(anchor);
    if (anchored === undefined) {
      const why = this.#pointerOf.has(anchor) ? 'may mean several schemas' : 'leads nowhere';
      throw new SchemaRefused(pointer, `the reference ${shown} ${why}`);
    }
    return asFragment(pastTuples(anchored, this.#root));
  }

  /** What the reference stands in goes first: schemas that are written out twice, ids included, are each complete. */
  #target(reference: string, from: Resource, pointer: string): Resource {
    if (reference.startsWith('#')) return from;
    const uri = resolveUri(reference, baseOf(from)) ?? '';
    for (let around: Resource | undefined = from; around !== undefined; around = around.parent)
      if (around.uri === uri) return around;
    const target = this.#resources.get(uri);
    if (target !== undefined) return target;
    const why = this.#resources.has(uri) ? 'may mean several schemas' : 'leaves the document';
    throw new SchemaRefused(pointer, `the reference ${JSON.stringify(reference.slice(0, 200))} ${why}`);
  }

  /**
   * A dropped pattern makes its schema match more, and so `not`, `if` and `oneOf` around it match less, and
   * `additionalProperties` beside it apply to more. They give way too, so that nothing valid is refused.
   */
  #weaken(schema: JsonObject, members: Map<string, Json>, note: Note): void {
    const patterns = schema['patternProperties'];
    if (isObject(patterns) && Object.keys(patterns).some((pattern) => this.#unsupported.has(pattern))) {
      for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
        if (members.delete(keyword)) note(keyword, `${keyword} was dropped with the pattern beside it.`);
      }
    }
    for (const keyword of ['not', 'if'] as const) {
      if (!members.has(keyword) || !this.#isUncertain(schema[keyword])) continue;
      members.delete(keyword);
      if (keyword === 'if') for (const branch of ['then', 'else']) members.delete(branch);
      note(keyword, `${keyword} was dropped: it depends on a pattern that cannot be run.`);
    }
    const oneOf = members.get('oneOf');
    if (oneOf !== undefined && this.#isUncertain(schema['oneOf'])) {
      members.delete('oneOf');
      addTo(members, 'anyOf', oneOf);
      note('oneOf', 'oneOf is read as anyOf: it depends on a pattern that cannot be run.');
    }
  }

  /** Holds such a pattern, or a reference that may lead to one. */
  #isUncertain(value: Json | undefined): boolean {
    if (value === null || typeof value !== 'object') return false;
    if (Array.isArray(value)) return value.some((item) => this.#isUncertain(item));
    return Object.entries(value).some(
      ([key, member]) =>
        key === '$ref' ||
        this.#unsupported.has(key) ||
        (key === 'pattern' && typeof member === 'string' && this.#unsupported.has(member)) ||
        this.#isUncertain(member),
    );
  }

  #drop(pointer: string, message: string): typeof DROPPED {
    this.#report(pointer, message);
    return DROPPED;
  }

  #meaningless(keyword: string, pointer: string): typeof DROPPED {
    return this.#drop(pointer, `${keyword} was dropped: its value has no meaning there.`);
  }
}

function byUri(resources: readonly Resource[]): Map<string, Resource | undefined> {
  const found = new Map<string, Resource | undefined>();
  for (const resource of resources) {
    if (resource.uri !== undefined) found.set(resource.uri, found.has(resource.uri) ? undefined : resource);
  }
  return found;
}

/** Where a place stands once lists under `items` are `prefixItems`, and `additionalItems` beside them `items`. */
function pastTuples(pointer: string, root: JsonObject): string {
  let node: unknown = root;
  const tokens = parsePointer(pointer)!.map((token) => {
    const at = node;
    node = valueAt(at, [token]);
    if (!isObject(at) || !Array.isArray(at['items'])) return token;
    return token === 'items' ? 'prefixItems' : token === 'additionalItems' ? 'items' : token;
  });
  return ['#', ...tokens.map(escapeToken)].join('/');
}

/** A pointer as a URI fragment (RFC 6901 §6). */
function asFragment(pointer: string): string {
  return `#${encodeURI(pointer.slice(1)).replaceAll('#', '%23').replaceAll('?', '%3F')}`;
}
