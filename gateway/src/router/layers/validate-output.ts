import type { CompletedResult } from '../../operations/index.ts';
import type { Validator } from '../../validation/validator.ts';
import type { Layer } from '../compose.ts';

/**
 * Structured results are checked against the published output schema. A mismatch is the document's fault as
 * often as the service's: by default the caller gets the result with a warning, in strict mode an error.
 */
export function validateOutputLayer(validator: Validator, strict: boolean): Layer {
  return async (call, next) => {
    const result = await next(call);
    const schema = call.operation.output;
    if (
      result.kind !== 'completed' ||
      result.error ||
      schema === undefined ||
      result.structured === undefined
    )
      return result;
    await validator.ready();
    const outcome = validator.validate(schema, result.structured);
    if (outcome.valid) return result;
    const problem = outcome.errors
      .slice(0, 3)
      .map((e) => `${e.pointer || '/'} ${e.message}`)
      .join('; ');
    return strict ? refused(result, problem) : warned(result, problem);
  };
}

function warned(result: CompletedResult, problem: string): CompletedResult {
  const warning = `The answer does not fit its output schema: ${problem}`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: `Note: ${warning}` }],
    warnings: [...(result.warnings ?? []), warning],
  };
}

function refused(result: CompletedResult, problem: string): CompletedResult {
  const { structured: _withheld, ...rest } = result;
  const message = `The answer does not fit its output schema: ${problem}`;
  return {
    ...rest,
    content: [{ type: 'text', text: `output_invalid: ${message}` }],
    error: { code: 'output_invalid', message },
  };
}
