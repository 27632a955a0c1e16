import type { JsonObject, TopologyOptions, VisibleOperation } from '../operations/index.ts';
import { chooseOperation } from './calling/choose-operation.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from './calling/own-tool.ts';
import { activated } from './finding/activating.ts';
import { callTool } from './finding/call-tool.ts';
import { describeOperation } from './finding/describe-operation.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import { MOST_HITS, searchAnswer } from './finding/search-answer.ts';
import type { OperationSet, OwnAnswer, ToolContext, Topology, TopologyTool } from './topology.ts';

/** Characters of a tool's name (MCP clients). */
const NAME = 64;
const SUFFIX = '_discover';

/**
 * Small sources are listed as they are; each larger one has a tool that finds its operations and lists them on demand.
 * Answers are not shaped: an operation answers alike, listed or not.
 */
export const discover: Topology = {
  name: 'discover',
  shapes: false,
  keepsFound: true,
  publish(set, options) {
    const bySource = Map.groupBy(set.operations, ({ source }) => source);
    const large = [...bySource].filter(([, operations]) => operations.length > options.maxToolsPerApi);
    if (large.length === 0) return set.operations;
    const hidden = new Set(large.map(([source]) => source));
    const direct = new Set<VisibleOperation>([
      ...set.operations.filter(({ source }) => !hidden.has(source)),
      ...pinnedTools(set, options),
    ]);
    const taken = new Set<string>();
    const finders = large.map(([source, operations]) => {
      const finder = discoverTool(set, source, operations.length, options, taken);
      taken.add(finder.name);
      return finder;
    });
    return [...direct, ...finders, callTool(set, { shapes: false })];
  },
};

function discoverTool(
  set: OperationSet,
  source: string,
  count: number,
  options: TopologyOptions,
  taken: ReadonlySet<string>,
): TopologyTool {
  const cleaned = source.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME - SUFFIX.length - 3);
  let own: OperationSet | undefined;
  const title = set.sources.find(({ name }) => name === source)?.title;
  return ownTool({
    name: freeName(`${cleaned}${SUFFIX}`, set, taken),
    operations: [],
    define: () => ({
      description: `Finds operations among ${count} of ${source}${title === undefined ? '' : ` (${title.slice(0, 120)})`}. query ranks them, operation describes one, activate has those named listed as tools; call_tool calls any.`,
      inputSchema: objectSchema({
        query: { type: 'string' },
        operation: { type: 'string' },
        activate: { type: 'array', items: { type: 'string' }, maxItems: options.maxToolsPerApi },
        limit: { type: 'integer', minimum: 1, maximum: MOST_HITS },
      }),
      annotations: READS_ONLY,
    }),
    resolve(args, context) {
      own ??= ofSource(set, source);
      return answer(own, source, options, args, context);
    },
  });
}

/** What is asked for together is answered together; nothing asked lists the first operations. */
async function answer(
  own: OperationSet,
  source: string,
  { hintTokens }: TopologyOptions,
  { query, operation, activate, limit }: JsonObject,
  context: ToolContext,
): Promise<OwnAnswer> {
  const parts: string[] = [];
  if (Array.isArray(activate) && activate.length > 0) {
    parts.push(await activation(own, activate.map(String), context));
  }
  if (typeof operation === 'string') {
    const { operation: chosen } = await chooseOperation(own, { operation }, context.signal);
    const withHints = chosen.facts.hinted === true && context.firstShown(chosen.operation);
    parts.push(describeOperation(chosen, own, { full: false, withHints, hintTokens }));
  }
  if (typeof query === 'string' || parts.length === 0) {
    const asked = {
      source,
      ...(typeof query === 'string' ? { text: query } : {}),
      ...(typeof limit === 'number' ? { limit } : {}),
    };
    const next = 'Next: operation describes one, activate lists some as tools, call_tool calls one.';
    parts.push((await searchAnswer(own, asked, next, context.signal)).text);
  }
  return { kind: 'answer', text: parts.join('\n\n') };
}

async function activation(
  own: OperationSet,
  names: readonly string[],
  context: ToolContext,
): Promise<string> {
  const chosen: VisibleOperation[] = [];
  for (const operation of names) {
    chosen.push((await chooseOperation(own, { operation }, context.signal)).operation);
  }
  const tools = chosen.map(({ name }) => name).join(', ');
  return (await activated(chosen, context))
    ? `Listed as tools from now on: ${tools}.`
    : `Your client does not follow changes of its list: use call_tool for ${tools}.`;
}

/** The part of a set that belongs to one source. */
function ofSource(set: OperationSet, source: string): OperationSet {
  return {
    operations: set.operations.filter((one) => one.source === source),
    sources: set.sources.filter(({ name }) => name === source),
    find(name) {
      const found = set.find(name);
      return found?.source === source ? found : set.find(`${source}/${name}`);
    },
    search: (query, signal) => set.search({ ...query, source }, signal),
    roles: (name) => set.roles(name),
  };
}
