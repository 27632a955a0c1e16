import { readHints, relatedOperations, renderHints } from '../../hints/index.ts';
import type { VisibleOperation } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';
import { hitLine } from './hit-line.ts';
import { cutWords } from './purpose.ts';
import { shortSchema } from './short-schema.ts';

/** Characters of a description, and of an arguments schema in JSON: about 150 and 600 tokens. */
const DESCRIPTION = 600;
const SCHEMA = 2400;
/** The same where everything is asked for. */
const WHOLE_DESCRIPTION = 4000;
const MOST_RELATED = 6;

export interface DescriptionOptions {
  /** The schema whole, and the hints again. */
  readonly full: boolean;
  /** The caller was not shown its hints lately. */
  readonly withHints: boolean;
  /** Tokens that hints may take. */
  readonly hintTokens: number;
}

/** What a model needs to call an operation: what it is for, what it takes, what its service advises. */
export function describeOperation(
  operation: VisibleOperation,
  set: OperationSet,
  { full, withHints, hintTokens }: DescriptionOptions,
): string {
  const { tool, facts } = operation;
  const { schema, whole } = full
    ? { schema: tool.inputSchema, whole: true }
    : shortSchema(tool.inputSchema, SCHEMA);
  return [
    `${placeOf(operation)} (${facts.access}${facts.deprecated ? ', deprecated' : ''})`,
    cutWords(tool.description.trim(), full ? WHOLE_DESCRIPTION : DESCRIPTION),
    `Arguments: ${JSON.stringify(schema)}`,
    ...(whole ? [] : ['Shortened; full: true shows the whole schema.']),
    ...(facts.hinted === true ? hintsOf(operation, set, withHints || full, hintTokens) : []),
  ].join('\n');
}

/** `getPet GET /pets/{id}`: the line of a hit without its purpose. */
function placeOf(operation: VisibleOperation): string {
  const { name, source, facts } = operation;
  return facts.http ? `${name} ${facts.http.method} ${facts.http.path}` : `${name} [${source}]`;
}

function hintsOf(
  operation: VisibleOperation,
  set: OperationSet,
  shown: boolean,
  hintTokens: number,
): string[] {
  if (!shown) return ['has_hints: true (shown before; full: true shows them again)'];
  const { hints: given } = operation.load();
  if (given === undefined) return [];
  // of related endpoints only those are named that the caller may call
  const { relatedEndpoints, ...hints } = readHints(given);
  const text = renderHints(hints, hintTokens);
  return [...(text === '' ? [] : [`Hints:\n${text}`]), ...relatedTo(relatedEndpoints, operation, set)];
}

function relatedTo(
  relatedEndpoints: readonly string[] | undefined,
  { source, facts: { id } }: VisibleOperation,
  set: OperationSet,
): string[] {
  if (relatedEndpoints === undefined) return [];
  const neighbours = set.operations.filter((one) => one.source === source);
  const byId = new Map(neighbours.map((one) => [one.facts.id, one]));
  const lines = relatedOperations(
    { relatedEndpoints },
    neighbours.map(({ facts }) => facts),
  )
    .filter((related) => related !== id)
    .slice(0, MOST_RELATED)
    .map((related) => hitLine(byId.get(related)!));
  return lines.length === 0 ? [] : [`Related:\n${lines.join('\n')}`];
}
