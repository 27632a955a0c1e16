import { DURATION, SIZE } from '../../src/config/measures.ts';

/** A JSON Schema as zod prints it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | boolean;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

const SELECTOR = ['operation', 'tag', 'path', 'method'];

/** References followed; a description beside a reference stays. */
export function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  if (target === undefined) throw new Error(`There is no ${schema.$ref}`);
  // what holds itself is JSON of any shape
  if (JSON.stringify(target).includes(`"${schema.$ref}"`)) return { title: 'JSON' };
  const { $ref: _followed, ...beside } = schema;
  return { ...resolved(target, root), ...beside };
}

/** What a value may be, one by one: unions in unions are laid flat, each alternative stands once. */
export function alternatives(schema: Schema, root: Schema): Schema[] {
  const whole = resolved(schema, root);
  const parts = whole.anyOf ?? whole.oneOf;
  if (parts === undefined || whole.title === 'JSON') return [whole];
  const flat = parts.flatMap((part) => alternatives(part, root));
  return [...new Map(flat.map((part) => [JSON.stringify(part), part])).values()];
}

const SECRETS = [
  ['env', 'file'],
  ['env', 'file', 'command'],
].map((keys) => keys.join());

/** `{ env }`, `{ file }`, or `{ command }` beside a text. */
export function isSecret(parts: readonly Schema[]): boolean {
  return SECRETS.includes(keysOf(parts));
}

function keysOf(parts: readonly Schema[]): string {
  return parts.flatMap(({ properties }) => Object.keys(properties ?? {})).join();
}

/** What picks operations; a rule that says more beside it is none. */
export function isSelector(schema: Schema): boolean {
  const keys = Object.keys(schema.properties ?? {});
  return keys.length === SELECTOR.length && SELECTOR.every((key) => keys.includes(key));
}

export function itemsOf(schema: Schema): Schema | undefined {
  return typeof schema.items === 'object' ? schema.items : undefined;
}

export function valuesOf(schema: Schema): Schema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** What a key takes, in the words of the page. */
export function wordsOf(schema: Schema, root: Schema): string {
  const parts = alternatives(schema, root);
  if (isSecret(parts)) {
    const secret = keysOf(parts) === SECRETS[0] ? 'secret at the start' : 'secret';
    return parts.some((part) => part.const === '') ? `${secret}, or empty` : secret;
  }
  const measure = measureOf(parts);
  if (measure !== undefined) return measure;
  const lists = parts.filter(({ type }) => type === 'array');
  const others = parts.filter(({ type }) => type !== 'array');
  const joined = (some: readonly Schema[]) =>
    [...new Set(some.map((part) => wordOf(part, root)))].join(' or ');
  if (lists.length === 0 || others.length === 0) return joined(parts);
  const one = joined(others);
  return joined(lists) === `list of ${one}` ? `${one}, or a list of them` : `${one}, or ${joined(lists)}`;
}

function measureOf(parts: readonly Schema[]): string | undefined {
  if (parts.some(({ pattern }) => pattern === DURATION.source)) return 'duration';
  return parts.some(({ pattern }) => pattern === SIZE.source) ? 'size' : undefined;
}

function wordOf(schema: Schema, root: Schema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (isSelector(schema)) return 'selector';
  if (schema.type === 'array') {
    const items = itemsOf(schema);
    return items === undefined ? 'list' : `list of ${wordsOf(items, root)}`;
  }
  if (schema.type === 'object') return schema.properties === undefined ? mapOf(schema, root) : 'object';
  if (schema.type === 'string') return schema.format === 'uri' ? 'URL' : 'text';
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'integer' || schema.type === 'number') return `number${rangeOf(schema)}`;
  return 'any value';
}

function mapOf(schema: Schema, root: Schema): string {
  const values = valuesOf(schema);
  return values === undefined ? 'object' : `${wordsOf(values, root)} by name`;
}

const LARGE = Number.MAX_SAFE_INTEGER;

function rangeOf({ minimum, maximum }: Schema): string {
  const low = minimum === undefined || minimum <= -LARGE ? undefined : minimum;
  const high = maximum === undefined || maximum >= LARGE ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` ${group(low)}–${group(high)}`;
  if (low !== undefined) return ` ≥ ${group(low)}`;
  return high === undefined ? '' : ` ≤ ${group(high)}`;
}

function group(value: number): string {
  return value.toLocaleString('en-GB');
}

/** Text within a cell of a table. */
export function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
