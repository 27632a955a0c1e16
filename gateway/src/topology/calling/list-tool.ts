import { ToolcribError } from '../../errors.ts';
import { readHints, relatedOperations, renderHints } from '../../hints/index.ts';
import type { Intent, JsonObject, TopologyOptions, VisibleOperation } from '../../operations/index.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { categoryIndex } from '../category/category-index.ts';
import { hitLine } from '../finding/hit-line.ts';
import type { OperationSet, OwnAnswer, ToolContext, TopologyTool } from '../topology.ts';
import { INTENTS, type ListFilter, passesFilter } from './matches-filter.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from './own-tool.ts';

/** Rows of one answer where nothing is said: with words, and without. */
const FOUND = 8;
const LISTED = 25;
const MOST_ROWS = 100;
/** Categories that an error names. */
const MOST_NAMED = 60;

const PROPERTIES = Object.freeze({
  search: { type: 'string' },
  intent: { enum: [...INTENTS] },
  category: { type: 'string' },
  method: { type: 'string' },
  source: { type: 'string' },
  include_hints: { type: 'boolean' },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS },
  cursor: { type: 'string' },
});

/** Finds operations, best first, one line each. */
export function listTool(name: string, set: OperationSet, options: TopologyOptions): TopologyTool {
  return ownTool({
    name: freeName(name, set),
    operations: set.operations,
    define: () => ({
      description: 'Finds operations, best first: id(required arguments) METHOD /path: purpose.',
      inputSchema: objectSchema(PROPERTIES),
      annotations: READS_ONLY,
    }),
    resolve: (args, context) => answer(args, context, set, options),
  });
}

async function answer(
  args: JsonObject,
  context: ToolContext,
  set: OperationSet,
  options: TopologyOptions,
): Promise<OwnAnswer> {
  const text = typeof args['search'] === 'string' ? args['search'].trim() : '';
  const found = await findOperations(args, text, context, set, options);
  const offset = offsetOf(args['cursor']);
  const limit = Number(args['limit'] ?? (text === '' ? LISTED : FOUND));
  const rows = found.slice(offset, offset + limit);
  const lines = rows.map((operation) =>
    row(operation, args['include_hints'] === true, context, set, options),
  );
  const next = offset + rows.length;
  if (rows.length === 0) lines.push(offset === 0 ? 'No operation fits.' : 'No more operations.');
  else if (next < found.length) lines.push(`${found.length - next} more: cursor "${next}".`);
  return { kind: 'answer', text: lines.join('\n') };
}

async function findOperations(
  args: JsonObject,
  text: string,
  { signal }: ToolContext,
  set: OperationSet,
  options: TopologyOptions,
): Promise<readonly VisibleOperation[]> {
  const { intent, method, source, category } = args;
  const filter: ListFilter = {
    ...(typeof intent === 'string' ? { intent: intent as Intent } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof source === 'string' ? { source: sourceNamed(source, set) } : {}),
  };
  const named = typeof category === 'string' ? { category } : {};
  const members =
    named.category === undefined ? undefined : categoryIndex(set, options).members(named.category);
  const isMember = ({ operation }: VisibleOperation) => members?.has(operation) ?? true;
  if (text === '' && (named.category === undefined || members !== undefined)) {
    return set.operations.filter((operation) => isMember(operation) && passesFilter(operation.facts, filter));
  }
  const hits = await set.search({ text, ...filter, ...named, limit: MOST_ROWS }, signal);
  if (hits.length === 0 && named.category !== undefined && members === undefined) {
    await refuseUnknown(named.category, set, options, signal);
  }
  return hits.map(({ operation }) => operation).filter(isMember);
}

/** A search may know a category by another name: what it finds nothing in does not exist. */
async function refuseUnknown(
  category: string,
  set: OperationSet,
  options: TopologyOptions,
  signal: AbortSignal,
): Promise<void> {
  if ((await set.search({ category, limit: 1 }, signal)).length > 0) return;
  const { names } = categoryIndex(set, options);
  throw new ToolcribError(
    'arguments_invalid',
    `There is no category ${JSON.stringify(category.slice(0, 100))}.${didYouMean(category, names)} There is ${names.slice(0, MOST_NAMED).join(', ')}.`,
    { pointer: '/category' },
  );
}

function sourceNamed(name: string, { sources, operations }: OperationSet): string {
  const names = new Set([...sources.map((source) => source.name), ...operations.map(({ source }) => source)]);
  if (names.has(name)) return name;
  throw new ToolcribError(
    'arguments_invalid',
    `There is no source ${JSON.stringify(name.slice(0, 100))}; there is ${[...names].join(', ')}.`,
    { pointer: '/source' },
  );
}

function row(
  operation: VisibleOperation,
  withHints: boolean,
  context: ToolContext,
  set: OperationSet,
  { hintTokens }: TopologyOptions,
): string {
  const line = hitLine(operation);
  if (!withHints || operation.facts.hinted !== true) return line;
  if (!context.firstShown(operation.operation)) return `${line} (has_hints: true)`;
  const text = hintsOf(operation, set, hintTokens);
  return text === '' ? line : `${line}\n  ${text.replaceAll('\n', '\n  ')}`;
}

/** Of related endpoints only those are named that the caller may call. */
function hintsOf(operation: VisibleOperation, set: OperationSet, tokens: number): string {
  const given = operation.load().hints;
  if (given === undefined) return '';
  const { relatedEndpoints, ...hints } = readHints(given);
  if (relatedEndpoints === undefined) return renderHints(hints, tokens);
  const neighbours = set.operations.filter(({ source }) => source === operation.source);
  const related = relatedOperations(
    { relatedEndpoints },
    neighbours.map(({ facts }) => facts),
  );
  return renderHints(related.length === 0 ? hints : { ...hints, relatedEndpoints: related }, tokens);
}

function offsetOf(cursor: unknown): number {
  if (cursor === undefined) return 0;
  if (typeof cursor === 'string' && /^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new ToolcribError('cursor_invalid', 'The cursor is not one of an earlier answer.', {
    pointer: '/cursor',
  });
}
