import { aggregateHints, type OperationHints, readSomeHints, renderHints } from '../../hints/index.ts';
import {
  type Json,
  type JsonSchema,
  SHAPING_ARGUMENTS,
  type Tool,
  type VisibleOperation,
} from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { requiredOf } from '../calling/describe-arguments.ts';
import { LIMITS_IN_FORCE } from '../calling/list-limits.ts';
import { annotationsOf, objectSchema } from '../calling/own-tool.ts';
import { SHAPING_PROPERTIES } from '../calling/shaping-arguments.ts';
import { listed } from '../finding/hit-line.ts';
import { cutWords, purposeOf } from '../finding/purpose.ts';
import type { CategorySchema } from './category.ts';
import type { CategoryPart } from './category-parts.ts';

/** Bytes of JSON that a category tool may take. */
const LARGEST_TOOL = 5000;
/** Characters of a purpose, the first that fits; 0: actions without a line each, their names in the enum only. */
const PURPOSES = [90, 70, 55, 40, 28, 16, 0];
/** Characters of an action's required arguments. */
const ARGUMENTS = 40;
/** Purposes shorter than this leave out which arguments are required. */
const SHORT = 28;
/** Tokens of hints that are worth a heading. */
const LEAST_HINTS = 60;
const BYTES_PER_TOKEN = 4;

export interface CategoryDescription {
  readonly hintTokens: number;
  readonly schema?: CategorySchema;
  /** The tool that says how filters are written. */
  readonly filtersIn: string;
}

/** The definition of a category tool: what each action is for, then hints, within the size of one tool. */
export function describeCategory(
  name: string,
  part: CategoryPart,
  actions: ReadonlyMap<string, VisibleOperation>,
  options: CategoryDescription,
): Omit<Tool, 'name'> {
  const annotations = annotationsOf(part.operations);
  const inputSchema = inputSchemaOf(part, actions, options);
  const others = bytesOf({ name, description: '', inputSchema, annotations }) - bytesOf('');
  const sizeOf = (description: string) => others + bytesOf(description);
  const head = headOf(part, options);
  const lines = [...actions].map(([action, operation]) => lineOf(action, operation));
  for (const length of PURPOSES) {
    const shown = length === 0 ? [] : lines.map((line) => shortened(line, length));
    const description = [...head, ...shown].join('\n');
    const room = LARGEST_TOOL - sizeOf(description);
    if (room < 0 && length > 0) continue;
    const hints = hintsOf(
      part.operations,
      Math.min(options.hintTokens, Math.floor(room / BYTES_PER_TOKEN) - 8),
    );
    const whole = hints === '' ? description : `${description}\n${hints}`;
    return { description: sizeOf(whole) <= LARGEST_TOOL ? whole : description, inputSchema, annotations };
  }
  return { description: head.join('\n'), inputSchema, annotations };
}

function bytesOf(value: Json | Partial<Tool>): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function headOf({ category, title, operations }: CategoryPart, { filtersIn }: CategoryDescription): string[] {
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`;
  const about = category?.description ?? `${title}: ${count}`;
  return [
    `${cutWords(oneLine(about), 200)}. ${LIMITS_IN_FORCE} Filters: see ${filtersIn}. In brackets: arguments that are required.`,
  ];
}

/** Tags are written by whoever wrote the document. */
function oneLine(text: string): string {
  return cleanText(text).text.replace(/\s+/g, ' ').trim();
}

interface ActionLine {
  readonly action: string;
  readonly required: string;
  readonly purpose: string;
}

function lineOf(action: string, operation: VisibleOperation): ActionLine {
  const required = listed(requiredOf(operation.tool.inputSchema), ARGUMENTS);
  return { action, required, purpose: purposeOf(operation, PURPOSES[0]!) };
}

function shortened({ action, required, purpose }: ActionLine, length: number): string {
  const needed = required === '' || length < SHORT ? '' : `(${required})`;
  return `${action}${needed}: ${cutWords(purpose, length)}`;
}

/** Hints of all operations together. What each is for stands in its line; related endpoints may be none of the caller's. */
function hintsOf(operations: readonly VisibleOperation[], tokens: number): string {
  if (tokens < LEAST_HINTS) return '';
  const read = operations.flatMap((operation): OperationHints[] => {
    const hints = hintsOfOperation(operation);
    return hints === undefined ? [] : [hints];
  });
  return read.length === 0 ? '' : renderHints(aggregateHints(read), tokens);
}

/** What many operations can say together: reading everything else of them would take most of the time. */
const OF_MANY = [
  'usage',
  'failureModes',
  'errorHandling',
  'idempotent',
  'requiresConfirmation',
  'confirmationReason',
  'postprocessing',
  'pathParameters',
  'requestParameters',
  'workflow',
  'pollIntervalSeconds',
  'commonParameters',
  'parameterDetails',
] as const;
const HINTS = new WeakMap<VisibleOperation, OperationHints>();

/** Read once for an operation, however many views show it. None while its details are still being compiled: a list never waits. */
function hintsOfOperation(operation: VisibleOperation): OperationHints | undefined {
  if (operation.facts.hinted !== true) return undefined;
  let hints = HINTS.get(operation);
  if (hints === undefined) {
    try {
      hints = readSomeHints(operation.load().hints ?? {}, OF_MANY);
    } catch {
      return undefined;
    }
    HINTS.set(operation, hints);
  }
  return hints;
}

function inputSchemaOf(
  { category, operations }: CategoryPart,
  actions: ReadonlyMap<string, VisibleOperation>,
  { schema }: CategoryDescription,
): JsonSchema {
  const extra = category === undefined ? {} : schema?.(category, operations);
  return objectSchema(
    {
      ...extra,
      action: { enum: [...actions.keys()] },
      action_args: { type: 'object', description: "The operation's arguments by name" },
      resource_id: { type: ['string', 'integer'], description: 'Its last path parameter' },
      data: { type: 'object', description: 'Its body' },
      ...SHAPING_PROPERTIES,
      [SHAPING_ARGUMENTS.off]: { type: 'boolean' },
    },
    ['action'],
  );
}
