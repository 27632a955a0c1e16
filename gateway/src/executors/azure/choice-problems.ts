import { type Json, type JsonObject, type ParameterChoices, parsePointer } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { primitiveText } from '../http/primitive-text.ts';
import type { ParameterOption } from './connector-room.ts';
import { type KnownOptions, optionsOf, type ValueQuestion } from './dynamic-values.ts';
import { azureOf } from './envelope.ts';
import type { HelperCalls } from './helper-calls.ts';
import { placesOf } from './places.ts';

/** An argument whose value is none of those that the connector takes now. */
export interface WrongChoice {
  readonly pointer: string;
  readonly value: Json | undefined;
  readonly known: KnownOptions;
  /** The value is the title of this one. */
  readonly meant?: ParameterOption;
}

/** How far to look. */
export interface ChoiceBounds {
  /** Arguments, at most. */
  readonly arguments: number;
  /** False: lists that go on are passed over. */
  readonly incomplete: boolean;
}

const SHOWN = 20;
const MAX_LENGTH = 100;

/**
 * The given arguments that are none of their values now. A miss is looked at once more without what was known. Trees
 * are passed over: what lies deeper in one is as good. What cannot be listed is wrong in nobody's eyes.
 */
export async function wrongChoices(
  helpers: HelperCalls,
  question: ValueQuestion,
  bounds: ChoiceBounds,
): Promise<readonly WrongChoice[]> {
  const wrong: WrongChoice[] = [];
  let looked = 0;
  for (const choices of azureOf(question.operation).choices ?? []) {
    if (choices.kind === 'tree') continue;
    const places = placesOf(choices.argument, question.arguments).filter(({ value }) => isChosen(value));
    if (places.length === 0) continue;
    if (looked++ >= bounds.arguments) break;
    for (const { pointer, value, indices } of places) {
      const known = await lookUp(helpers, choices, question, value, indices);
      if (known === undefined || has(known, value)) continue;
      if (!known.complete && !bounds.incomplete) continue;
      const meant = titled(known, value);
      wrong.push({ pointer, value, known, ...(meant === undefined ? {} : { meant }) });
    }
  }
  return wrong;
}

async function lookUp(
  helpers: HelperCalls,
  choices: ParameterChoices,
  question: ValueQuestion,
  value: Json,
  indices: readonly number[],
): Promise<KnownOptions | undefined> {
  try {
    const known = await optionsOf(helpers, choices, question, { indices });
    if (known.asked || has(known, value)) return known;
    return await optionsOf(helpers, choices, question, { indices, fresh: true });
  } catch (error) {
    if (question.signal.aborted) throw error;
    return undefined;
  }
}

/** One sentence for each, with the values that are valid. */
export function explainChoices(wrong: readonly WrongChoice[]): string {
  return wrong.map(explainChoice).join(' ');
}

/** The same for programs: pointer and the first values of each. */
export function choiceDetails(wrong: readonly WrongChoice[]): JsonObject[] {
  return wrong.map(({ pointer, known }) => ({
    argument: pointer,
    options: known.options.slice(0, SHOWN).map(({ value, title }) => ({
      value,
      ...(title === undefined ? {} : { title: shown(title) }),
    })),
    complete: known.complete && known.options.length <= SHOWN,
  }));
}

function explainChoice({ pointer, value, known, meant }: WrongChoice): string {
  const name = (parsePointer(pointer) ?? []).join('.');
  const given = value === undefined ? '' : ` "${shown(primitiveText(value))}" is none of them.`;
  const hint =
    meant === undefined ? '' : ` It is the title of "${shown(primitiveText(meant.value))}": give that value.`;
  if (known.options.length === 0) return `${name} has no values to choose from now.${given}`;
  const list = known.options.slice(0, SHOWN).map(worded).join(', ');
  const rest = known.options.length - SHOWN;
  const more = rest > 0 ? `, and ${rest} more` : known.complete ? '' : ', and others';
  return `Values of ${name} now: ${list}${more}.${given}${hint}`;
}

function worded({ value, title }: ParameterOption): string {
  const text = shown(primitiveText(value));
  return title === undefined || title === text ? text : `${text} (${shown(title)})`;
}

/** What strangers named: short, on one line, with nothing hidden in it. */
function shown(text: string): string {
  return cleanText(text.replace(/\s+/g, ' '), { maxLength: MAX_LENGTH }).text;
}

function isChosen(value: Json): boolean {
  return value !== null && value !== '' && typeof value !== 'object';
}

function has({ options }: KnownOptions, value: Json): boolean {
  const text = primitiveText(value);
  return options.some((option) => primitiveText(option.value) === text);
}

function titled({ options }: KnownOptions, value: Json): ParameterOption | undefined {
  const text = primitiveText(value).trim().toLowerCase();
  return options.find(({ title }) => title?.trim().toLowerCase() === text);
}
