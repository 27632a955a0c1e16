import { isObject, type JsonObject, type JsonSchema, parsePointer, valueAt } from '../operations/index.ts';

const MAX_VALUE_LENGTH = 80;
/** Names whose values are not repeated in messages. */
const SECRET_NAME =
  /pass(?:word|wd|phrase)?$|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;

/** A value in a few words: `string "abc"`, `an array of 3 items`. Secrets are not shown, long texts are cut. */
export function describeValue(value: unknown, pointer: string, schema: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length} item${value.length === 1 ? '' : 's'}`;
  if (typeof value === 'object') {
    const names = Object.keys(value);
    return names.length === 0
      ? 'an empty object'
      : `an object with ${names.slice(0, 5).map(cut).join(', ')}${names.length > 5 ? ', …' : ''}`;
  }
  if (isSecret(pointer, schema)) return `a ${typeof value} that is not shown`;
  return `${typeof value} ${cut(JSON.stringify(value))}`;
}

/** What a schema wants, in a few words: `integer`, `one of "a", "b"`, `object with name, size`. */
export function describeSchema(schema: unknown, root: JsonSchema | boolean): string {
  const resolved = resolveReferences(schema, root);
  if (!isObject(resolved)) return resolved === false ? 'nothing' : 'any value';
  if ('const' in resolved) return cut(JSON.stringify(resolved['const']));
  const values = resolved['enum'];
  if (Array.isArray(values)) {
    const shown = values.slice(0, 10).map((value) => cut(JSON.stringify(value)));
    return `one of ${shown.join(', ')}${values.length > 10 ? ', …' : ''}`;
  }
  if (saysNothing(resolved, root)) return 'any value';
  const types = typesOf(resolved, root).join(' or ');
  const parts = partsOf(resolved, root);
  const required = [...new Set(parts.flatMap((part) => part['required'] ?? []))];
  if (types === 'object' && required.length > 0)
    return `object with ${required.slice(0, 5).join(', ')}${required.length > 5 ? ', …' : ''}`;
  if (types === 'array') {
    const items = resolveReferences(resolved['items'], root);
    const type = isObject(items) && typeof items['type'] === 'string' ? ` of ${items['type']}` : '';
    return `array${type}`;
  }
  const format = typeof resolved['format'] === 'string' ? ` (${cut(resolved['format'])})` : '';
  return types === '' ? (countOf(resolved) ?? 'a value of another form') : `${types}${format}`;
}

/** A form that says of a list only how long it is, as each OGC API has them of a bounding box. */
function countOf({ minItems: least, maxItems: most }: JsonObject): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === most) return `a list of ${least} items`;
  if (least === undefined) return `a list of at most ${most} items`;
  return `a list of ${most === undefined ? `at least ${least}` : `${least} to ${most}`} items`;
}

const NO_RULES: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** True for a schema that everything fits. */
export function saysNothing(schema: unknown, root: JsonSchema | boolean): boolean {
  const resolved = resolveReferences(schema, root);
  return isObject(resolved) ? Object.keys(resolved).every((key) => NO_RULES.has(key)) : resolved === true;
}

/** True where a member of any name may stand: in what everything fits, or in an object that names none of its own. */
export function takesAnyMember(schema: unknown, root: JsonSchema | boolean): boolean {
  const resolved = resolveReferences(schema, root);
  if (!isObject(resolved) || resolved['type'] !== 'object') return saysNothing(resolved, root);
  const { type: _, properties = {}, additionalProperties = true, ...rules } = resolved;
  const namesNone = isObject(properties) && Object.keys(properties).length === 0;
  return namesNone && saysNothing(additionalProperties, root) && saysNothing(rules, root);
}

const MAX_BASES = 5;

/** The schema, and those that `allOf` adds, as documents write what extends a common base, and that another. */
export function partsOf(schema: unknown, root: JsonSchema | boolean, bases = 0): readonly JsonObject[] {
  const resolved = resolveReferences(schema, root);
  if (!isObject(resolved)) return [];
  const { allOf } = resolved;
  if (!Array.isArray(allOf) || bases === MAX_BASES) return [resolved];
  return [resolved, ...allOf.flatMap((part) => partsOf(part, root, bases + 1))];
}

/** Its types; of a choice, those of its branches, while each names some. */
function typesOf(schema: JsonObject, root: JsonSchema | boolean): string[] {
  const of = partsOf(schema, root).find((part) => part['type'] !== undefined);
  const stated = [of?.['type'] ?? []].flat().map(String);
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (stated.length > 0 || !Array.isArray(branches)) return stated;
  const each = branches.map((branch) => {
    const resolved = resolveReferences(branch, root);
    return isObject(resolved) ? [resolved['type'] ?? []].flat().map(String) : [];
  });
  return each.some((types) => types.length === 0) ? [] : [...new Set(each.flat())];
}

/** The schema behind a chain of references. */
export function resolveReferences(schema: unknown, root: JsonSchema | boolean): unknown {
  let found = schema;
  for (let hops = 0; hops < 10 && isObject(found) && typeof found['$ref'] === 'string'; hops++)
    found = referenceTarget(found['$ref'], root);
  return found;
}

export function referenceTarget(reference: string, root: JsonSchema | boolean): unknown {
  return valueAt(root, parsePointer(decodeURIComponent(reference)) ?? []);
}

function isSecret(pointer: string, schema: unknown): boolean {
  if (isObject(schema) && (schema['writeOnly'] === true || schema['format'] === 'password')) return true;
  return (parsePointer(pointer) ?? []).some((name) => SECRET_NAME.test(name));
}

function cut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
