import { ToolcribError } from '../../errors.ts';
import type { Connection, Json, JsonObject, Operation, ParameterChoices } from '../../operations/index.ts';
import { atPath, isParentRow, rowsAt } from './answer-path.ts';
import type { ParameterOption } from './connector-room.ts';
import type { HelperCalls } from './helper-calls.ts';

/** A call, as far as the values of its arguments matter. */
export interface ValueQuestion {
  readonly operation: Operation;
  readonly arguments: JsonObject;
  /** Of the source. */
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

/** What one argument accepts now. */
export interface KnownOptions {
  readonly options: readonly ParameterOption[];
  /** False: the connector has more than these. */
  readonly complete: boolean;
  /** False: known from somebody's question within the last minute. */
  readonly asked: boolean;
}

const MAX_OPTIONS = 2000;

/**
 * The values that an argument accepts now, in the connector's order, each once. `indices`: what stands for each `*` of
 * its pointer; `parent`: a tree node to open (its row or its value). Rejects with ToolcribError.
 */
export async function optionsOf(
  helpers: HelperCalls,
  choices: ParameterChoices,
  question: ValueQuestion,
  at: { readonly indices?: readonly number[]; readonly parent?: Json; readonly fresh?: boolean } = {},
): Promise<KnownOptions> {
  const { indices = [], parent, fresh = false } = at;
  const opened = parent === undefined || parent === null ? undefined : choices.browse;
  if (parent !== undefined && parent !== null && opened === undefined) {
    throw new ToolcribError(
      'arguments_invalid',
      `The values of ${choices.argument} are a plain list: there is nothing to open.`,
    );
  }
  const answer = await helpers.ask(opened ?? choices, {
    ...question,
    indices,
    fresh,
    ...(opened === undefined ? {} : { parent: parent! }),
  });
  const rows = rowsAt(answer.value, opened === undefined ? choices.items : (opened.items ?? choices.items));
  if (rows === undefined) {
    throw new ToolcribError(
      'upstream_failed',
      `Helper ${choices.operation} answered without the list of values.`,
    );
  }
  const options = distinct(rows, choices);
  return {
    options: options.slice(0, MAX_OPTIONS),
    complete: !answer.more && options.length <= MAX_OPTIONS,
    asked: answer.asked,
  };
}

function distinct(rows: readonly Json[], choices: ParameterChoices): readonly ParameterOption[] {
  const seen = new Map<string, ParameterOption>();
  for (const row of rows) {
    const option = optionOf(row, choices);
    if (option === undefined) continue;
    const key = JSON.stringify(option.value);
    if (!seen.has(key)) seen.set(key, option);
  }
  return [...seen.values()];
}

function optionOf(row: Json, { value: path, title: titlePath, isParent, kind }: ParameterChoices) {
  const plain = row === null || typeof row !== 'object';
  const value = plain ? row : atPath(row, path);
  if (value === undefined || value === null || value === '') return undefined;
  const title = plain || titlePath === undefined ? undefined : atPath(row, titlePath);
  const said = typeof title === 'string' || typeof title === 'number' ? String(title) : undefined;
  return {
    value,
    ...(said === undefined ? {} : { title: said }),
    ...(kind === 'tree' && isParentRow(row, isParent) ? { parent: true } : {}),
  };
}
