import { escapeToken, isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import type { References, Target } from '../read/references.ts';
import { plainText } from '../texts.ts';
import { closesAPart, hasParts, isClosedPart, isComposed } from './all-of.ts';
import { isBinarySchema } from './binary.ts';
import { DefinitionStore } from './definition-store.ts';
import { breakLoops, type Definition, type InPlaceReference } from './definitions.ts';
import { derivedOf } from './derived.ts';
import { describeAlso, describeBinary, describeByte, describeValues } from './descriptions.ts';
import { discriminatedValues } from './discriminator.ts';
import { finishSchema, type Misfit } from './finish.ts';
import { type Direction, HiddenProperties } from './hidden-properties.ts';
import { invalidKeyword, isUnsaidList } from './keyword-values.ts';
import { KEYWORDS, type KeywordKind } from './keywords.ts';
import { meantSchema } from './meant-schema.ts';
import { hasIdleBranch } from './one-of.ts';
import { isPattern } from './pattern.ts';
import { INVALID, readPlainKeyword } from './plain-keywords.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/** Steps of the path inside one node; schemas below are left open. */
const MAX_DEPTH = 200;

/** A converted schema and the definitions that it names directly. */
export interface ConvertedSchema {
  readonly schema: Json;
  readonly uses: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * OpenAPI schemas as portable JSON Schema 2020-12. Every referenced schema is converted once and shared by all
 * tools as a definition; `$ref` stays, as `#/$defs/Name`. One converter works in one direction, because requests
 * lose readOnly properties and responses lose writeOnly ones.
 */
export class SchemaConverter {
  readonly #references: References;
  readonly #log: DiagnosticLog;
  readonly #direction: Direction;
  /** OpenAPI 3.1, which is JSON Schema: keywords beside `$ref` count, and lists need no `items`. */
  readonly #siblings: boolean;
  readonly #hidden: HiddenProperties;
  readonly #dialect: SchemaDialect | undefined;
  readonly #roots = new Map<object, ConvertedSchema>();
  readonly #definitions = new DefinitionStore();
  readonly #pending: { readonly name: string; readonly target: Target; readonly asPart: boolean }[] = [];
  #uses = new Set<string>();
  #inPlace: InPlaceReference[] = [];
  #base = '#';
  #isDefinition = false;
  readonly #path: (string | number)[] = [];

  constructor(
    references: References,
    log: DiagnosticLog,
    direction: Direction,
    siblings: boolean,
    dialect?: SchemaDialect,
  ) {
    this.#references = references;
    this.#log = log;
    this.#direction = direction;
    this.#siblings = siblings;
    this.#dialect = dialect;
    this.#hidden = new HiddenProperties(references, direction, dialect);
  }

  /** A schema that stands in an operation. The result is shared: never change it. */
  convert(node: unknown, pointer: string): ConvertedSchema {
    if (!isObject(node)) return { schema: this.#root(node, pointer).schema, uses: NOTHING };
    const known = this.#roots.get(node);
    if (known !== undefined) return known;
    const converted = this.#root(node, pointer);
    this.#roots.set(node, converted);
    this.#isDefinition = true;
    this.#drain();
    this.#isDefinition = false;
    return converted;
  }

  /** `$defs` with everything that can be reached from these names; undefined where there is nothing. */
  definitions(names: Iterable<string>): JsonObject | undefined {
    return this.#definitions.closure(names);
  }

  /** The converted definition behind `#/$defs/NAME`. */
  definition(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }

  /** Every definition made so far, by name. */
  all(): ReadonlyMap<string, Definition> {
    return this.#definitions.all;
  }

  /** True for a property that this direction does not carry. */
  hides(property: unknown, pointer: string): boolean {
    return this.#hidden.hides(property, pointer);
  }

  #root(node: unknown, pointer: string, asPart = false): ConvertedSchema {
    this.#uses = new Set();
    this.#inPlace = [];
    this.#base = pointer;
    this.#path.length = 0;
    const schema = this.#schema(node, true, asPart);
    return { schema, uses: this.#uses };
  }

  /** Converts what was named but not yet reached; a queue, because chains of references may be long. */
  #drain(): void {
    const fresh: Definition[] = [];
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const { schema, uses } = this.#root(next.target.node, next.target.pointer, next.asPart);
      const definition = {
        name: next.name,
        schema,
        uses,
        inPlace: this.#inPlace,
        pointer: next.target.pointer,
      };
      this.#definitions.set(definition);
      fresh.push(definition);
    }
    if (fresh.length > 0) breakLoops(fresh, this.#definitions.all, this.#log);
  }

  /** `key`: the keyword meant, where it is not the schema as a whole. */
  readonly #report = (code: string, message: string, key?: string): void => {
    const steps = key === undefined ? this.#path : [...this.#path, key];
    const tail = steps.map((step) => `/${escapeToken(step)}`).join('');
    this.#log.report(code, 'warning', message, `${this.#base}${tail}`);
  };

  readonly #misfit: Misfit = (key, message) => this.#report('keyword-invalid', message, key);

  /** `asPart`: what it says of further properties is not said of the whole that it is a part of. */
  #schema(declared: unknown, inPlace: boolean, asPart = false): Json {
    if (typeof declared === 'boolean') return declared;
    const node = isObject(declared)
      ? meantSchema(this.#references, this.#dialect?.refine(declared) ?? declared, this.#report)
      : declared;
    if (!isObject(node)) {
      this.#report('schema-invalid', 'A schema must be an object; anything is accepted here.');
      return {};
    }
    if (this.#path.length > MAX_DEPTH) {
      this.#report('schema-too-deep', `Schemas more than ${MAX_DEPTH} steps deep are left open.`);
      return {};
    }
    if (typeof node.$ref === 'string') return this.#reference(node, node.$ref, inPlace, asPart);
    if (typeof node.$dynamicRef === 'string') return this.#dynamicReference(node, node.$dynamicRef, inPlace);
    if (node.$ref !== undefined && node.$ref !== null) this.#invalid('$ref');
    const out: JsonObject = {};
    this.#keywords(node, out, inPlace, asPart);
    return this.#finish(node, out);
  }

  #finish(node: JsonObject, out: JsonObject): Json {
    if (this.#direction === 'request') {
      if (isBinarySchema(node)) describeBinary(out, node);
      else if (out.format === 'byte') describeByte(out);
      else describeValues(out, node);
      if (node.discriminator !== undefined) describeAlso(out, discriminatedValues(this.#references, node));
    }
    return finishSchema(node, out, this.#misfit);
  }

  #keywords(node: JsonObject, out: JsonObject, inPlace: boolean, asPart = false): void {
    const isOpen = node.additionalProperties !== undefined && closesAPart(node) && (asPart || hasParts(node));
    for (const key in node) {
      const kind = KEYWORDS.get(key);
      if (kind === undefined || (isOpen && key === 'additionalProperties')) continue;
      const value = node[key]!;
      if (value === null && kind !== 'value') continue;
      const converted = this.#keyword(kind, key, value, node, inPlace, asPart);
      if (converted === undefined) continue;
      if (key === 'oneOf' && this.#hasIdleBranch(node)) out.anyOf = converted;
      else out[key] = converted;
    }
  }

  #hasIdleBranch({ oneOf, anyOf }: JsonObject): boolean {
    if (this.#direction !== 'request' || anyOf !== undefined || !Array.isArray(oneOf)) return false;
    if (!hasIdleBranch(this.#references, oneOf)) return false;
    const message =
      'What one branch describes fits another, too, so that nothing of it would pass; any may fit.';
    this.#report('branches-overlap', message, 'oneOf');
    return true;
  }

  #keyword(
    kind: KeywordKind,
    key: string,
    value: Json,
    node: JsonObject,
    inPlace: boolean,
    asPart: boolean,
  ): Json | undefined {
    switch (kind) {
      case 'required':
        if (typeof value === 'boolean' && this.#isMember()) return undefined;
        return Array.isArray(value) ? this.#required(value, node) : this.#invalid(key);
      case 'properties':
        return isObject(value) ? this.#properties(value, node.required) : this.#invalid(key);
      case 'schemas':
        return isObject(value) ? this.#schemas(key, value, inPlace) : this.#invalid(key);
      case 'schema':
        return this.#at(key, value, false);
      case 'items':
        return this.#items(key, value);
      case 'in-place':
        return this.#at(key, value, inPlace);
      case 'in-place-list':
        return Array.isArray(value)
          ? this.#list(key, value, inPlace, key === 'allOf' && (asPart || isComposed(node)))
          : this.#invalid(key);
      default: {
        const plain = readPlainKeyword(kind, key, value, node);
        return plain === INVALID ? this.#invalid(key) : plain;
      }
    }
  }

  #invalid(key: string): undefined {
    this.#misfit(key, invalidKeyword(key));
    return undefined;
  }

  #at(key: string | number, value: Json, inPlace: boolean, asPart = false): Json {
    this.#path.push(key);
    const converted = this.#schema(value, inPlace, asPart);
    this.#path.pop();
    return converted;
  }

  #list(key: string, value: Json[], inPlace: boolean, asParts = false): Json | undefined {
    if (value.length === 0) return undefined;
    this.#path.push(key);
    const converted = value.map((item, index) => this.#at(index, item, inPlace, asParts));
    this.#path.pop();
    return converted;
  }

  #items(key: string, value: Json): Json | undefined {
    if (key === 'items' && !this.#siblings && isUnsaidList(value)) {
      const message =
        'Lists without `items`, as the items of a list, say nothing of them; any may stand there.';
      this.#report('items-unsaid', message, key);
      return {};
    }
    return Array.isArray(value) ? this.#list(key, value, false) : this.#at(key, value, false);
  }

  #schemas(key: string, value: JsonObject, inPlace: boolean): Json {
    const out: JsonObject = {};
    const apply = key === 'dependentSchemas' && inPlace;
    this.#path.push(key);
    for (const name of Object.keys(value)) {
      if (UNSAFE_KEYS.has(name) || (key === 'patternProperties' && !isPattern(name))) {
        this.#report(
          'keyword-invalid',
          `${JSON.stringify(name)} cannot be used in \`${key}\`; it is left out.`,
        );
      } else out[name] = this.#at(name, value[name]!, apply);
    }
    this.#path.pop();
    return out;
  }

  #properties(value: JsonObject, required: Json | undefined): Json {
    const out: JsonObject = {};
    const needed = Array.isArray(required) ? required : [];
    this.#path.push('properties');
    for (const name of Object.keys(value)) {
      const property = value[name]!;
      if (UNSAFE_KEYS.has(name)) this.#report('property-refused', `A property named ${name} is left out.`);
      else if (!this.#hidden.hidesBelow(property, needed.includes(name), this.#base))
        out[name] = this.#at(name, property, false);
    }
    this.#path.pop();
    return out;
  }

  /** What a member says of itself its object has taken over. */
  #isMember(): boolean {
    if (this.#path.length > 0) return this.#path.at(-2) === 'properties';
    return /\/properties\/[^/]+$/.test(this.#base);
  }

  #required(value: Json[], node: JsonObject): Json | undefined {
    const names = new Set<string>();
    for (const name of value) {
      if (
        typeof name === 'string' &&
        !UNSAFE_KEYS.has(name) &&
        !this.#hidden.hidesRequired(node, name, this.#base)
      )
        names.add(name);
    }
    return names.size === 0 ? undefined : [...names];
  }

  #reference(node: JsonObject, reference: string, inPlace: boolean, asPart = false): Json {
    const target = this.#references.resolve(reference);
    if (target === undefined) {
      this.#report('reference-broken', `Nothing is found at ${reference}; anything is accepted here.`);
      return this.#siblings ? this.#beside(node, {}, inPlace) : {};
    }
    if (typeof target.node === 'boolean') return target.node;
    const isPart =
      (asPart || (this.#siblings && isComposed(node))) && isClosedPart(this.#references, target.node);
    const base = this.#named(target, isPart, inPlace);
    return this.#beside(node, asPart ? base : this.#withDerived(node, target, base, inPlace), inPlace);
  }

  #named(target: Target, asPart: boolean, inPlace: boolean): JsonObject {
    const out: JsonObject = { $ref: `#/$defs/${this.#use(target, asPart)}` };
    if (inPlace) this.#inPlace.push({ target: out.$ref as string, node: out });
    return out;
  }

  /** A caller that shall give one of them has to know what they are; in place of a definition it could be a circle. */
  #withDerived(node: JsonObject, target: Target, base: JsonObject, inPlace: boolean): JsonObject {
    if (this.#direction !== 'request' || (inPlace && this.#isDefinition) || node.anyOf !== undefined)
      return base;
    const derived = derivedOf(this.#references, target.node);
    if (derived.length === 0) return base;
    return { anyOf: [...derived.map((one) => this.#named(one, false, inPlace)), base] };
  }

  #dynamicReference(node: JsonObject, reference: string, inPlace: boolean): Json {
    if (!this.#references.isOpen(reference)) return this.#reference(node, reference, inPlace);
    this.#report(
      'reference-dynamic',
      `What ${reference} means depends on the schema that leads here; anything is accepted here.`,
    );
    return this.#beside(node, {}, inPlace);
  }

  /** Before OpenAPI 3.1 only the texts and null beside a reference are heeded: that is what their authors meant. */
  #beside(node: JsonObject, out: JsonObject, inPlace: boolean): Json {
    if (this.#siblings) {
      this.#keywords(node, out, inPlace);
      return this.#finish(node, out);
    }
    const description = plainText(node.description);
    if (description !== '') out.description = description;
    if (node.nullable !== true && node['x-nullable'] !== true) return out;
    return finishSchema({ nullable: true, $ref: '' }, out, this.#misfit);
  }

  #use(target: Target, asPart: boolean): string {
    const { name, fresh } = this.#definitions.claim(target, asPart);
    if (fresh) this.#pending.push({ name, target, asPart });
    this.#uses.add(name);
    return name;
  }
}
