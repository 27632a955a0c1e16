import { isObject, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { MAX_PARTS_DEPTH } from './all-of.ts';

/**
 * True for a string schema whose value is bytes on the wire: Swagger 2.0 `type: file`, OpenAPI 3.0
 * `format: binary`, OpenAPI 3.1 `contentMediaType` without `contentEncoding` (§4.8.14.4).
 * `format: byte` and `contentEncoding: base64` are text on the wire and stay text; `contentEncoding: binary`, as huma
 * writes it, says that nothing is encoded.
 */
export function isBinarySchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'file') return true;
  const { type } = schema;
  const isString =
    type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isString) return false;
  if (schema.contentEncoding !== undefined) return schema.contentEncoding === 'binary';
  return schema.format === 'binary' || hasBinaryMediaType(schema);
}

function hasBinaryMediaType({ contentMediaType }: JsonObject): boolean {
  return typeof contentMediaType === 'string' && !/^text\/|json|xml|yaml/i.test(contentMediaType);
}

/**
 * The same for a schema that only leads to bytes: by reference, with null beside them (`anyOf: [bytes, null]`, as FastAPI
 * writes an optional file), or as a choice of nothing but bytes. `lists`: a list of them counts as well.
 */
export function meansBytes(
  references: References,
  schema: unknown,
  pointer: string,
  lists: boolean,
): boolean {
  const plain = references.object(schema, pointer)?.node;
  if (plain === undefined || !leadsOn(plain, lists)) return isBinarySchema(plain);
  // each node once, however often it is referred to; one that leads back to itself adds nothing
  const known = { list: new Map<object, boolean>(), item: new Map<object, boolean>() };
  const look = (below: unknown, at: string, list: boolean, depth: number): boolean => {
    const found = references.object(below, at);
    if (found === undefined || depth > MAX_PARTS_DEPTH) return false;
    const { node } = found;
    const answers = list ? known.list : known.item;
    const answered = answers.get(node);
    if (answered !== undefined) return answered;
    answers.set(node, false);
    const answer = leads(node, (part, ofList = list) => look(part, found.pointer, ofList, depth + 1), list);
    answers.set(node, answer);
    return answer;
  };
  return look(schema, pointer, lists, 0);
}

/** Nearly no schema does: most are decided by themselves. */
function leadsOn({ items, allOf, anyOf, oneOf }: JsonObject, lists: boolean): boolean {
  return (lists && items !== undefined) || [allOf, anyOf, oneOf].some(Array.isArray);
}

function leads(node: JsonObject, look: (part: unknown, list?: boolean) => boolean, lists: boolean): boolean {
  if (isBinarySchema(node)) return true;
  if (lists && node.items !== undefined && look(node.items, false)) return true;
  if (Array.isArray(node.allOf) && node.allOf.some((part) => look(part))) return true;
  return [node.anyOf, node.oneOf].some((choices) => {
    const others = Array.isArray(choices) ? choices.filter((choice) => !isNull(choice)) : [];
    return others.length > 0 && others.every((choice) => look(choice));
  });
}

/** A choice of bytes and text, as FastAPI writes `UploadFile | str`; null counts for nothing. */
export function meansBytesOrText(references: References, schema: unknown, pointer: string): boolean {
  const found = references.object(schema, pointer);
  if (found === undefined) return false;
  const { anyOf, oneOf } = found.node;
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const others = choices.filter(
    (choice) => !isNull(choice) && !meansBytes(references, choice, found.pointer, true),
  );
  const isText = (choice: unknown) => references.object(choice, found.pointer)?.node.type === 'string';
  return (
    others.length > 0 && others.length < choices.filter((one) => !isNull(one)).length && others.every(isText)
  );
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'null';
}
