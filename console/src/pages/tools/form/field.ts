import { isObject, type Json } from '../../../components/json/json-values.ts';
import { namesOf, objectOf, resolved, type Schema, typesOf } from './schema.ts';

/** What a form draws for one value; made from its schema when it is drawn, so that circles cost nothing. */
export interface Field {
  readonly schema: Schema;
  readonly description: string | undefined;
  /** The value may be null beside what the control says. */
  readonly nullable: boolean;
  readonly default: Json | undefined;
  readonly examples: readonly Json[];
  readonly control: Control;
}

export type Control =
  | { readonly kind: 'text'; readonly format: string | undefined; readonly multiline: boolean }
  | { readonly kind: 'number'; readonly integer: boolean }
  | { readonly kind: 'boolean' }
  | ({ readonly kind: 'choice' } & Options)
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly others: Schema | undefined }
  | { readonly kind: 'list'; readonly item: Schema }
  | ({ readonly kind: 'selection' } & Options)
  | { readonly kind: 'alternatives'; readonly branches: readonly Branch[] }
  /** What has no control of its own is written as JSON. */
  | { readonly kind: 'json' };

/** Values to choose from. */
export interface Options {
  readonly options: readonly Json[];
  /** What they are called, in the same order; absent: themselves. */
  readonly labels?: readonly string[];
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

export interface Branch {
  readonly label: string;
  readonly schema: Schema;
}

/** Choices that are shown one by one, to tick. */
const TICKED = 24;

/** Reads one schema. Total: what it does not understand becomes a JSON field. */
export function fieldOf(given: unknown, root: Schema): Field {
  const schema = resolved(given, root);
  const { description, examples } = schema;
  const branches = branchesOf(schema, root);
  const open = branches?.filter(({ schema: branch }) => !isNull(branch));
  const [alone] = open ?? [];
  // "this or null" is a nullable value
  if (branches !== undefined && open?.length === 1 && alone !== undefined && open.length < branches.length) {
    const inner = fieldOf(alone.schema, root);
    return {
      ...inner,
      description: textOf(description) ?? inner.description,
      default: schema['default'] ?? inner.default,
      nullable: true,
    };
  }
  const types = typesOf(schema);
  const closed = schema['enum'];
  return {
    schema,
    description: textOf(description),
    nullable:
      types.length > 1
        ? types.includes('null') && (!Array.isArray(closed) || closed.includes(null))
        : (open?.length ?? 0) < (branches?.length ?? 0),
    default: schema['default'],
    examples: Array.isArray(examples) ? examples : [],
    control: controlOf(schema, types, open, root),
  };
}

function controlOf(
  schema: Schema,
  types: readonly string[],
  branches: readonly Branch[] | undefined,
  root: Schema,
): Control {
  const { format } = schema;
  if (Object.hasOwn(schema, 'const')) return { kind: 'constant', value: schema['const'] as Json };
  const closed = optionsOf(schema, branches);
  if (closed !== undefined) {
    const [only] = closed.options;
    const isAlone =
      closed.options.length === 1 && !(Array.isArray(schema['enum']) && schema['enum'].length > 1);
    return isAlone ? { kind: 'constant', value: only as Json } : { kind: 'choice', ...closed };
  }
  if (branches !== undefined && branches.length > 0) return { kind: 'alternatives', branches };
  const named = types.filter((type) => type !== 'null');
  if (named.length > 1) {
    if (named.every((type) => type === 'number' || type === 'integer'))
      return { kind: 'number', integer: false };
    return {
      kind: 'alternatives',
      branches: named.map((type) => ({ label: type, schema: { ...schema, type } })),
    };
  }
  switch (named[0]) {
    case 'string':
      return { kind: 'text', format: textOf(format), multiline: isLong(schema) };
    case 'integer':
    case 'number':
      return { kind: 'number', integer: named[0] === 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return listControl(schema, root);
    case 'object':
      return objectControl(schema);
    default:
      return types.length === 1 && types[0] === 'null' ? { kind: 'constant', value: null } : { kind: 'json' };
  }
}

/** The values of a closed list: `enum`, with `enumNames` where it has them, or constants that have titles. */
function optionsOf(schema: Schema, branches: readonly Branch[] | undefined): Options | undefined {
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values) && values.length > 0) {
    const kept = values.flatMap((value, at) => (value === null && values.length > 1 ? [] : [at]));
    const named = Array.isArray(names) && names.length === values.length && names.every(isText);
    return {
      options: kept.map((at) => values[at]),
      ...(named ? { labels: kept.map((at) => names[at] ?? '') } : {}),
    };
  }
  if (branches === undefined || branches.length === 0) return undefined;
  const constants = branches.map(({ schema: branch }) => branch);
  if (!constants.every((branch) => Object.hasOwn(branch, 'const'))) return undefined;
  return {
    options: constants.map((branch) => branch['const'] as Json),
    labels: constants.map((branch) => textOf(branch['title']) ?? JSON.stringify(branch['const'])),
  };
}

function listControl(schema: Schema, root: Schema): Control {
  const { items, prefixItems, uniqueItems } = schema;
  if (prefixItems !== undefined || items === false) return { kind: 'json' };
  const item = resolved(items, root);
  const closed = uniqueItems === true ? optionsOf(item, branchesOf(item, root)) : undefined;
  if (closed !== undefined && closed.options.length <= TICKED) return { kind: 'selection', ...closed };
  return { kind: 'list', item: isObject(items) ? items : {} };
}

function objectControl(schema: Schema): Control {
  const required = new Set(namesOf(schema['required']));
  const properties = objectOf(schema['properties']);
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    required: required.has(name),
    schema: member,
  }));
  const { additionalProperties: others, patternProperties } = schema;
  const rest = isObject(others)
    ? others
    : others === false && patternProperties === undefined
      ? undefined
      : members.length === 0 || others === true || patternProperties !== undefined
        ? {}
        : undefined;
  return {
    kind: 'object',
    // what must be there comes first
    members: [...members.filter((one) => one.required), ...members.filter((one) => !one.required)],
    others: rest,
  };
}

/** `oneOf` before `anyOf`; each branch with what stands beside the choice. */
function branchesOf(schema: Schema, root: Schema): readonly Branch[] | undefined {
  const { oneOf, anyOf, ...beside } = schema;
  const given = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  if (given === undefined || given.length === 0) return undefined;
  // conditions over members that are drawn anyway (`anyOf: [{ required: [a] }, …]`) are the gateway's to check
  const shapes = given.map((branch) => resolved(branch, root));
  const adds = (branch: Schema) => typesOf(branch).length > 0 || branchesOf(branch, root) !== undefined;
  if (!shapes.some(adds)) return undefined;
  const outer = objectOf(beside['properties']);
  return shapes.map((branch, index) => ({
    label: labelOf(branch, index),
    schema: {
      ...withoutText(beside),
      ...branch,
      ...(Object.keys(outer).length === 0
        ? {}
        : {
            properties: { ...outer, ...objectOf(branch['properties']) },
            required: [...new Set([...namesOf(beside['required']), ...namesOf(branch['required'])])],
          }),
    },
  }));
}

function withoutText({
  title: _title,
  description: _description,
  default: _default,
  ...rest
}: Schema): Schema {
  return rest;
}

function labelOf(branch: Schema, index: number): string {
  const title = textOf(branch['title']);
  if (title !== undefined) return title;
  const constants = Object.entries(objectOf(branch['properties'])).flatMap(([name, member]) => {
    const constant = objectOf(member)['const'];
    return constant === undefined
      ? []
      : [`${name} ${typeof constant === 'string' ? constant : JSON.stringify(constant)}`];
  });
  if (constants.length > 0) return constants[0]!;
  if (Object.hasOwn(branch, 'const')) return JSON.stringify(branch['const']);
  const types = typesOf(branch);
  if (types.includes('object')) {
    const needed = namesOf(branch['required']);
    if (needed.length > 0) return `object with ${needed.slice(0, 3).join(', ')}`;
  }
  const format = textOf(branch['format']);
  return types.length === 0 ? `choice ${index + 1}` : [types.join(' or '), format].filter(Boolean).join(', ');
}

function isNull(branch: Schema): boolean {
  const types = typesOf(branch);
  return types.length === 1 && types[0] === 'null';
}

function isLong({ maxLength, format, contentMediaType }: Schema): boolean {
  if (typeof format === 'string' || typeof contentMediaType === 'string') return false;
  return typeof maxLength === 'number' && maxLength > 200;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
