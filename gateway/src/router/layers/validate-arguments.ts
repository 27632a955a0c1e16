import { ToolcribError } from '../../errors.ts';
import type { Validator } from '../../validation/validator.ts';
import type { Layer } from '../compose.ts';

/** Arguments are checked against the very schema that the client was shown, before anything else happens. */
export function validateArgumentsLayer(validator: Validator): Layer {
  return async (call, next) => {
    await validator.ready();
    const outcome = validator.validate(call.operation.input, call.arguments);
    if (outcome.valid) return next(call);
    const [first] = outcome.errors;
    throw new ToolcribError(
      'arguments_invalid',
      `The arguments of ${call.tool} do not fit its input schema: ${outcome.errors.map((e) => e.message).join('; ')}`,
      {
        ...(first === undefined ? {} : { pointer: first.pointer || '/' }),
        details: { errors: outcome.errors },
      },
    );
  };
}
