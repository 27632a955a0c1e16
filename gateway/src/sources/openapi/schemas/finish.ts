import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import { fitsType, readEnum } from './keyword-values.ts';
import { ANNOTATIONS, COMBINING } from './keywords.ts';

/** Told of a keyword that cannot stand as it is. */
export type Misfit = (key: string, message: string) => void;

/** What depends on several keywords of one schema at once. `node` is the original, `out` what was taken over. */
export function finishSchema(node: JsonObject, out: JsonObject, misfit: Misfit): Json {
  // every schema passes here, and most have none of them
  if (out.enum !== undefined) values(out, misfit);
  if (out.required !== undefined) required(out, misfit);
  limits(node, out);
  items(out);
  if (out.allOf !== undefined) parts(out);
  if (out.description !== undefined) delete out.title;
  if (node.nullable === true || node['x-nullable'] === true) return nullable(out);
  return out.allOf === undefined ? out : unwrapped(out);
}

/** Where no allowed value is of the type, nothing would fit: the values are those of a list's items, or say more than the type. */
function values(out: JsonObject, misfit: Misfit): void {
  const { enum: allowed, type, items } = out;
  if (!Array.isArray(allowed) || allowed.some((value) => fitsType(value, type))) return;
  if (![type].flat().includes('array')) {
    misfit('type', 'No value of `enum` is of this `type`; the type is left out.');
    delete out.type;
    return;
  }
  delete out.enum;
  if (items === undefined) out.items = { enum: allowed };
  else if (isObject(items) && items.enum === undefined)
    out.items = { ...items, enum: readEnum(allowed, items.type)! };
}

/** A property that has to be there and may not: nothing would fit. */
function required(out: JsonObject, misfit: Misfit): void {
  const { required: needed, additionalProperties, properties = {}, patternProperties } = out;
  if (!Array.isArray(needed) || additionalProperties !== false || patternProperties !== undefined) return;
  const possible = needed.filter((name) => Object.hasOwn(properties as JsonObject, String(name)));
  if (possible.length === needed.length) return;
  const names = needed.filter((name) => !possible.includes(name)).join(', ');
  misfit('required', `No property may be called ${names}; it is not asked for.`);
  if (possible.length > 0) out.required = possible;
  else delete out.required;
}

/** Draft 4: `exclusiveMinimum: true` makes `minimum` exclusive; since draft 6 it is a number of its own. */
function limits(node: JsonObject, out: JsonObject): void {
  if (node.exclusiveMinimum === true && out.minimum !== undefined) {
    out.exclusiveMinimum = out.minimum;
    delete out.minimum;
  }
  if (node.exclusiveMaximum === true && out.maximum !== undefined) {
    out.exclusiveMaximum = out.maximum;
    delete out.maximum;
  }
}

/** Arrays always say what is in them. A list of `items`, which OpenAPI does not know, means any of them. */
function items(out: JsonObject): void {
  if (Array.isArray(out.items)) out.items = out.items.length === 1 ? out.items[0]! : { anyOf: out.items };
  if (out.prefixItems !== undefined && !Array.isArray(out.prefixItems)) delete out.prefixItems;
  if (out.items !== undefined || out.prefixItems !== undefined) return;
  const { type } = out;
  if (type === 'array' || (Array.isArray(type) && type.includes('array'))) out.items = {};
}

/** Parts of `allOf` that only annotate, or say nothing, annotate the whole: how OpenAPI 3.0 describes a reference. */
function parts(out: JsonObject): void {
  if (!Array.isArray(out.allOf)) return;
  const kept = out.allOf.filter((part) => !isObject(part) || !annotates(out, part));
  if (kept.length === 0) delete out.allOf;
  else out.allOf = kept;
}

/** Takes the annotations over, unless the whole has others already. */
function annotates(out: JsonObject, part: JsonObject): boolean {
  const isFree = Object.keys(part).every(
    (key) => ANNOTATIONS.has(key) && (!Object.hasOwn(out, key) || out[key] === part[key]),
  );
  if (isFree) Object.assign(out, part);
  return isFree;
}

/** OpenAPI 3.0 `nullable`, 2.0 `x-nullable`. */
function nullable(out: JsonObject): Json {
  if (COMBINING.some((keyword) => keyword in out)) return besideNull(out);
  if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...out.enum, null];
  const { type } = out;
  if (typeof type === 'string' && type !== 'null') out.type = [type, 'null'];
  else if (Array.isArray(type) && !type.includes('null')) out.type = [...type, 'null'];
  return out;
}

function besideNull(out: JsonObject): JsonObject {
  const outer: JsonObject = {};
  for (const key of ANNOTATIONS) {
    if (out[key] === undefined) continue;
    outer[key] = out[key];
    delete out[key];
  }
  outer.anyOf = [unwrapped(out), { type: 'null' }];
  return outer;
}

/** `allOf` around a single reference, the old way to describe a reference, says the same without it. */
function unwrapped(out: JsonObject): JsonObject {
  const { allOf } = out;
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isObject(allOf[0])) return out;
  const only = allOf[0];
  if (
    typeof only.$ref !== 'string' ||
    Object.keys(out).some((key) => key !== 'allOf' && !ANNOTATIONS.has(key))
  )
    return out;
  const { allOf: _allOf, ...annotations } = out;
  return Object.assign(only, annotations);
}
