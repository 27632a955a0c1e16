import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import type { OperationSet, Resolution, ToolContext, TopologyTool } from '../topology.ts';
import { chooseOperation, type OperationTarget } from './choose-operation.ts';
import { LIMITS_IN_FORCE } from './list-limits.ts';
import { misplacedArguments } from './misplaced-arguments.ts';
import { annotationsOf, freeName, objectSchema, ownTool } from './own-tool.ts';
import { resolvedOperation, withPlaceholders } from './resolved-operation.ts';
import { FILTER_GRAMMAR, SHAPING_PROPERTIES, shapingOf } from './shaping-arguments.ts';
import { queryStored } from './stored-answer.ts';

export interface CallToolOptions {
  /** The tool reads stored answers too: it takes a `response_id`. */
  readonly readsStored?: boolean;
}

const PROPERTIES: JsonSchema = Object.freeze({
  operation: { type: 'string' },
  method: { type: 'string' },
  path: { type: 'string', description: 'Template or filled in' },
  arguments: { type: 'object' },
});

const REST: JsonSchema = Object.freeze({
  ...SHAPING_PROPERTIES,
  pages: { type: 'integer', minimum: 1 },
  no_optimize: { type: 'boolean' },
});

/** Calls any operation of the set, named by id or by method and path. */
export function callTool(
  name: string,
  set: OperationSet,
  { readsStored = false }: CallToolOptions = {},
): TopologyTool {
  const own: TopologyTool = ownTool({
    name: freeName(name, set),
    operations: set.operations,
    define: () => ({
      description: descriptionOf(readsStored),
      inputSchema: objectSchema({
        ...PROPERTIES,
        ...(readsStored ? { response_id: { type: 'string' } } : {}),
        ...REST,
      }),
      annotations: annotationsOf(set.operations),
    }),
    resolve: (args, context) => resolve(args, context, set),
    advise: async (args) => misplacedArguments(own.tool, 'arguments', args),
  });
  return own;
}

function descriptionOf(readsStored: boolean): string {
  const stored = readsStored
    ? ` Long answers name a response_id: give it instead of an operation to read on. ${FILTER_GRAMMAR}`
    : ' Long answers name a response_id for query_result, which says how to filter.';
  return `Calls an operation by id, or method and path. ${LIMITS_IN_FORCE}${stored} no_optimize: the answer as it is.`;
}

async function resolve(args: JsonObject, context: ToolContext, set: OperationSet): Promise<Resolution> {
  if (args['response_id'] !== undefined) return storedAnswer(args, context);
  const { operation, placeholders } = await chooseOperation(set, targetOf(args), context.signal);
  const loaded = operation.load();
  const given = withPlaceholders(loaded, argumentsOf(args['arguments']), placeholders);
  return resolvedOperation(operation.facts, loaded, given, shapingOf(args));
}

function storedAnswer(args: JsonObject, context: ToolContext): Promise<Resolution> {
  const mixed = ['operation', 'method', 'path', 'arguments'].find((name) => args[name] !== undefined);
  if (mixed === undefined) return queryStored(args, context);
  throw new ToolcribError(
    'arguments_invalid',
    `A response_id reads a stored answer; ${mixed} has no meaning beside it.`,
    { pointer: `/${mixed}` },
  );
}

function targetOf({ operation, method, path }: JsonObject): OperationTarget {
  return {
    ...(typeof operation === 'string' ? { operation } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof path === 'string' ? { path } : {}),
  };
}

export function argumentsOf(given: Json | undefined): JsonObject {
  if (given === undefined || given === null) return {};
  return isObject(given) ? given : {};
}
