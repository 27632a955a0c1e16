import { ToolcribError } from '../../errors.ts';
import { isObject, isRequest, type JsonObject, type Operation } from '../../operations/index.ts';
import { describeArguments, propertiesOf } from '../calling/describe-arguments.ts';
import { addArgument, asDeclared, pathBindings } from '../calling/resolved-operation.ts';

/** What a category tool is given for one action, beside its shape. */
export interface CategoryArguments {
  readonly action_args?: JsonObject;
  readonly resource_id?: string | number;
  readonly data?: JsonObject;
  /** Of the category's own properties. */
  readonly extra: JsonObject;
}

/**
 * The arguments of the operation. `action_args` pass unchanged; `resource_id` is the one path parameter that is not
 * said yet, `data` the body. Throws `arguments_invalid` for what has no place.
 */
export function operationArguments(
  operation: Operation,
  { action_args: given = {}, resource_id: id, data, extra }: CategoryArguments,
): JsonObject {
  const args: JsonObject = { ...given };
  for (const [name, value] of Object.entries(extra)) {
    if (!Object.hasOwn(propertiesOf(operation.input), name)) {
      throw refused(operation, `takes no ${name}`, `/${name}`);
    }
    addArgument(args, name, asDeclared(value, operation, name), `/${name}`);
  }
  if (data !== undefined) addData(operation, args, data);
  if (id !== undefined) addResource(operation, args, id);
  return args;
}

function addResource(operation: Operation, args: JsonObject, id: string | number): void {
  const places = resourcePlaces(operation);
  const open = places.filter((arg) => !Object.hasOwn(args, arg));
  const [only, ...others] = open;
  if (others.length > 0) {
    throw refused(
      operation,
      `needs more than resource_id: give ${open.join(', ')} in action_args`,
      '/resource_id',
    );
  }
  const last = places.at(-1);
  if (last === undefined) throw refused(operation, 'takes no resource_id', '/resource_id');
  addArgument(args, only ?? last, asDeclared(id, operation, only ?? last), '/resource_id');
}

/** Path parameters; what is no HTTP request has an only required argument, or one called `id`. */
function resourcePlaces(operation: Operation): string[] {
  const { invocation, input } = operation;
  if (isRequest(invocation)) return pathBindings(operation).map(({ arg }) => arg);
  if (Object.hasOwn(propertiesOf(input), 'id')) return ['id'];
  const required = Array.isArray(input['required']) ? (input['required'] as string[]) : [];
  return required.length === 1 ? required : [];
}

/** A body that is one argument is made of `data` whole; of other bodies each member is an argument. */
function addData(operation: Operation, args: JsonObject, data: JsonObject): void {
  const { invocation, input } = operation;
  const body = isRequest(invocation) ? invocation.bindings.filter((one) => one.in === 'body') : undefined;
  const whole = body?.find(({ name, arg }) => name === '' && arg !== undefined)?.arg;
  if (whole !== undefined) {
    const before = args[whole];
    const merged = isObject(before) ? { ...before } : undefined;
    if (merged === undefined) addArgument(args, whole, data, '/data');
    else {
      for (const [name, value] of Object.entries(data)) addArgument(merged, name, value, '/data');
      args[whole] = merged;
    }
    return;
  }
  for (const [name, value] of Object.entries(data)) {
    const arg =
      body === undefined
        ? Object.hasOwn(propertiesOf(input), name) || input['additionalProperties'] !== false
          ? name
          : undefined
        : (body.find((one) => one.name === name) ?? body.find((one) => one.arg === name))?.arg;
    if (arg === undefined) throw refused(operation, `has no ${name} in its body`, `/data/${name}`);
    addArgument(args, arg, value, `/data/${name}`);
  }
}

function refused(operation: Operation, what: string, pointer: string): ToolcribError {
  return new ToolcribError(
    'arguments_invalid',
    `The operation ${operation.id} ${what}. ${describeArguments(operation)}.`,
    { pointer },
  );
}
