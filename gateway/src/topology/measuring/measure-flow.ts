import type {
  FlowTokens,
  JsonObject,
  PublishedTool,
  TokenCount,
  VisibleOperation,
} from '../../operations/index.ts';
import { purposeOf } from '../finding/purpose.ts';
import { isTopologyTool, type ToolContext, type TopologyTool } from '../topology.ts';
import { sampleArguments } from './typical-operation.ts';

interface Step {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Search, describe, call: the tools of a topology and what is said to them. */
type Flow = (operation: VisibleOperation, query: string) => readonly [Step, Step, Step];

const FLOWS: Readonly<Record<string, Flow>> = Object.freeze({
  search: (operation, query) => [
    { tool: 'search_tools', arguments: { query } },
    { tool: 'describe_tool', arguments: { name: operation.name } },
    { tool: 'call_tool', arguments: { name: operation.name, arguments: sampleArguments(operation) } },
  ],
  discover: (operation, query) => [
    { tool: `${operation.source}_discover`, arguments: { query } },
    { tool: `${operation.source}_discover`, arguments: { operation: operation.name } },
    { tool: 'call_tool', arguments: { name: operation.name, arguments: sampleArguments(operation) } },
  ],
  hybrid: endpointFlow('list_endpoints', 'get_schema', 'call_endpoint'),
  base: endpointFlow('list_api_endpoints', 'get_reference_schema', 'call_api_endpoint'),
});

function endpointFlow(list: string, schema: string, call: string): Flow {
  return (operation, query) => [
    { tool: list, arguments: { search: query } },
    { tool: schema, arguments: { ref: operation.operation } },
    { tool: call, arguments: { operation: operation.facts.id, arguments: sampleArguments(operation) } },
  ];
}

/** Undefined where the operation is called without searching, or the topology is not known here. */
export async function measureFlow(
  topology: string,
  tools: readonly PublishedTool[],
  operation: VisibleOperation,
  count: TokenCount,
): Promise<FlowTokens | undefined> {
  const flow = Object.hasOwn(FLOWS, topology) ? FLOWS[topology] : undefined;
  if (flow === undefined) return undefined;
  const [search, describe, call] = flow(operation, purposeOf(operation, QUERY));
  const [searching, describing, calling] = [search, describe, call].map((step) => toolOf(tools, step));
  if (searching === undefined || describing === undefined || calling === undefined) return undefined;
  const said = (step: Step) => count(JSON.stringify({ name: step.tool, arguments: step.arguments }));
  const found = said(search) + count(await answerOf(searching, search));
  const described = said(describe) + count(await answerOf(describing, describe));
  const called = said(call);
  return { search: found, describe: described, call: called, total: found + described + called };
}

/** Characters of a question. */
const QUERY = 80;

function toolOf(tools: readonly PublishedTool[], { tool }: Step): TopologyTool | undefined {
  const found = tools.find(({ name }) => name === tool);
  return found !== undefined && isTopologyTool(found) ? found : undefined;
}

async function answerOf(tool: TopologyTool, { arguments: args }: Step): Promise<string> {
  const answer = await tool.resolve(args, FIRST_TIME);
  return 'kind' in answer && answer.kind === 'answer' ? answer.text : '';
}

/** A caller who is shown everything for the first time, and whose client does not follow lists. */
const FIRST_TIME: ToolContext = Object.freeze({
  signal: new AbortController().signal,
  firstShown: () => true,
  activate: async () => false,
  queryStored: () => Promise.reject(new Error('nothing is stored while tokens are measured')),
});
