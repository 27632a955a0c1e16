import { ToolcribError } from '../../errors.ts';
import { calledName } from '../../operations/called-name.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Operation,
  parsePointer,
  SHAPING_ARGUMENTS,
  valueAt,
} from '../../operations/index.ts';
import { withoutConstants } from '../../operations/invocation/constants.ts';
import { withDefaults } from '../../operations/invocation/left-to-defaults.ts';
import { isShallow, MAX_LEVELS } from '../../operations/json/is-shallow.ts';
import type { Validator } from '../../validation/validator.ts';
import type { Layer } from '../compose.ts';

/** Arguments are checked against the very schema that the client was shown, before anything else happens. */
export function validateArgumentsLayer(validator: Validator): Layer {
  return (call, next) => {
    if (call.problem !== undefined) throw call.problem;
    const { operation, tool } = call;
    const args = withoutConstants(operation, call.arguments);
    checkOperation(validator, operation, args, calledName(tool, operation.id));
    return next(args === call.arguments ? call : { ...call, arguments: args });
  };
}

/** `checkArguments` of an operation, whose arguments may be left to their defaults. */
export function checkOperation(
  validator: Validator,
  operation: Operation,
  args: JsonObject,
  tool: string,
  isExcused?: (value: unknown) => boolean,
): void {
  checkArguments(validator, operation.input, withDefaults(operation, args), tool, isExcused);
}

/**
 * Throws `arguments_invalid` naming every argument that does not fit.
 * @param isExcused by its value: what stands there is known later
 */
export function checkArguments(
  validator: Validator,
  schema: JsonSchema,
  args: JsonObject,
  tool: string,
  isExcused: (value: unknown) => boolean = () => false,
): void {
  if (!isShallow(args)) {
    throw new ToolcribError(
      'arguments_invalid',
      `The arguments of ${tool} have lists or objects more than ${MAX_LEVELS} levels within each other.`,
    );
  }
  const outcome = validator.validate(schema, args);
  if (outcome.valid) return;
  const errors = outcome.errors.filter(
    ({ pointer }) => !isExcused(valueAt(args, parsePointer(pointer) ?? [])),
  );
  const [first] = errors;
  if (first === undefined) return;
  throw new ToolcribError(
    'arguments_invalid',
    `The arguments of ${tool} do not fit its input schema: ${errors.map((e) => e.message).join('; ')}`,
    {
      pointer: first.pointer || '/',
      details: { errors },
      ...(asksForShape(schema, args) ? { next: UNSHAPED } : {}),
    },
  );
}

const UNSHAPED =
  'Leave them out: answers of this tool are not shaped. They are by the tools of hybrid, base, categories and search, and where the configuration says `shaping: true`.';

/** Reserved arguments of shaped calls were taken out of theirs: what is left of them stands where nothing is shaped. */
function asksForShape(schema: JsonSchema, args: JsonObject): boolean {
  const own = isObject(schema['properties']) ? schema['properties'] : {};
  const { filters, filter, fields, cursor, limit, pages, off } = SHAPING_ARGUMENTS;
  const names: readonly string[] = [fields, cursor, limit, pages, off];
  const shapes = (name: string, value: Json) =>
    names.includes(name) || name.startsWith(filter) || (name === filters && isObject(value));
  return Object.entries(args).some(([name, value]) => !Object.hasOwn(own, name) && shapes(name, value));
}
