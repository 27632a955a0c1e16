import { type Slot, slotsOf } from './arguments.ts';
import {
  choicesOf,
  isBytes,
  isInternal,
  itemsOf,
  kindOf,
  merged,
  type Node,
  nodeOf,
  type RawOperation,
  type Value,
} from './raw-swagger.ts';

/** Values for the arguments of an operation, by argument name. */
export type Arguments = Readonly<Record<string, Value>>;

const BYTES = Buffer.from([0, 1, 2, 250, 251, 252, 253, 254, 255]).toString('base64');
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-04T05:06:07Z',
  date: '2026-03-04',
  email: 'ada@example.com',
  uri: 'https://example.com/a?b=c',
  url: 'https://example.com/a?b=c',
  uuid: '0d5f2f7e-5a43-4f7c-9a55-0f5b3c9d1e2a',
  guid: '0d5f2f7e-5a43-4f7c-9a55-0f5b3c9d1e2a',
  byte: BYTES,
  binary: BYTES,
};
/** Texts that patterns of real documents ask for. */
const PATTERNED = ['/Date(1772600767000+0000)/', '2026-03-04', 'abc', '123456', 'ada@example.com'];
/** Texts with what each place makes difficult; forms only with what every way of writing them agrees on. */
const TEXTS: Readonly<Record<Slot['place'], string>> = {
  path: "a b/ü?(1)'!*",
  query: 'q & ü=1+1',
  header: 'some value',
  formData: 'ü&1',
  body: 'ü "1"\n',
};

/** Every argument with a value that fits, optional ones too. */
export const fullArguments = (document: Node, operation: RawOperation): Arguments =>
  argumentsFor(document, operation, true);

/** Only what must be given. */
export const requiredArguments = (document: Node, operation: RawOperation): Arguments =>
  argumentsFor(document, operation, false);

function argumentsFor(document: Node, operation: RawOperation, all: boolean): Arguments {
  const values: Record<string, Value> = {};
  const text = operation.consumes.length > 0 && operation.consumes.every((type) => /^text\/|xml$/.test(type));
  for (const { argument, required, node, place, wire } of slotsOf(document, operation)) {
    if (argument === undefined || !(all || required)) continue;
    values[argument] = text && wire === '' ? TEXTS.body : valueFor(document, node, place, all, []);
  }
  return values;
}

function valueFor(
  document: Node,
  schema: Node,
  place: Slot['place'],
  all: boolean,
  above: readonly Value[],
): Value {
  const node = merged(document, schema);
  const kind = kindOf(node);
  const choices = choicesOf(node);
  if (choices.length > 0 && kind !== 'array') return typed(choices.at(-1)!, kind);
  if (kind === 'array') return arrayFor(document, node, place, all, above);
  if (kind === 'object' || kind === 'any') return objectFor(document, node, place, all, above);
  if (kind === 'boolean') return node.default !== true;
  if (kind === 'integer' || kind === 'number') return numberFor(node, kind);
  return textFor(node, place);
}

/** Enumerations of numbers are often written as texts. */
const typed = (value: Value, kind: string): Value =>
  (kind === 'integer' || kind === 'number') && typeof value === 'string' ? Number(value) : value;

function arrayFor(
  document: Node,
  node: Node,
  place: Slot['place'],
  all: boolean,
  above: readonly Value[],
): Value {
  const items = nodeOf(node.items);
  const flat = place === 'body' ? undefined : merged(document, items);
  // Lists in texts: words without any separator.
  if (
    flat !== undefined &&
    kindOf(flat) === 'string' &&
    choicesOf(flat).length === 0 &&
    flat.format === undefined
  )
    return ['one', 'two'];
  const fewest = typeof node.minItems === 'number' ? node.minItems : 0;
  if (above.includes(items.$ref ?? items)) return [];
  const one = valueFor(document, items, place, all, [...above, items.$ref ?? items]);
  return Array.from({ length: Math.max(fewest, 1) }, () => one);
}

function objectFor(
  document: Node,
  node: Node,
  place: Slot['place'],
  all: boolean,
  above: readonly Value[],
): Value {
  const required = itemsOf(node.required);
  const members = Object.entries(nodeOf(node.properties));
  if (members.length === 0) {
    const any = nodeOf(node.additionalProperties);
    return { anything: Object.keys(any).length === 0 ? 'ü' : valueFor(document, any, place, all, above) };
  }
  const value: Record<string, Value> = {};
  for (const [name, property] of members) {
    const own = merged(document, property);
    const identity = nodeOf(property).$ref ?? property;
    const asked = required.includes(name);
    if (own.readOnly === true || (isInternal(own) && (own.default !== undefined || !asked))) continue;
    if (!(asked || (all && !above.includes(identity)))) continue;
    if (above.filter((one) => one === identity).length > 2) continue;
    value[name] = valueFor(document, nodeOf(property), place, all, [...above, identity]);
  }
  return value;
}

function numberFor(node: Node, kind: string): number {
  const least = typeof node.minimum === 'number' ? node.minimum : undefined;
  const most = typeof node.maximum === 'number' ? node.maximum : undefined;
  const wanted = kind === 'integer' ? 7 : 7.5;
  if (least !== undefined && wanted < least) return least;
  return most !== undefined && wanted > most ? most : wanted;
}

function textFor(node: Node, place: Slot['place']): string {
  if (isBytes(node)) return BYTES;
  if (typeof node.pattern === 'string' && typeof node.default === 'string') return node.default;
  const text =
    (typeof node.pattern === 'string' && PATTERNED.find((one) => new RegExp(`${node.pattern}`).test(one))) ||
    (typeof node.format === 'string' && FORMATS[node.format]) ||
    TEXTS[place];
  const most = typeof node.maxLength === 'number' ? node.maxLength : text.length;
  const least = typeof node.minLength === 'number' ? node.minLength : 0;
  return text.slice(0, Math.max(most, 1)).padEnd(least, 'x');
}
