import type { Intent, JsonObject, TopologyOptions } from '../operations/index.ts';
import { chooseNamed } from './calling/choose-operation.ts';
import { INTENTS } from './calling/matches-filter.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from './calling/own-tool.ts';
import { queryTool } from './calling/stored-answer.ts';
import { activated } from './finding/activating.ts';
import { callTool } from './finding/call-tool.ts';
import { describeOperation } from './finding/describe-operation.ts';
import { listed } from './finding/hit-line.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import { MOST_HITS, searchAnswer } from './finding/search-answer.ts';
import type { OperationSet, OwnAnswer, ToolContext, Topology, TopologyTool } from './topology.ts';

/** Characters of the names of sources in the description. */
const SOURCES = 110;

/** Search, describe and call over every source: the list stays small however many operations there are. */
export const search: Topology = {
  name: 'search',
  shapes: true,
  keepsFound: true,
  publish: (set, options) => [
    ...pinnedTools(set, options),
    searchTool(set),
    describeTool(set, options),
    callTool(set, { shapes: true }),
    queryTool(set),
  ],
};

function searchTool(set: OperationSet): TopologyTool {
  const describe = freeName('describe_tool', set);
  const call = freeName('call_tool', set);
  return ownTool({
    name: freeName('search_tools', set),
    operations: [],
    define: () => ({
      description: `Finds operations among ${set.operations.length} of ${sourcesOf(set)}, best first: name(required arguments) METHOD /path: purpose.`,
      inputSchema: objectSchema(
        {
          query: { type: 'string', description: 'What to do, to what' },
          intent: { enum: [...INTENTS] },
          source: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: MOST_HITS },
        },
        ['query'],
      ),
      annotations: READS_ONLY,
    }),
    resolve: ({ query, intent, source, limit }, { signal }) =>
      searchAnswer(
        set,
        {
          text: String(query),
          ...(intent === undefined ? {} : { intent: intent as Intent }),
          ...(source === undefined ? {} : { source: String(source) }),
          ...(limit === undefined ? {} : { limit: Number(limit) }),
        },
        `Next: ${describe} for all arguments, or ${call}.`,
        signal,
      ),
  });
}

function describeTool(set: OperationSet, options: TopologyOptions): TopologyTool {
  return ownTool({
    name: freeName('describe_tool', set),
    operations: [],
    define: () => ({
      description: 'Purpose, arguments and hints of a found operation.',
      inputSchema: objectSchema({ name: { type: 'string' }, full: { type: 'boolean' } }, ['name']),
      annotations: READS_ONLY,
    }),
    resolve: (args, context) => describe(set, options, args, context),
  });
}

async function describe(
  set: OperationSet,
  { hintTokens }: TopologyOptions,
  { name, full }: JsonObject,
  context: ToolContext,
): Promise<OwnAnswer> {
  const { operation } = await chooseNamed(set, 'name', String(name), context.signal);
  const withHints = operation.facts.hinted === true && context.firstShown(operation.operation);
  const text = describeOperation(operation, set, { full: full === true, withHints, hintTokens });
  const isListed = await activated([operation], context);
  return {
    kind: 'answer',
    text: isListed ? `${text}\nListed as the tool ${operation.name} from now on.` : text,
  };
}

function sourcesOf({ sources }: OperationSet): string {
  return listed(
    sources.map(({ name }) => name),
    SOURCES,
  );
}
