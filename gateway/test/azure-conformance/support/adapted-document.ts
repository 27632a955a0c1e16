import type { Node, Value } from '../../azure-seed/expectations/expected-envelope.ts';
import { follow, isInternal, isNode, itemsOf, nodeOf } from '../../azure-seed/expectations/raw-swagger.ts';

/**
 * The document as a caller of `dynamicInvoke` must read it, for a judge that knows plain HTTP and JSON Schema only:
 *
 * - Azure fills in `/{connectionId}` itself;
 * - what is internal, optional and without a default is no caller's business;
 * - values of `x-ms-enum-values` are an `enum`;
 * - a body that only a helper describes is an object;
 * - `items` of what is no list say nothing;
 * - bytes go in an envelope of their own, whatever the operation consumes.
 */
export function adaptedDocument(swagger: Node): Node {
  const paths = Object.entries(nodeOf(swagger.paths)).map(
    ([path, item]) => [path.replace(/^\/\{connectionId\}/, '') || '/', adapted(swagger, item)] as const,
  );
  const { definitions, parameters } = swagger;
  return {
    ...swagger,
    paths: Object.fromEntries(paths),
    ...(definitions === undefined ? {} : { definitions: members(swagger, definitions) }),
    ...(parameters === undefined ? {} : { parameters: members(swagger, parameters) }),
  };
}

const members = (swagger: Node, map: Value): Node =>
  Object.fromEntries(Object.entries(nodeOf(map)).map(([name, one]) => [name, adapted(swagger, one)]));

function adapted(swagger: Node, value: Value): Value {
  if (Array.isArray(value)) return itemsOf(value).map((one) => adapted(swagger, one));
  if (!isNode(value)) return value;
  const copy: Record<string, Value> = {};
  for (const [name, child] of Object.entries(value)) {
    if (name === 'parameters' && Array.isArray(child)) copy[name] = declared(swagger, itemsOf(child));
    else if (name === 'properties' && isNode(child)) copy[name] = properties(swagger, child, value);
    else if (name !== 'default' && name !== 'example' && name !== 'enum')
      copy[name] = adapted(swagger, child);
    else copy[name] = child;
  }
  return { ...inSchema(copy), ...bytes(swagger, value) };
}

const isNobodys = (node: Node, required: boolean): boolean =>
  isInternal(node) && !required && (node.default === undefined || node.default === null);

/** Without what nobody is asked for, and the one that Azure fills in. */
function declared(swagger: Node, list: readonly Value[]): Value {
  return list
    .filter((one) => {
      const parameter = follow(swagger, one);
      const filledIn = parameter.in === 'path' && parameter.name === 'connectionId';
      return !filledIn && !isNobodys(parameter, parameter.required === true);
    })
    .map((one) => adapted(swagger, one));
}

function properties(swagger: Node, map: Node, owner: Node): Value {
  const required = itemsOf(owner.required);
  const kept = Object.entries(map).filter(
    ([name, one]) => !isNobodys({ ...follow(swagger, one), ...nodeOf(one) }, required.includes(name)),
  );
  return Object.fromEntries(kept.map(([name, one]) => [name, adapted(swagger, one)]));
}

function inSchema(node: Node): Node {
  const { items, ...rest } = node;
  const named = itemsOf(node['x-ms-enum-values']).flatMap((one) => nodeOf(one).value ?? []);
  const told = node['x-ms-dynamic-schema'] !== undefined || node['x-ms-dynamic-properties'] !== undefined;
  const list = typeof node.type !== 'string' || node.type === 'array';
  return {
    ...rest,
    ...(items === undefined || !list ? {} : { items }),
    ...(named.length === 0 || node.enum !== undefined ? {} : { enum: named }),
    ...(told && node.type === undefined && node.properties === undefined ? { type: 'object' } : {}),
  };
}

/** What an operation consumes whose body is bytes: what its own header says, else bytes. */
function bytes(swagger: Node, operation: Node): Node {
  const parameters = itemsOf(operation.parameters).map((one) => follow(swagger, one));
  const body = parameters.find((one) => one.in === 'body');
  if (follow(swagger, body?.schema).format !== 'binary') return {};
  const stated = parameters.find((one) => one.in === 'header' && one.name === 'Content-Type')?.default;
  return { consumes: [stated ?? 'application/octet-stream'] };
}
