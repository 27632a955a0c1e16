import { ToolcribError } from '../../errors.ts';
import {
  type Binding,
  type HelperCall,
  type HelperParameter,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  parsePointer,
} from '../../operations/index.ts';
import { atPath } from './answer-path.ts';
import { azureOf, type ConnectorRequest, connectorRequest } from './envelope.ts';
import { valueBy } from './places.ts';

/** What the parameters of a helper are taken from. */
export interface HelperFacts {
  /** Whose argument is asked about. */
  readonly operation: Operation;
  readonly arguments: JsonObject;
  /** What stands for each `*` of its pointer. */
  readonly indices: readonly number[];
  /** The tree node that is opened: the row, or its value alone. */
  readonly parent?: Json;
}

/**
 * The request of a helper operation. Throws `arguments_invalid` where an argument has to be given first (its pointer),
 * or holds what no request can carry.
 */
export function helperRequest(helper: Operation, call: HelperCall, facts: HelperFacts): ConnectorRequest {
  const placing = new Placing(helper);
  for (const [name, parameter] of Object.entries(call.parameters)) {
    const value = givenValue(parameter, facts);
    if (value !== undefined && value !== null) placing.put(name, value);
    else if ('argument' in parameter && placing.needs(name)) throw firstNeeded(parameter.argument);
  }
  return connectorRequest(placing.operation(), placing.arguments());
}

function givenValue(
  parameter: HelperParameter,
  { operation, arguments: args, indices, parent }: HelperFacts,
) {
  if ('value' in parameter) return parameter.value;
  if ('selected' in parameter) return isObject(parent) ? atPath(parent, parameter.selected) : parent;
  return valueBy(parameter.argument, args, indices) ?? defaultOf(operation, parameter.argument);
}

/** What the service takes where a top-level argument is left out. */
function defaultOf({ input }: Operation, pointer: string): Json | undefined {
  const [name, ...below] = parsePointer(pointer) ?? [];
  const properties = input['properties'];
  if (name === undefined || below.length > 0 || !isObject(properties)) return undefined;
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(schema) ? schema['default'] : undefined;
}

function firstNeeded(pointer: string): ToolcribError {
  const name = (parsePointer(pointer) ?? []).join('.');
  return new ToolcribError('arguments_invalid', `Give ${name} first: the choice depends on it.`, {
    pointer,
    details: { needs: pointer },
  });
}

/** Puts values, by their names on the wire, into the bindings of one operation. */
class Placing {
  readonly #helper: Operation;
  readonly #bindings: Binding[];
  readonly #args: JsonObject = {};

  constructor(helper: Operation) {
    this.#helper = helper;
    this.#bindings = [...azureOf(helper).bindings];
  }

  /** A value that stands in the document for all callers is replaced, as a caller of the connector may. */
  put(name: string, value: Json): void {
    const at = this.#find(name);
    if (at >= 0) this.#args[this.#argument(at)] = value;
    else this.#putBody(name, value);
  }

  needs(name: string): boolean {
    const required = this.#helper.input['required'];
    const at = this.#find(name);
    const arg = this.#bindings[at < 0 ? this.#whole() : at]?.arg;
    return arg !== undefined && Array.isArray(required) && required.includes(arg);
  }

  operation(): Operation {
    return { ...this.#helper, invocation: { ...azureOf(this.#helper), bindings: this.#bindings } };
  }

  /** With the defaults of what is required and not given. */
  arguments(): JsonObject {
    const properties = this.#helper.input['properties'];
    for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
      const fallback = isObject(schema) ? schema['default'] : undefined;
      if (fallback !== undefined && !Object.hasOwn(this.#args, name)) this.#args[name] = fallback;
    }
    return this.#args;
  }

  #find(name: string): number {
    const plain = this.#bindings.findIndex((binding) => binding.in !== 'body' && binding.name === name);
    if (plain >= 0) return plain;
    const property = name.replace(/^body\//, '');
    return this.#bindings.findIndex(
      (binding) =>
        (binding.in === 'body' && binding.name !== '' && binding.name === property) ||
        (binding.in === 'header' && binding.name.toLowerCase() === name.toLowerCase()),
    );
  }

  #whole(): number {
    return this.#bindings.findIndex((binding) => binding.in === 'body' && binding.name === '');
  }

  #argument(at: number): string {
    const binding = this.#bindings[at]!;
    if (binding.arg !== undefined) return binding.arg;
    const arg = `constant ${at}`;
    const { const: _stated, inject: _injected, ...rest } = binding;
    this.#bindings[at] = { ...rest, arg } as Binding;
    return arg;
  }

  /** The whole body (`` or `body`), a part of it (`body/a/b`), or the body parameter under whatever name it has. */
  #putBody(name: string, value: Json): void {
    const whole = this.#whole();
    const below = name.split('/').slice(1);
    if (whole >= 0) {
      const arg = this.#argument(whole);
      this.#args[arg] = below.length === 0 ? value : nested(this.#args[arg], below, value);
    } else if (below.length === 0 && isObject(value)) {
      for (const [property, member] of Object.entries(value)) this.#putProperty(property, member);
    } else if (below.length > 1) {
      const at = this.#find(`body/${below[0]}`);
      if (at < 0) return;
      const arg = this.#argument(at);
      this.#args[arg] = nested(this.#args[arg], below.slice(1), value);
    }
  }

  #putProperty(name: string, value: Json): void {
    const at = this.#bindings.findIndex((binding) => binding.in === 'body' && binding.name === name);
    if (at >= 0) this.#args[this.#argument(at)] = value;
  }
}

function nested(into: Json | undefined, path: readonly string[], value: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const base: JsonObject = isObject(into) ? into : {};
  const child = Object.hasOwn(base, name) ? base[name] : undefined;
  return { ...base, [name]: nested(child, rest, value) };
}
