import { ToolcribError } from '../../errors.ts';
import {
  type DynamicShape,
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  parsePointer,
  readJson,
} from '../../operations/index.ts';
import { atPath } from './answer-path.ts';
import type { ValueQuestion } from './dynamic-values.ts';
import { azureOf } from './envelope.ts';
import type { HelperAnswer, HelperCalls } from './helper-calls.ts';
import { valueBy, withValue } from './places.ts';
import { portableSchema, withInternalDefaults } from './portable-schema.ts';

/** One thing that does not fit a schema; `pointer` leads into the value. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Checks a value against a JSON Schema 2020-12; may throw for a schema that it does not take. */
export type ValidateValue = (
  schema: JsonObject,
  value: Json,
) => readonly SchemaProblem[] | Promise<readonly SchemaProblem[]>;

/** A schema that was told at run time. */
export interface ToldSchema {
  readonly schema: JsonObject;
  /** As the connector said it. */
  readonly raw: Json;
}

/** Schemas of arguments that only the connector knows. */
export interface DynamicSchemas {
  /** Rejects with ToolcribError. The same answer gives the same object. */
  schemaOf(shape: DynamicShape, question: ValueQuestion): Promise<ToldSchema>;
}

export function createDynamicSchemas(helpers: HelperCalls): DynamicSchemas {
  const known = new WeakMap<object, Map<string, ToldSchema>>();
  return {
    async schemaOf(shape, question) {
      const answer = await helpers.ask(shape, { ...question, indices: [] });
      const key = answer.value !== null && typeof answer.value === 'object' ? answer.value : undefined;
      const kept = key && known.get(key)?.get(shape.schema ?? '');
      if (kept !== undefined) return kept;
      const told = toldBy(answer, shape);
      if (key !== undefined) {
        const all = known.get(key) ?? new Map<string, ToldSchema>();
        known.set(key, all.set(shape.schema ?? '', told));
      }
      return told;
    },
  };
}

function toldBy({ value }: HelperAnswer, { operation, schema: path }: DynamicShape): ToldSchema {
  const found = atPath(value, path);
  const raw = typeof found === 'string' ? readJson(found) : found;
  const schema = raw === undefined ? undefined : portableSchema(raw);
  if (schema !== undefined) return { schema, raw: raw! };
  throw new ToolcribError('upstream_failed', `Helper ${operation} answered without a schema.`);
}

/**
 * The arguments, checked against the schemas that the connector tells now, with the defaults of internal properties.
 * Rejects with `arguments_invalid`: pointers and the schema. Where a schema cannot be had, the connector checks.
 */
export async function shapedArguments(
  schemas: DynamicSchemas,
  validate: ValidateValue,
  question: ValueQuestion,
): Promise<JsonObject> {
  const { operation } = question;
  let args = question.arguments;
  for (const shape of azureOf(operation).shapes ?? []) {
    const value = givenValue(shape, operation, args);
    if (value === undefined) continue;
    const told = await schemas.schemaOf(shape, { ...question, arguments: args }).catch(() => undefined);
    if (told === undefined) continue;
    question.signal.throwIfAborted();
    const problems = await problemsOf(validate, told.schema, value);
    if (problems.length > 0) throw refused(shape, operation, problems, told.schema);
    const filled = withInternalDefaults(told.raw, value);
    args =
      shape.argument === '' ? withBody(operation, args, filled) : withValue(args, shape.argument, filled);
  }
  return args;
}

/** A schema that the engine does not take refuses nothing: the connector checks. */
async function problemsOf(validate: ValidateValue, schema: JsonObject, value: Json) {
  try {
    return await validate(schema, value);
  } catch {
    return [];
  }
}

function givenValue({ argument }: DynamicShape, operation: Operation, args: JsonObject): Json | undefined {
  if (argument !== '') return valueBy(argument, args, []);
  const body: JsonObject = {};
  for (const { arg, name } of bodyArguments(operation)) {
    if (Object.hasOwn(args, arg)) body[name] = args[arg]!;
  }
  return body;
}

function withBody(operation: Operation, args: JsonObject, body: Json): JsonObject {
  if (!isObject(body)) return args;
  const whole = { ...args };
  for (const { arg, name } of bodyArguments(operation)) {
    if (Object.hasOwn(body, name)) whole[arg] = body[name]!;
  }
  return whole;
}

/** Arguments that are properties of the body, by their names there. */
function bodyArguments(operation: Operation): ReadonlyArray<{ readonly arg: string; readonly name: string }> {
  return azureOf(operation).bindings.flatMap((binding) =>
    binding.in === 'body' && binding.arg !== undefined ? [{ arg: binding.arg, name: binding.name }] : [],
  );
}

function refused(
  { argument }: DynamicShape,
  operation: Operation,
  problems: readonly SchemaProblem[],
  schema: JsonObject,
): ToolcribError {
  const errors = problems.map(({ pointer, message }) => ({
    pointer: argument === '' ? underArgument(operation, pointer) : `${argument}${pointer}`,
    message,
  }));
  const what =
    argument === '' ? 'The arguments do' : `Argument ${(parsePointer(argument) ?? []).join('.')} does`;
  return new ToolcribError(
    'arguments_invalid',
    `${what} not fit the schema that the connector tells now: ${errors.map((error) => error.message).join('; ')}`,
    { pointer: errors[0]!.pointer || '/', details: { errors, argument, schema } },
  );
}

function underArgument(operation: Operation, pointer: string): string {
  const [name, ...rest] = parsePointer(pointer) ?? [];
  const arg = bodyArguments(operation).find((binding) => binding.name === name)?.arg ?? name;
  return arg === undefined ? pointer : [arg, ...rest].map((token) => `/${escapeToken(token)}`).join('');
}
