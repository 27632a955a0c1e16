import type { ErrorObject } from 'ajv';
import {
  escapeToken,
  isObject,
  type JsonObject,
  type JsonSchema,
  parsePointer,
  valueAt,
} from '../operations/index.ts';
import { nearestName } from '../operations/text/nearest-name.ts';
import { describeSchema, describeValue, resolveReferences, saysNothing, takesAnyMember } from './describe.ts';
import { errorsOfLikeliest, reachableFrom } from './likeliest-branch.ts';
import { errorsOfTagged, faultOfTag } from './tagged-union.ts';
import { fitsSeveral, severalLast, unionText } from './union-text.ts';

/** One thing that does not fit, told to a model that can correct it. */
export interface ValidationProblem {
  /** JSON Pointer into the value; of the property itself where one is missing or unknown. */
  readonly pointer: string;
  readonly message: string;
  /** The JSON Schema keyword that failed. */
  readonly keyword: string;
  /** It fits, but more than one branch of a `oneOf`. */
  readonly fitsSeveral?: true;
}

/** What the value is called in messages. */
export type Subject = 'argument' | 'property';

const MAX_PROBLEMS = 10;
/** Shorter lists are read at a glance. */
const FEW_CHOICES = 5;
const MAX_NAMES = 10;
const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** At most ten problems, the first one per place and keyword, unions summed up; what fits too much comes last. */
export function explainErrors(
  errors: readonly ErrorObject[],
  schema: JsonSchema | boolean,
  value: unknown,
  subject: Subject,
): ValidationProblem[] {
  const problems = new Map<string, ValidationProblem>();
  for (const error of severalLast(sumUp(errors, schema, value))) {
    const problem = explain(error, schema, value, subject);
    const key = `${problem.pointer} ${problem.message}`;
    if (!problems.has(key)) problems.set(key, problem);
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems.values()];
}

/**
 * ajv lists the errors of every branch before the error of the union. Where only one branch is meant for a value
 * of this type (`anyOf: [object, null]`), its errors say more than the union; otherwise the union says it all.
 */
function sumUp(errors: readonly ErrorObject[], root: JsonSchema | boolean, value: unknown): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if' && kept.length > 0) continue;
    // what is wrong with a name is told by the error of `propertyNames` that follows
    if (error.propertyName !== undefined) continue;
    const alternatives: unknown = error.schema;
    if (!UNIONS.has(error.keyword) || !Array.isArray(alternatives)) {
      kept.push(error);
      continue;
    }
    const inside = reachableFrom(alternatives, root);
    const branches: ErrorObject[] = [];
    while (kept.length > 0 && inside.has(kept.at(-1)!.parentSchema)) branches.unshift(kept.pop()!);
    const telling = branches.filter(
      (branch) => branch.instancePath !== error.instancePath || branch.keyword !== 'type',
    );
    const given = instanceAt(value, error.instancePath);
    const actual = typeName(given);
    const meant = alternatives.filter((alternative) => takesType(alternative, actual, root));
    const at = error.instancePath;
    const likeliest = meant.length === 1 ? telling : errorsOfLikeliest(meant, branches, at, root);
    const told = likeliest.length > 0 ? likeliest : errorsOfTagged(meant, branches, given, at, root);
    kept.push(...(told.length > 0 ? told : [faultOfTag(error, meant, given, root) ?? error]));
  }
  return kept;
}

function takesType(alternative: unknown, actual: string, root: JsonSchema | boolean): boolean {
  const schema = resolveReferences(alternative, root);
  if (!isObject(schema) || schema['type'] === undefined) return schema !== false;
  const types = [schema['type']].flat();
  return types.includes(actual) || (actual === 'integer' && types.includes('number'));
}

function explain(
  error: ErrorObject,
  root: JsonSchema | boolean,
  value: unknown,
  subject: Subject,
): ValidationProblem {
  const { keyword, instancePath } = error;
  const params = error.params as Record<string, unknown>;
  const inner = (params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty']) as string | undefined;
  const pointer = inner === undefined ? instancePath : `${instancePath}/${escapeToken(inner)}`;
  const schema: unknown = error.schema;
  const parent: unknown = error.parentSchema;
  const name = placeName(pointer, subject, root);
  const at = instanceAt(value, instancePath);
  const got = () => describeValue(at, instancePath, parent);
  const say = (message: string): ValidationProblem => ({
    pointer,
    message,
    keyword,
    ...(fitsSeveral(error) ? { fitsSeveral: true } : {}),
  });
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return say(missing(name, inner!, parent, root, params));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return say(unknown(name, inner!, parent, root, isObject(at) ? at : {}));
    case 'type':
      return say(`${name} must be ${typeText(params['type'])}, not ${got()}`);
    case 'enum':
      return say(`${name} must be one of ${listText(schema)}, not ${got()}${meantText(schema, at)}`);
    case 'const':
      return say(`${name} must be ${valueText(schema)}, not ${got()}`);
    case 'anyOf':
    case 'oneOf':
      return say(unionText(name, params, schema, root, got));
    case 'not':
      return say(
        saysNothing(schema, root)
          ? `${name} is not allowed`
          : `${name} must not be ${describeSchema(schema, root)}`,
      );
    case 'propertyNames':
      return say(
        `${name} must not have the name ${valueText(params['propertyName'])}${namesText(schema, root)}`,
      );
    case 'uniqueItems':
      return say(`${name} must not hold the same item twice`);
    case 'false schema':
      return say(`${name} is not allowed`);
    default:
      return say(`${name} ${limitText(keyword, schema, parent)}, not ${sizeOf(keyword, at) ?? got()}`);
  }
}

/** Of a long list, the name that was most likely meant. */
function meantText(choices: unknown, given: unknown): string {
  if (typeof given !== 'string' || !Array.isArray(choices) || choices.length <= FEW_CHOICES) return '';
  const nearest = nearestName(
    given,
    choices.filter((one) => typeof one === 'string'),
  );
  return nearest === undefined ? '' : `: did you mean "${nearest}"?`;
}

function missing(
  name: string,
  inner: string,
  parent: unknown,
  root: JsonSchema | boolean,
  params: Record<string, unknown>,
): string {
  const properties = isObject(parent) ? parent['properties'] : undefined;
  const wanted = isObject(properties) && Object.hasOwn(properties, inner) ? properties[inner] : undefined;
  const expected = wanted === undefined ? '' : `: ${describeSchema(wanted, root)}`;
  const because = typeof params['property'] === 'string' ? ` beside "${params['property']}"` : '';
  return `${name} is required${because}${expected}`;
}

function unknown(
  name: string,
  inner: string,
  parent: unknown,
  root: JsonSchema | boolean,
  beside: JsonObject,
): string {
  const known = isObject(parent) && isObject(parent['properties']) ? parent['properties'] : {};
  const properties = Object.keys(known);
  const holder = properties.find((one) => hasMember(known[one], inner, root));
  if (holder !== undefined) return `${name} is not known: it belongs in "${holder}"`;
  const nearest = nearestName(inner, properties);
  if (nearest !== undefined) return `${name} is not known: did you mean "${nearest}"?`;
  if (properties.length === 0) return `${name} is not known: none is expected there`;
  const given = beside[inner];
  const members = isObject(given) ? Object.keys(given) : [];
  if (members.some((one) => Object.hasOwn(known, one) && !Object.hasOwn(beside, one)))
    return `${name} is not known: its members are given directly, beside the others`;
  const open = properties.filter((one) => !Object.hasOwn(beside, one) && takesAnyMember(known[one], root));
  if (open.length === 1) {
    const itself = isObject(given) ? `, or be "${open[0]}" itself` : '';
    return `${name} is not known: it may belong in "${open[0]}"${itself}`;
  }
  const more = properties.length > MAX_NAMES ? `, and ${properties.length - MAX_NAMES} more` : '';
  const are = properties.length === 1 ? 'is only' : 'are';
  return `${name} is not known: there ${are} ${properties.slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** An object that is one argument, as a body that is not taken apart, or one of its forms. */
function hasMember(schema: unknown, name: string, root: JsonSchema | boolean, isForm = false): boolean {
  const resolved = resolveReferences(schema, root);
  if (!isObject(resolved)) return false;
  if (isObject(resolved['properties']) && Object.hasOwn(resolved['properties'], name)) return true;
  const forms = isForm ? [] : [resolved['oneOf'], resolved['anyOf']].flat();
  if (forms.some((form) => hasMember(form, name, root, true))) return true;
  const parts = [resolved['allOf']].flat();
  return parts.some((part) => hasMember(part, name, root, isForm));
}

const LIMITS: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (limit) => `must be a multiple of ${limit}`,
  minLength: (limit) => `must have at least ${limit} characters`,
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => `must have at least ${limit} items`,
  maxItems: (limit) => `must have at most ${limit} items`,
  minProperties: (limit) => `must have at least ${limit} properties`,
  maxProperties: (limit) => `must have at most ${limit} properties`,
  pattern: (limit) => `must match the pattern ${limit}`,
};

function limitText(keyword: string, limit: unknown, parent: unknown): string {
  if (keyword === 'contains') {
    const least = isObject(parent) && typeof parent['minContains'] === 'number' ? parent['minContains'] : 1;
    return `must hold at least ${least} item of the kind described`;
  }
  return LIMITS[keyword]?.(valueText(limit)) ?? `does not fit "${keyword}"`;
}

function sizeOf(keyword: string, value: unknown): string | undefined {
  if (/^(min|max)Length$/.test(keyword) && typeof value === 'string') return String([...value].length);
  if (/^(min|max)Items$/.test(keyword) && Array.isArray(value)) return String(value.length);
  if (/^(min|max)Properties$/.test(keyword) && isObject(value)) return String(Object.keys(value).length);
  return undefined;
}

/** Which names there are, or how they look. */
function namesText(names: unknown, root: JsonSchema | boolean): string {
  const resolved = resolveReferences(names, root);
  if (!isObject(resolved)) return '';
  if (Array.isArray(resolved['enum'])) return `: there are ${listText(resolved['enum'])}`;
  const limit = Object.keys(resolved).find((keyword) => Object.hasOwn(LIMITS, keyword));
  return limit === undefined ? '' : `: a name ${limitText(limit, resolved[limit], resolved)}`;
}

/**
 * `argument "filter.ids[2]"`; the value itself without a name. `"book[name]"` where `book.name` is an argument of its own:
 * gRPC-Gateway names those of the path so.
 */
function placeName(pointer: string, subject: Subject, root: JsonSchema | boolean): string {
  const tokens = parsePointer(pointer) ?? [];
  if (tokens.length === 0) return subject === 'argument' ? 'the arguments' : 'the value';
  const known = isObject(root) && isObject(root['properties']) ? root['properties'] : {};
  const isTaken = tokens.length > 1 && Object.hasOwn(known, tokens.join('.'));
  const path = tokens.reduce((text, token) => {
    const isInside = /^\d+$/.test(token) || (isTaken && text !== '');
    return isInside ? `${text}[${token}]` : `${text}.${token}`;
  }, '');
  return `${subject} "${path.replace(/^\./, '').slice(0, 200)}"`;
}

function typeText(types: unknown): string {
  return [types].flat().join(' or ');
}

function listText(values: unknown): string {
  const all = Array.isArray(values) ? values : [];
  const shown = all.slice(0, 20).map(valueText).join(', ');
  return all.length > 20 ? `${shown} and ${all.length - 20} more` : shown;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

function instanceAt(value: unknown, pointer: string): unknown {
  return valueAt(value, parsePointer(pointer) ?? []);
}
