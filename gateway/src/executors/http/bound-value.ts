import { ToolcribError } from '../../errors.ts';
import { type Binding, escapeToken, type Json, type JsonObject } from '../../operations/index.ts';

/** What a binding sends: its constant, or its own argument; undefined when that was not given. */
export function boundValue(binding: Binding, args: JsonObject): Json | undefined {
  if (binding.arg === undefined) return binding.const;
  return Object.hasOwn(args, binding.arg) ? args[binding.arg] : undefined;
}

/**
 * The error for a value that cannot be sent: `arguments_invalid` with a pointer to the argument, or
 * `source_invalid` where the document itself fixed the value. `reason` continues "Argument x …".
 */
export function refusedValue(binding: Binding, reason: string, below = ''): ToolcribError {
  if (binding.arg === undefined) {
    return new ToolcribError(
      'source_invalid',
      `The constant of ${binding.in} parameter ${binding.name} ${reason}.`,
    );
  }
  return new ToolcribError('arguments_invalid', `Argument ${binding.arg} ${reason}.`, {
    pointer: `/${escapeToken(binding.arg)}${below}`,
  });
}

/** Runs one binding's serialisation; text that is no Unicode (a lone surrogate) is refused under its name. */
export function serialised<T>(binding: Binding, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof URIError) throw refusedValue(binding, 'holds half a surrogate pair');
    throw error;
  }
}
