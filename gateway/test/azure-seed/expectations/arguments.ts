import {
  choicesOf,
  follow,
  isBytes,
  isInternal,
  itemsOf,
  kindOf,
  merged,
  type Node,
  nodeOf,
  type RawOperation,
  type Value,
  wordOf,
} from './raw-swagger.ts';

/** One value that goes into a request: from an argument, or always the same. */
export interface Slot {
  readonly place: 'path' | 'query' | 'header' | 'formData' | 'body';
  /** Name on the wire; empty: the body as a whole. */
  readonly wire: string;
  readonly required: boolean;
  /** Parameter or schema, references followed. */
  readonly node: Node;
  /** Name among the tool's arguments; undefined: it is not asked for. */
  readonly argument: string | undefined;
  readonly constant: Value | undefined;
}

/** The seed's §4.1, but what is valid already stays. */
export function sanitizeKey(name: string): string {
  if (/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) return name;
  const safe = name
    .replace(/[^a-zA-Z0-9_.-]/g, '_')
    .replace(/^[.-]+/, '')
    .replace(/_+/g, '_')
    .slice(0, 64);
  return safe || 'param';
}

/** Headers that say what the body or the answer is, or who asks. */
const SENDERS = /^(?:accept|content-type|authorization|host|cookie|content-length|connection)$/i;

/**
 * Where every value of a request comes from: path values in the order of the path, then queries and headers, then
 * the members of the body, or the body as a whole where its members cannot stand alone.
 */
export function slotsOf(document: Node, operation: RawOperation): Slot[] {
  const slots: Omit<Slot, 'argument'>[] = [];
  for (const [, name = ''] of operation.path.matchAll(/\{([^{}]+)\}/g)) {
    if (name === 'connectionId') continue;
    const declared = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    slots.push(slot('path', name, true, declared ?? { type: 'string' }));
  }
  for (const node of operation.parameters) {
    const name = wordOf(node.name);
    const place = node.in;
    if (place === 'query') slots.push(slot('query', name, node.required === true, node));
    if (place === 'header' && (!SENDERS.test(name) || (isInternal(node) && node.default !== undefined)))
      slots.push(slot('header', name, node.required === true, node));
  }
  slots.push(...bodySlots(document, operation));
  const taken = new Set<string>();
  return slots.map((one) => {
    if (one.constant !== undefined || isHidden(one)) return { ...one, argument: undefined };
    const argument = freeName(one, taken);
    taken.add(argument);
    return { ...one, argument };
  });
}

const isHidden = ({ node, required }: Omit<Slot, 'argument'>): boolean => isInternal(node) && !required;

function freeName({ wire, place }: Omit<Slot, 'argument'>, taken: ReadonlySet<string>): string {
  const wanted = wire === '' ? 'body' : sanitizeKey(wire);
  const prefix = place === 'formData' ? 'body' : place;
  let free = wanted;
  for (let round = 1; taken.has(free); round++) free = `${prefix}_${wanted}${round === 1 ? '' : `_${round}`}`;
  return free;
}

function slot(place: Slot['place'], wire: string, required: boolean, node: Node): Omit<Slot, 'argument'> {
  const internal = isInternal(node) ? (node.default ?? undefined) : undefined;
  const choices = choicesOf(node);
  const only = required && choices.length === 1 && kindOf(node) !== 'array' ? choices[0] : undefined;
  return { place, wire, required, node, constant: internal ?? only };
}

function bodySlots(document: Node, operation: RawOperation): Omit<Slot, 'argument'>[] {
  const fields = operation.parameters.filter((one) => one.in === 'formData');
  if (fields.length > 0)
    return fields.map((one) => slot('formData', wordOf(one.name), one.required === true, one));
  const body = operation.parameters.find((one) => one.in === 'body');
  if (body === undefined) return [];
  const required = body.required === true;
  const schema = merged(document, body.schema);
  const whole = { place: 'body' as const, wire: '', required, node: schema, constant: undefined };
  if (!standsAlone(document, schema, required)) return [whole];
  const asked = itemsOf(schema.required);
  return Object.entries(nodeOf(schema.properties))
    .map(([name, property]) => ({ name, node: merged(document, property) }))
    .filter(({ node }) => node.readOnly !== true)
    .map(({ name, node }) => slot('body', name, asked.includes(name), node));
}

/** An object whose members can be arguments; an optional one only if it demands nothing. */
function standsAlone(document: Node, schema: Node, required: boolean): boolean {
  const properties = nodeOf(schema.properties);
  const names = Object.keys(properties).filter(
    (name) => follow(document, properties[name]).readOnly !== true,
  );
  const extra = schema.additionalProperties;
  const open = extra === true || typeof extra === 'object';
  if (kindOf(schema) !== 'object' || names.length === 0 || (open && extra !== null)) return false;
  if (schema.discriminator !== undefined || itemsOf(schema.enum).length > 0) return false;
  const asked = itemsOf(schema.required).map(String);
  if (asked.some((name) => !Object.hasOwn(properties, name))) return false;
  return required || !asked.some((name) => names.includes(name));
}

/** True where the body as a whole is bytes: by its schema, or because the operation takes nothing but bytes. */
export function isByteBody({ consumes }: RawOperation, { wire, node }: Pick<Slot, 'wire' | 'node'>): boolean {
  const bytes = consumes.length > 0 && consumes.every((type) => /octet-stream|^image\//i.test(type));
  return wire === '' && (isBytes(node) || (bytes && kindOf(node) === 'string'));
}
