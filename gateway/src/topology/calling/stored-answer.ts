import { ToolcribError } from '../../errors.ts';
import { type JsonObject, storedIdOf } from '../../operations/index.ts';
import type { OperationSet, OwnResult, ToolContext, TopologyTool } from '../topology.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from './own-tool.ts';
import { FILTER_GRAMMAR, SHAPING_PROPERTIES, shapingOf } from './shaping-arguments.ts';

export const QUERY_TOOL = 'query_result';

/** Reads rows of an answer that was too long to be given whole; says how filters are written, for all tools of a list. */
export function queryTool(set: OperationSet): TopologyTool {
  return ownTool({
    name: freeName(QUERY_TOOL, set),
    operations: [],
    define: () => ({
      description: `Reads rows of a long answer by the response_id that its summary names. ${FILTER_GRAMMAR} The same filters work in every call of a list, also as arguments _filter_<field>, beside _fields, _limit, _cursor, _pages.`,
      inputSchema: objectSchema({ response_id: { type: 'string' }, ...SHAPING_PROPERTIES }, ['response_id']),
      annotations: READS_ONLY,
    }),
    resolve: queryStored,
  });
}

/** Throws `response_unknown`, `filter_invalid`, `arguments_invalid`. */
export async function queryStored(args: JsonObject, context: ToolContext): Promise<OwnResult> {
  const { response_id: responseId } = args;
  if (typeof responseId !== 'string') {
    throw new ToolcribError('arguments_invalid', 'response_id must be a text.', { pointer: '/response_id' });
  }
  const { pages: _pages, off: _off, ...request } = shapingOf(args);
  // the link to a stored answer names it as well
  const id = storedIdOf(responseId) ?? responseId;
  return { kind: 'result', result: await context.queryStored({ responseId: id, ...request }) };
}
