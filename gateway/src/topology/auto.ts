import type {
  PublishedTool,
  TokenCount,
  TokenEstimate,
  TopologyName,
  TopologyOptions,
} from '../operations/index.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import { flat } from './flat.ts';
import { givenText, toolEstimate, toolTokens } from './given-text.ts';
import { isTopologyTool, type OperationSet, type Topology } from './topology.ts';

/** One topology that was looked at. */
export interface Considered {
  readonly name: TopologyName;
  /** Number of tools. */
  readonly tools: number;
  /** o200k; where it does not fit, counting ended as soon as that was sure. */
  readonly tokens: number;
  readonly fits: boolean;
  /** The tools are so small that nothing was counted: `tokens` is the most that they can have. */
  readonly atMost?: true;
  /** They are so few, or so many, that nothing was counted: `tokens` is an estimate. */
  readonly about?: true;
}

export interface TopologyChoice {
  readonly took: TopologyName;
  readonly tools: readonly PublishedTool[];
  /** From the richest to the one taken. */
  readonly considered: readonly Considered[];
  /** Nothing fits. */
  readonly warning?: string;
}

/** From the richest, by how much can be called without asking for it first. */
const RICHEST_FIRST: readonly TopologyName[] = ['flat', 'hybrid', 'discover', 'categories', 'search', 'base'];

/** How tools are measured. */
export interface Measuring {
  readonly count: TokenCount;
  /** Absent: every list that is not tiny is counted. */
  readonly estimate?: (text: string) => TokenEstimate;
}

/** A list is not counted where it fits even with so many times what is likely. */
const SURELY = 1.5;

/**
 * The richest topology whose list fits `tokenBudget`. A tool is looked at after the other until that is decided, so that
 * a huge catalog costs no more than the budget. Pure, given that the measuring is.
 */
export function chooseTopology(
  set: OperationSet,
  options: TopologyOptions,
  measuring: Measuring,
  topologies: Readonly<Record<string, Topology>>,
): TopologyChoice {
  const considered: Considered[] = [];
  let last: Candidate | undefined;
  for (const candidate of candidates(set, options, topologies)) {
    const { took, tools } = candidate;
    const looked = { name: took, tools: tools.length, ...measure(tools, options.tokenBudget, measuring) };
    considered.push(looked);
    last = candidate;
    if (looked.fits) return { ...last, considered };
  }
  const { took, tools } = last ?? { took: flat.name, tools: flat.publish(set, options) };
  const warning = `No topology fits tokenBudget ${options.tokenBudget}: took ${took}, ${tools.length} tools. Pin fewer operations or raise the budget.`;
  return { took, tools, considered, warning };
}

/** Takes the richest as `chooseTopology` does, and says of every candidate what it costs: to choose for other budgets. */
export function measureCandidates(
  set: OperationSet,
  options: TopologyOptions,
  count: TokenCount,
  topologies: Readonly<Record<string, Topology>>,
): TopologyChoice {
  const choice = chooseTopology(set, options, { count }, topologies);
  const considered = [...candidates(set, options, topologies)].map(({ took, tools }): Considered => {
    const tokens = tools.reduce((sum, tool) => sum + toolTokens(tool, count), 0);
    return { name: took, tools: tools.length, tokens, fits: tokens <= options.tokenBudget };
  });
  return { ...choice, considered };
}

interface Candidate {
  readonly took: TopologyName;
  readonly tools: readonly PublishedTool[];
}

/** What can be taken, richest first; published when it is looked at. */
function* candidates(
  set: OperationSet,
  options: TopologyOptions,
  topologies: Readonly<Record<string, Topology>>,
): Generator<Candidate> {
  for (const name of RICHEST_FIRST) {
    const topology = Object.hasOwn(topologies, name) ? topologies[name] : undefined;
    if (topology === undefined) continue;
    const tools = topology.publish(set, options);
    if (name === 'discover' && !listsSources(tools, set, options)) continue;
    yield { took: name, tools };
  }
}

/** Discovering is worth its place only where it lists whole sources; else hybrid and categories say more for less. */
function listsSources(tools: readonly PublishedTool[], set: OperationSet, options: TopologyOptions): boolean {
  return tools.filter((tool) => !isTopologyTool(tool)).length > pinnedTools(set, options).length;
}

type Measured = Pick<Considered, 'tokens' | 'fits' | 'atMost' | 'about'>;

function measure(tools: readonly PublishedTool[], budget: number, { count, estimate }: Measuring): Measured {
  const most = mostTokens(tools, budget, bytesOf) ?? mostTokens(tools, budget, givenBytes);
  if (most !== undefined) return { tokens: most, fits: true, atMost: true };
  const plain = estimate === undefined ? undefined : estimated(tools, budget, estimate);
  if (plain !== undefined) return plain;
  const tokens = sumUpTo(budget, tools, (tool) => toolTokens(tool, count));
  return { tokens, fits: tokens <= budget };
}

/** Undefined: only counting settles it. */
function estimated(
  tools: readonly PublishedTool[],
  budget: number,
  estimate: (text: string) => TokenEstimate,
): Measured | undefined {
  const least = sumUpTo(budget, tools, (tool) => toolEstimate(tool, estimate).least);
  if (least > budget) return { tokens: least, fits: false, about: true };
  const likely = sumUpTo(budget / SURELY, tools, (tool) => toolEstimate(tool, estimate).likely);
  if (likely > budget / SURELY) return undefined;
  return { tokens: Math.round(likely), fits: true, about: true };
}

/** A token has at least one byte: so many bytes are no more tokens. Undefined: the bytes alone do not settle it. */
function mostTokens(
  tools: readonly PublishedTool[],
  budget: number,
  sizeOf: (tool: PublishedTool) => number,
): number | undefined {
  const bytes = sumUpTo(budget, tools, sizeOf);
  return bytes > budget ? undefined : bytes;
}

/** Ends as soon as it is more than that. */
function sumUpTo(
  most: number,
  tools: readonly PublishedTool[],
  sizeOf: (tool: PublishedTool) => number,
): number {
  let sum = 0;
  for (const tool of tools) {
    sum += sizeOf(tool);
    if (sum > most) break;
  }
  return sum;
}

/** The whole tool, with what stays with the client: known without reading it. */
function bytesOf(published: PublishedTool): number {
  const bytes = published.bytes?.();
  if (bytes !== undefined) return bytes.byteLength;
  return Buffer.byteLength(published.json?.() ?? JSON.stringify(published.tool));
}

function givenBytes(published: PublishedTool): number {
  return Buffer.byteLength(givenText(published));
}
