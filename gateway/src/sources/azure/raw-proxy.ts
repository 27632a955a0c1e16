import { isObject, type JsonObject } from '../../operations/index.ts';

/** A parameter, or a property of the body. */
export interface NamedInput {
  readonly name: string;
  readonly node: JsonObject;
}

/** What tells whether an operation sends any request that its arguments say. */
export interface ProxyFacts {
  readonly operationId: string | undefined;
  readonly path: string;
  readonly node: JsonObject;
  readonly inputs: readonly NamedInput[];
}

const BY_ID = /^(?:invoke|send|execute)?_?http_?request(?:_?v?\d+)?$|^mcp_|^invoke_?mcp/i;
const BY_PATH = /\/http_?request(?:_?v?\d+)?\/?$|\/mcp\/?$/i;
const TARGET = /^(?:(?:request|target|relative|resource|endpoint|http|api)[-_ ]?)?(?:uri|url)$/i;
const METHOD = /^(?:(?:http|request)[-_ ]?)?(?:method|verb)$/i;
const VERB = /^(?:get|post|put|patch|delete|head|options)$/i;
/** These store an address to be called later; they call none. */
const STORES = /hook|callback|subscri/i;

/**
 * True for a way around the connector's own operations: what such a call does is in its arguments, so that no access
 * level fits it. `HttpRequest` and its like, MCP servers behind a connector, a target with a method.
 */
export function isRawProxy({ operationId = '', path, node, inputs }: ProxyFacts): boolean {
  if (BY_ID.test(operationId) || BY_PATH.test(path)) return true;
  if (node['x-ms-agentic-protocol'] !== undefined) return true;
  if (STORES.test(operationId)) return false;
  return inputs.some(({ name }) => TARGET.test(name)) && inputs.some(isMethod);
}

function isMethod({ name, node }: NamedInput): boolean {
  if (!METHOD.test(name)) return false;
  const items = isObject(node.items) ? node.items.enum : undefined;
  const values = node.enum ?? items ?? (node.default === undefined ? [] : [node.default]);
  if (!Array.isArray(values) || values.length === 0) return true;
  return values.every((value) => typeof value === 'string' && VERB.test(value));
}
