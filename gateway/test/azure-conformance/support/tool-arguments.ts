import {
  type Arguments,
  fullArguments,
  type Node,
  type RawOperation,
  rawOperations,
  slotsOf,
  type Value,
} from '../../azure-seed/expectations/expected-envelope.ts';
import { isNode, itemsOf, merged, nodeOf } from '../../azure-seed/expectations/raw-swagger.ts';
import type { ConnectorDocument } from '../../doubles/arm/arm.ts';

/** Fits the schema that helpers of the double tell where nobody scripted another. */
const FITTING: Value = { subject: 'Subject', amount: 7 };

/**
 * Arguments of an operation with values that the double takes: by the document, and by the schema that it tells at run
 * time for what the document leaves open.
 */
export function callArguments(
  swagger: Node,
  operation: RawOperation,
  which: typeof fullArguments = fullArguments,
): Arguments {
  const nodes = new Map(slotsOf(swagger, operation).map(({ argument, node }) => [argument, node]));
  return Object.fromEntries(
    Object.entries(which(swagger, operation)).map(([name, value]) => [
      name,
      told(swagger, nodes.get(name), value),
    ]),
  );
}

/** The operation of a tool by its id. Throws where the document has none of that id, or two. */
export function rawOperation({ name, swagger }: ConnectorDocument, operationId: string): RawOperation {
  const [found, ...others] = rawOperations(swagger).filter(({ id }) => id === operationId);
  if (found === undefined || others.length > 0)
    throw new Error(`${name}.${operationId}: ${others.length} more`);
  return found;
}

function told(swagger: Node, schema: unknown, value: Value): Value {
  const node = merged(swagger, schema);
  if (node['x-ms-dynamic-schema'] !== undefined || node['x-ms-dynamic-properties'] !== undefined)
    return FITTING;
  if (Array.isArray(value)) return itemsOf(value).map((one) => told(swagger, node.items, one));
  if (!isNode(value)) return value;
  const properties = nodeOf(node.properties);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, told(swagger, properties[name], one)]),
  );
}
