import { HTTP_TOKEN } from '../operations/http/http-token.ts';
import { isObject, type Json, type JsonObject, type UpstreamListing } from '../operations/index.ts';

/** An argument that a 2026-07-28 server wants mirrored as `Mcp-Param-<name>` (`x-mcp-header`). */
export interface ParameterHeader {
  readonly header: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
}

const ANNOTATION = 'x-mcp-header';
const TYPES: ReadonlySet<Json> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose values are data, no schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const MAX_DEPTH = 64;

/** The annotated arguments of an input schema; undefined where an annotation breaks a rule, which makes the tool unusable. */
export function parameterHeaders(inputSchema: JsonObject): readonly ParameterHeader[] | undefined {
  const found: ParameterHeader[] = [];
  return collect(inputSchema, [], true, found, 0) && areUnique(found) ? found : undefined;
}

/** Header fields for one call; absent and null arguments have none. */
export function headersFor(
  declared: readonly ParameterHeader[],
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const { header, path } of declared) {
    const value = valueAt(args, path);
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      headers[`Mcp-Param-${header}`] = fieldValue(String(value));
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function collect(
  node: Json | undefined,
  path: readonly string[],
  reachable: boolean,
  found: ParameterHeader[],
  depth: number,
): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(node)) return node.every((child) => collect(child, path, false, found, depth + 1));
  if (!isObject(node)) return true;
  const name = node[ANNOTATION];
  if (name !== undefined) {
    if (!reachable || path.length === 0 || typeof name !== 'string' || !HTTP_TOKEN.test(name)) return false;
    if (!TYPES.has(node['type'] ?? null)) return false;
    found.push({ header: name, path });
  }
  return Object.entries(node).every(([keyword, value]) => {
    if (keyword === ANNOTATION || DATA.has(keyword)) return true;
    if (keyword !== 'properties' || !isObject(value)) return collect(value, path, false, found, depth + 1);
    return Object.entries(value).every(([property, child]) =>
      collect(child, [...path, property], reachable, found, depth + 1),
    );
  });
}

function areUnique(found: readonly ParameterHeader[]): boolean {
  return new Set(found.map(({ header }) => header.toLowerCase())).size === found.length;
}

function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let node: Json | undefined = args;
  for (const property of path)
    node = isObject(node) && Object.hasOwn(node, property) ? node[property] : undefined;
  return node;
}

/** Visible ASCII goes as it is; everything else, and what looks encoded already, in Base64. */
function fieldValue(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) && text.trim() === text && !/^=\?base64\?.*\?=$/i.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** Of the tools that have any, by name. */
export function mirroredOf(tools: UpstreamListing['tools']): ReadonlyMap<string, readonly ParameterHeader[]> {
  const found = new Map<string, readonly ParameterHeader[]>();
  for (const { name, inputSchema } of tools) {
    const declared = parameterHeaders(inputSchema);
    if (declared !== undefined && declared.length > 0) found.set(name, declared);
  }
  return found;
}
