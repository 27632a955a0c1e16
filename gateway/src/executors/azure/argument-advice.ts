import { isToolcribError, type ToolcribError } from '../../errors.ts';
import { type Call, isObject, type ParameterChoices } from '../../operations/index.ts';
import { reworded } from '../../operations/text/reworded.ts';
import { choiceDetails, explainChoices, type WrongChoice } from './choice-problems.ts';
import { optionsOf, type ValueQuestion } from './dynamic-values.ts';
import { azureOf } from './envelope.ts';
import type { HelperCalls } from './helper-calls.ts';
import { fits, indicesOf, valueBy } from './places.ts';

/** Adds to an error what the caller could have chosen; never throws, and gives other errors back as they are. */
export type ArgumentAdvice = (error: unknown, call: Call) => Promise<unknown>;

/** What explaining may cost: nobody waits longer than that for a better error. */
export const ADVICE_BOUNDS = { arguments: 3, milliseconds: 5000 };

/**
 * For `arguments_invalid` of an operation with choices: the values that the arguments named accept now, in the message
 * and in `details.options`. Arguments that are missing count.
 */
export function createArgumentAdvice(helpers: HelperCalls): ArgumentAdvice {
  return async (error, call) => {
    const { operation, connection } = call;
    if (!isToolcribError(error) || error.code !== 'arguments_invalid' || call.dryRun) return error;
    if (connection === undefined || operation.invocation.kind !== 'azure') return error;
    if (error.details?.['options'] !== undefined) return error;
    const named = pointersOf(error);
    const choices = (azureOf(operation).choices ?? []).flatMap((choice) => {
      const place = named.find((pointer) => fits(choice.argument, pointer));
      return place === undefined ? [] : [{ choice, place }];
    });
    if (choices.length === 0) return error;
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(ADVICE_BOUNDS.milliseconds)]);
    const question = { operation, arguments: call.arguments, connection, signal };
    const found = await Promise.all(
      choices
        .slice(0, ADVICE_BOUNDS.arguments)
        .map(({ choice, place }) => known(helpers, choice, place, question)),
    );
    const wrong = found.filter((one) => one !== undefined);
    return wrong.length === 0 ? error : advised(error, wrong);
  };
}

async function known(
  helpers: HelperCalls,
  choice: ParameterChoices,
  pointer: string,
  question: ValueQuestion,
): Promise<WrongChoice | undefined> {
  try {
    const indices = indicesOf(choice.argument, pointer);
    const options = await optionsOf(helpers, choice, question, { indices });
    const value = valueBy(pointer, question.arguments, []);
    return { pointer, value: typeof value === 'object' ? undefined : value, known: options };
  } catch {
    return undefined;
  }
}

/** Where the arguments do not fit. */
function pointersOf({ pointer, details }: ToolcribError): readonly string[] {
  const errors = details?.['errors'];
  const named = Array.isArray(errors)
    ? errors.flatMap((error: unknown) =>
        isObject(error) && typeof error['pointer'] === 'string' ? [error['pointer']] : [],
      )
    : [];
  return pointer === undefined ? named : [pointer, ...named];
}

function advised(error: ToolcribError, wrong: readonly WrongChoice[]): ToolcribError {
  return reworded(error, `${error.message} ${explainChoices(wrong)}`, {
    details: { ...error.details, options: choiceDetails(wrong) },
  });
}
