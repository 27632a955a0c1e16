import type { JsonObject, TopologyOptions, VisibleOperation } from '../../operations/index.ts';
import { chooseOperation } from '../calling/choose-operation.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from '../calling/own-tool.ts';
import type { OperationSet, OwnAnswer, ToolContext, TopologyTool } from '../topology.ts';
import { activated } from './activating.ts';
import { describeOperation } from './describe-operation.ts';
import { DEFAULT_HITS, MOST_HITS, searchAnswer } from './search-answer.ts';

/** Characters of a tool's name (MCP clients). */
const NAME = 64;
const SUFFIX = '_discover';
const TITLE = 120;

/** What one finder looks through; all of one source. */
export interface DiscoverGroup {
  /** The finder is called by it: `<name>_discover`. */
  readonly name: string;
  readonly source: string;
  readonly members: readonly VisibleOperation[];
  /** What the finder says of them: `580 of storage (Ceph storage)`. */
  readonly about: string;
}

/** Finds operations of a group, describes one, has some listed as tools. */
export function discoverTool(
  set: OperationSet,
  group: DiscoverGroup,
  { hintTokens, maxToolsPerApi }: TopologyOptions,
  taken: ReadonlySet<string>,
): TopologyTool {
  const cleaned = group.name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME - SUFFIX.length - 3);
  let own: OperationSet | undefined;
  return ownTool({
    name: freeName(`${cleaned}${SUFFIX}`, set, taken),
    operations: [],
    define: () => ({
      description: `Finds operations among ${group.about}. query ranks them, operation describes one, activate has those named listed as tools; call_tool calls any.`,
      inputSchema: objectSchema({
        query: { type: 'string' },
        operation: { type: 'string' },
        activate: { type: 'array', items: { type: 'string' }, maxItems: maxToolsPerApi },
        limit: { type: 'integer', minimum: 1, maximum: MOST_HITS },
      }),
      annotations: READS_ONLY,
    }),
    resolve(args, context) {
      own ??= ofGroup(set, group);
      return answer(own, hintTokens, args, context);
    },
  });
}

/** `name (title)`, the title cut. */
export function titled(name: string, title: string | undefined): string {
  return title === undefined ? name : `${name} (${title.slice(0, TITLE)})`;
}

/** What is asked for together is answered together; nothing asked lists the first operations. */
async function answer(
  own: OperationSet,
  hintTokens: number,
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

/** The part of a set that belongs to a group. */
function ofGroup(set: OperationSet, { source, members }: DiscoverGroup): OperationSet {
  const own = new Set(members);
  const isWhole = set.operations.every((one) => one.source !== source || own.has(one));
  return {
    operations: members,
    sources: set.sources.filter(({ name }) => name === source),
    find(name) {
      const found = [set.find(name), set.find(`${source}/${name}`)];
      return found.find((one) => one !== undefined && own.has(one));
    },
    async search(query, signal) {
      if (isWhole) return set.search({ ...query, source }, signal);
      const { limit = DEFAULT_HITS } = query;
      const hits = await set.search({ ...query, source, limit: set.operations.length }, signal);
      return hits.filter(({ operation }) => own.has(operation)).slice(0, limit);
    },
    roles: (name) => set.roles(name),
  };
}
