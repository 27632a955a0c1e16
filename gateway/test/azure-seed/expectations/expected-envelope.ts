import type { Arguments } from './argument-values.ts';
import { isByteBody, type Slot, slotsOf } from './arguments.ts';
import {
  isBytes,
  isInternal,
  isNode,
  itemsOf,
  kindOf,
  merged,
  type Node,
  nodeOf,
  type RawOperation,
  type Value,
  wordOf,
} from './raw-swagger.ts';

export { type Arguments, fullArguments, requiredArguments } from './argument-values.ts';
export { sanitizeKey, slotsOf } from './arguments.ts';
export { type Node, type RawOperation, rawOperations, type Value } from './raw-swagger.ts';

/** What `dynamicInvoke` is sent; members and their order as they go out. */
export interface ExpectedEnvelope {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly queries?: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Value;
  };
}

const SEPARATORS: Readonly<Record<string, string>> = { ssv: ' ', tsv: '\t', pipes: '|' };

/** The request for an operation with these arguments, by facts §3; `JSON.stringify` of it is what goes out. */
export function expectedEnvelope(
  document: Node,
  operation: RawOperation,
  given: Arguments,
): ExpectedEnvelope {
  const filled = slotsOf(document, operation)
    .map((one) => ({
      ...one,
      value: one.constant ?? (one.argument === undefined ? undefined : given[one.argument]),
    }))
    .filter((one) => one.value !== undefined) as FilledSlot[];
  const isGiven = filled.some(
    ({ argument, place }) => argument !== undefined && /^(?:body|formData)$/.test(place),
  );
  const body = bodyOf(document, operation, filled, isGiven);
  const queries = Object.fromEntries(
    filled.filter(({ place }) => place === 'query').map((one) => [one.wire, written(one.value, one.node)]),
  );
  const headers = filled.filter(({ place, wire }) => place === 'header' && !/^content-type$/i.test(wire));
  const stated = filled.find(({ place, wire }) => place === 'header' && /^content-type$/i.test(wire));
  return {
    request: {
      method: operation.method,
      path: pathOf(operation, filled),
      ...(Object.keys(queries).length === 0 ? {} : { queries }),
      headers: {
        'Content-Type': stated === undefined ? (body?.type ?? 'application/json') : headerText(stated),
        ...Object.fromEntries(headers.map((one) => [one.wire, headerText(one)])),
      },
      ...(body === undefined ? {} : { body: body.value }),
    },
  };
}

interface FilledSlot extends Slot {
  readonly value: Value;
}

/** A field value has no spaces around it (RFC 9110 §5.5). */
const headerText = ({ value, node }: FilledSlot): string => written(value, node).trim();

function pathOf({ path }: RawOperation, filled: readonly FilledSlot[]): string {
  return path.replace(/^\/\{connectionId\}/, '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const slot = filled.find(({ place, wire }) => place === 'path' && wire === name);
    if (slot === undefined) return whole;
    const once = encoded(written(slot.value, slot.node));
    return slot.node['x-ms-url-encoding'] === 'double' ? encoded(once) : once;
  });
}

/** RFC 3986: all but the unreserved characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A value as text: JSON for what is no text, lists joined as `collectionFormat` says (`multi` like `csv`). */
function written(value: Value, node: Node): string {
  if (Array.isArray(value))
    return itemsOf(value)
      .map((one) => written(one, nodeOf(node.items)))
      .join(SEPARATORS[wordOf(node.collectionFormat)] ?? ',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Body {
  readonly type: string;
  readonly value: Value;
}

function bodyOf(
  document: Node,
  operation: RawOperation,
  filled: readonly FilledSlot[],
  isGiven: boolean,
): Body | undefined {
  const fields = filled.filter(({ place }) => place === 'formData');
  const declared = operation.parameters.find((one) => one.in === 'body');
  const hasForm = operation.parameters.some((one) => one.in === 'formData');
  if (hasForm) {
    const needed = operation.parameters.some((one) => one.in === 'formData' && one.required === true);
    return isGiven || needed ? formOf(operation, fields) : undefined;
  }
  if (declared === undefined || !(isGiven || declared.required === true)) return undefined;
  const whole = filled.find(({ place, wire }) => place === 'body' && wire === '');
  if (whole !== undefined && isByteBody(operation, whole)) return byteBody(operation, whole.value);
  const type = jsonType(operation.consumes);
  if (whole !== undefined) return { type, value: withInternals(document, whole.node, whole.value) };
  const members = filled.filter(({ place }) => place === 'body');
  return {
    type,
    value: Object.fromEntries(members.map((one) => [one.wire, withInternals(document, one.node, one.value)])),
  };
}

/** JSON wherever the operation takes it or says nothing; else its first type. */
function jsonType(consumes: readonly string[]): string {
  const json = consumes.length === 0 || consumes.some((type) => /^application\/json\b/i.test(type));
  return json ? 'application/json' : (consumes.find((type) => /json/i.test(type)) ?? consumes[0]!);
}

/** Bytes in their envelope; a type that is not one of bytes becomes `application/octet-stream`. */
function byteBody({ consumes }: RawOperation, content: Value): Body {
  const type = consumes.find((one) => !/json|urlencoded|multipart/i.test(one)) ?? 'application/octet-stream';
  return { type, value: { '$content-type': type, $content: content } };
}

/** Hidden members with defaults stand behind those that are given, wherever the object that has them is. */
function withInternals(document: Node, schema: Node, value: Value): Value {
  const node = merged(document, schema);
  if (Array.isArray(value))
    return itemsOf(value).map((one) => withInternals(document, nodeOf(node.items), one));
  if (!isNode(value)) return value;
  const properties = nodeOf(node.properties);
  const complete: Record<string, Value> = {};
  for (const [name, one] of Object.entries(value)) {
    const property = properties[name];
    complete[name] = property === undefined ? one : withInternals(document, merged(document, property), one);
  }
  for (const [name, property] of Object.entries(properties)) {
    const own = merged(document, property);
    if (!isInternal(own) || own.default === undefined || own.default === null) continue;
    if (complete[name] === undefined) complete[name] = own.default;
  }
  return complete;
}

function formOf({ consumes, parameters }: RawOperation, fields: readonly FilledSlot[]): Body {
  const files = parameters.some((one) => one.in === 'formData' && isBytes(one));
  const urlencoded = consumes.some((type) => /urlencoded/i.test(type));
  const parts = consumes.some((type) => /multipart/i.test(type));
  if (files || (parts && !urlencoded)) return { type: 'multipart/form-data', value: multipartOf(fields) };
  const pairs = fields.flatMap(({ wire, value, node }) =>
    node.collectionFormat === 'multi' && Array.isArray(value)
      ? itemsOf(value).map((one) => [wire, fieldText(one, nodeOf(node.items))] as const)
      : [[wire, fieldText(value, node)] as const],
  );
  return {
    type: 'application/x-www-form-urlencoded',
    value: pairs.map(([name, value]) => `${encoded(name)}=${value}`).join('&'),
  };
}

/** A form field, percent-encoded; the separators of a list stand for themselves, which decodes to the same text. */
function fieldText(value: Value, node: Node): string {
  if (!Array.isArray(value)) return encoded(written(value, node));
  const separator = SEPARATORS[wordOf(node.collectionFormat)] ?? ',';
  return itemsOf(value)
    .map((one) => encoded(written(one, nodeOf(node.items))))
    .join(separator);
}

/** Parts of bytes have a file name, by which servers know them (RFC 7578 §4.2). */
function multipartOf(fields: readonly FilledSlot[]): Value {
  const part = (wire: string, body: Value, more = '') => ({
    headers: { 'Content-Disposition': `form-data; name="${wire}"${more}` },
    body,
  });
  return {
    '$content-type': 'multipart/form-data',
    $multipart: fields.flatMap(({ wire, value, node }) => {
      const bytes = { '$content-type': 'application/octet-stream', $content: value };
      if (isBytes(node)) return part(wire, bytes, `; filename="${wire}"`);
      const several = node.collectionFormat === 'multi' && Array.isArray(value) && kindOf(node) === 'array';
      return several
        ? itemsOf(value).map((one) => part(wire, written(one, nodeOf(node.items))))
        : part(wire, written(value, node));
    }),
  };
}
