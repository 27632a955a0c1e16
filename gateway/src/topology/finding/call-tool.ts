import { type JsonObject, type JsonSchema, SHAPING_ARGUMENTS } from '../../operations/index.ts';
import { argumentsOf } from '../calling/call-tool.ts';
import { chooseNamed } from '../calling/choose-operation.ts';
import { LIMITS_IN_FORCE } from '../calling/list-limits.ts';
import { misplacedArguments } from '../calling/misplaced-arguments.ts';
import { annotationsOf, freeName, objectSchema, ownTool } from '../calling/own-tool.ts';
import { resolvedOperation, withPlaceholders } from '../calling/resolved-operation.ts';
import { SHAPING_PROPERTIES, shapingOf } from '../calling/shaping-arguments.ts';
import { QUERY_TOOL } from '../calling/stored-answer.ts';
import type { OperationSet, ToolContext, TopologyTool } from '../topology.ts';
import { activated } from './activating.ts';

const CALL: JsonSchema = Object.freeze({ name: { type: 'string' }, arguments: { type: 'object' } });

/** Calls any operation of the set by its name; what was called once is listed from then on. */
export function callTool(set: OperationSet, { shapes }: { readonly shapes: boolean }): TopologyTool {
  const own: TopologyTool = ownTool({
    name: freeName('call_tool', set),
    operations: set.operations,
    define: () => ({
      description: shapes
        ? `Calls a found operation by its name. ${LIMITS_IN_FORCE} Filters: see ${QUERY_TOOL}.`
        : 'Calls a found operation by its name.',
      inputSchema: objectSchema(
        shapes
          ? { ...CALL, ...SHAPING_PROPERTIES, [SHAPING_ARGUMENTS.off]: { type: 'boolean' } }
          : { ...CALL },
        ['name'],
      ),
      annotations: annotationsOf(set.operations),
    }),
    resolve: (args, context) => resolve(set, args, context, shapes),
    advise: async (args) => misplacedArguments(own.tool, 'arguments', args),
  });
  return own;
}

async function resolve(set: OperationSet, args: JsonObject, context: ToolContext, shapes: boolean) {
  const { name, arguments: given, ...shaping } = args;
  const { operation, placeholders } = await chooseNamed(set, 'name', String(name), context.signal);
  await activated([operation], context);
  const loaded = operation.load();
  const filled = withPlaceholders(loaded, argumentsOf(given), placeholders);
  if (!shapes) return { operation: loaded, arguments: filled };
  return resolvedOperation(operation.facts, loaded, filled, shapingOf(shaping));
}
