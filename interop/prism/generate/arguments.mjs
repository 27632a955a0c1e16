import { mergeSchemas } from './merge-schema.mjs';
import { numberFor } from './numbers.mjs';
import { stringFor } from './strings.mjs';

/** Optional parts are written down to this depth, required ones as deep as they go. */
const OPTIONAL_DEPTH = 3;
const MAX_DEPTH = 30;
const MAX_REPAIRS = 80;
/** Alternatives tried at one place before an optional part is left out instead. */
const MAX_CHOICES = 8;

/** No value was found: the schema contradicts itself, never ends, or is beyond this generator. */
export class NoValue extends Error {}

/**
 * An argument set that `validate` (ajv on the same schema) accepts: every required argument, every optional one
 * at the top, about half of the optional ones below. Deterministic. Where the validator objects, another
 * alternative is taken or the optional part at that place left out, and it tries again.
 */
export function generateArguments(schema, validate) {
  const plan = { choices: new Map(), omitted: new Set() };
  for (let repair = 0; repair < MAX_REPAIRS; repair++) {
    const writer = new Writer(schema, plan);
    const value = writer.value(schema, '', 0, 0);
    if (validate(value)) return value;
    if (!amend(plan, writer, validate.errors)) break;
  }
  throw new NoValue(explain(validate.errors));
}

function amend(plan, writer, errors) {
  for (const { instancePath } of errors.toSorted((a, b) => b.instancePath.length - a.instancePath.length)) {
    for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
      const alternatives = writer.alternatives.get(path) ?? 1;
      const taken = plan.choices.get(path) ?? 0;
      if (taken + 1 < Math.min(alternatives, isOptional(writer, path) ? MAX_CHOICES : alternatives)) {
        plan.choices.set(path, taken + 1);
        return true;
      }
      if (writer.optional.has(path)) {
        plan.omitted.add(path);
        return true;
      }
      if (path === '') break;
    }
  }
  return false;
}

function isOptional(writer, path) {
  for (let place = path; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    if (writer.optional.has(place)) return true;
  }
  return false;
}

function explain(errors) {
  const first = errors?.[0];
  return first === undefined ? 'no value found' : `${first.instancePath || '/'} ${first.message}`;
}

class Writer {
  /** Instance path → number of alternatives there. */
  alternatives = new Map();
  /** Instance paths that may be left out. */
  optional = new Set();
  #root;
  #plan;

  constructor(root, plan) {
    this.#root = root;
    this.#plan = plan;
  }

  /** `n` makes values of one array differ. */
  value(raw, path, depth, n) {
    if (depth > MAX_DEPTH) throw new NoValue(`${path} never ends`);
    const schema = this.#flatten(raw, path, 0);
    if (schema === false) throw new NoValue(`${path} allows nothing`);
    if (schema === true) return stringFor({}, n);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#oneOf(schema.enum, schema, n);
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, path, depth, n);
      case 'array':
        return this.#array(schema, path, depth, n);
      case 'integer':
        return numberFor(schema, 'integer', n);
      case 'number':
        return numberFor(schema, 'number', n);
      case 'boolean':
        return n % 2 === 0;
      case 'null':
        return null;
      default:
        return stringFor(schema, n);
    }
  }

  #oneOf(values, schema, n) {
    const types = [schema.type ?? []].flat();
    const typed = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)));
    const useful = typed.filter((value) => value !== null && value !== '');
    const pool = useful.length > 0 ? useful : typed.length > 0 ? typed : values;
    return pool[n % pool.length];
  }

  #object(schema, path, depth, n) {
    const properties = schema.properties ?? {};
    const required = new Set(schema.required ?? []);
    const result = {};
    for (const [name, property] of Object.entries(properties)) {
      const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!required.has(name)) {
        if (this.#plan.omitted.has(place) || !wanted(place, depth)) continue;
        this.optional.add(place);
      }
      try {
        result[name] = this.value(property, place, depth + 1, n);
      } catch (error) {
        if (!(error instanceof NoValue) || required.has(name)) throw error;
      }
    }
    this.#furtherMembers(schema, result, required, path, depth, n);
    return result;
  }

  #furtherMembers(schema, result, required, path, depth, n) {
    const { additionalProperties: rest, minProperties = 0, propertyNames } = schema;
    const [patterned] = Object.entries(schema.patternProperties ?? {});
    const member = rest !== undefined && rest !== false ? rest : (patterned?.[1] ?? true);
    for (const name of required)
      if (!Object.hasOwn(result, name)) result[name] = this.value(member, `${path}/${name}`, depth + 1, n);
    const wantsOne = Object.keys(result).length === 0 && typeof rest === 'object' && depth < OPTIONAL_DEPTH;
    const count = Math.max(minProperties - Object.keys(result).length, wantsOne ? 1 : 0);
    for (let index = 0; index < count; index++) {
      const key = patterned
        ? stringFor({ pattern: patterned[0] }, index)
        : stringFor({ ...propertyNames, pattern: propertyNames?.pattern ?? '^[a-z]+[0-9]$' }, index);
      result[key] = this.value(member, `${path}/${key}`, depth + 1, index);
    }
  }

  #array(schema, path, depth, n) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    const useful = depth <= OPTIONAL_DEPTH ? 2 : 0;
    const count = Math.min(Math.max(minItems, Math.min(useful, maxItems)), 1000);
    const result = [];
    for (let index = 0; index < count; index++) {
      const item = schema.prefixItems?.[index] ?? schema.items ?? true;
      try {
        const value = this.value(item, `${path}/${index}`, depth + 1, schema.uniqueItems ? index : n + index);
        if (!schema.uniqueItems || !result.some((other) => JSON.stringify(other) === JSON.stringify(value)))
          result.push(value);
      } catch (error) {
        if (!(error instanceof NoValue) || index < minItems) throw error;
        break;
      }
    }
    return result;
  }

  /** References followed, `allOf` merged, one alternative of `anyOf` and `oneOf` taken. */
  #flatten(schema, path, hops) {
    if (hops > 60) throw new NoValue(`${path}: references in a circle`);
    if (typeof schema !== 'object') return schema;
    if (schema.$ref !== undefined) {
      const { $ref, ...beside } = schema;
      return this.#flatten(mergeSchemas(this.#target($ref), beside), path, hops + 1);
    }
    if (schema.allOf !== undefined) {
      const { allOf, ...beside } = schema;
      const parts = allOf.map((part) => this.#flatten(part, path, hops + 1));
      return this.#flatten(parts.reduce(mergeSchemas, beside), path, hops + 1);
    }
    for (const key of ['oneOf', 'anyOf', 'also']) {
      if (schema[key] === undefined) continue;
      const { [key]: branches, ...beside } = schema;
      const chosen = key === 'also' ? branches.reduce(mergeSchemas, {}) : this.#choose(branches, path);
      return this.#flatten(mergeSchemas(beside, chosen), path, hops + 1);
    }
    return schema;
  }

  #choose(branches, path) {
    const ordered = branches.toSorted((a, b) => Number(isNull(a)) - Number(isNull(b)));
    this.alternatives.set(path, Math.max(ordered.length, this.alternatives.get(path) ?? 0));
    return ordered[(this.#plan.choices.get(path) ?? 0) % ordered.length];
  }

  #target(reference) {
    const tokens = decodeURIComponent(reference.slice(1)).split('/').slice(1);
    let node = this.#root;
    for (const token of tokens) node = node?.[token.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (node === undefined) throw new NoValue(`${reference} leads nowhere`);
    return node;
  }
}

function wanted(place, depth) {
  if (depth === 0) return true;
  if (depth > OPTIONAL_DEPTH) return false;
  let sum = 0;
  for (let index = 0; index < place.length; index++) sum = (sum * 31 + place.charCodeAt(index)) >>> 0;
  return sum % 2 === 0;
}

function typeOf(schema) {
  const types = [schema.type ?? []].flat();
  const type = types.find((one) => one !== 'null') ?? types[0];
  if (type !== undefined) return type;
  if (
    schema.properties !== undefined ||
    schema.additionalProperties !== undefined ||
    schema.required !== undefined
  )
    return 'object';
  if (schema.items !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number';
  return 'string';
}

const isNull = (schema) =>
  schema?.type === 'null' || (Array.isArray(schema?.enum) && schema.enum.every((value) => value === null));

function isOfType(value, type) {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}
