import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type DynamicShape, escapeToken, type Json, type ParameterChoices } from '../../operations/index.ts';
import type { ParameterOptions } from './connector-room.ts';
import type { DynamicSchemas } from './dynamic-schema.ts';
import { optionsOf, type ValueQuestion } from './dynamic-values.ts';
import { azureOf } from './envelope.ts';
import type { HelperCalls } from './helper-calls.ts';
import { fits, indicesOf } from './places.ts';

/** What somebody wants to know of an operation's arguments. */
export interface OptionsQuestion extends ValueQuestion {
  /** Name of an argument, or JSON Pointer into the arguments; absent: all that have choices or a schema of their own. */
  readonly argument?: string;
  /** A tree node to open: its value, or its whole row. */
  readonly parent?: Json;
}

/**
 * What arguments accept now. Rejects with `arguments_invalid` where the argument has no choices or another one has to
 * be given first, and as the connector's failures do; asked about all arguments, such reasons stand in `problem`.
 */
export type FindParameterOptions = (question: OptionsQuestion) => Promise<readonly ParameterOptions[]>;

export function createParameterOptions(helpers: HelperCalls, schemas: DynamicSchemas): FindParameterOptions {
  return async (question) => {
    const { choices = [], shapes = [] } = azureOf(question.operation);
    const { argument } = question;
    if (argument === undefined) {
      const { parent: _one, ...all } = question;
      return Promise.all([
        ...choices.map((choice) => orProblem(choice.argument, () => listed(choice, all))),
        ...shapes.map((shape) => orProblem(shape.argument, () => told(shape, all))),
      ]);
    }
    const pointer =
      argument === '' || argument.startsWith('/')
        ? argument
        : `/${escapeToken(argument.replace(/^#\/?/, ''))}`;
    const chosen = choices.filter((choice) => isMeant(choice.argument, pointer));
    const shaped = shapes.filter((shape) => isMeant(shape.argument, pointer));
    if (chosen.length + shaped.length === 0) throw withoutChoices(argument, choices, shapes);
    const alone = chosen.length + shaped.length === 1;
    const guard = alone ? (_: string, find: () => Promise<ParameterOptions>) => find() : orProblem;
    return Promise.all([
      ...chosen.map((choice) => guard(choice.argument, () => listed(choice, question, pointer))),
      ...shaped.map((shape) => guard(shape.argument, () => told(shape, question))),
    ]);
  };

  async function listed(
    choice: ParameterChoices,
    { parent, ...question }: OptionsQuestion,
    pointer = choice.argument,
  ): Promise<ParameterOptions> {
    const indices = indicesOf(choice.argument, pointer);
    const known = await optionsOf(helpers, choice, question, {
      indices,
      ...(parent === undefined ? {} : { parent }),
    });
    return { argument: choice.argument, options: known.options, complete: known.complete };
  }

  async function told(shape: DynamicShape, question: ValueQuestion): Promise<ParameterOptions> {
    const { schema } = await schemas.schemaOf(shape, question);
    return { argument: shape.argument, schema };
  }
}

/** The argument itself, an item of it, or something within it. */
function isMeant(own: string, pointer: string): boolean {
  return own === pointer || fits(own, pointer) || own.startsWith(`${pointer}/`);
}

async function orProblem(argument: string, find: () => Promise<ParameterOptions>): Promise<ParameterOptions> {
  try {
    return await find();
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return { argument, problem: error.message };
  }
}

function withoutChoices(
  argument: string,
  choices: readonly ParameterChoices[],
  shapes: readonly DynamicShape[],
): ToolcribError {
  const others = [...choices, ...shapes].map((one) => one.argument || '/');
  const which = others.length === 0 ? 'This tool has none.' : `Those that have: ${others.join(', ')}.`;
  return new ToolcribError(
    'arguments_invalid',
    `Argument ${argument} has no values or schema that the connector would tell. ${which}`,
    { pointer: '/parameter' },
  );
}
