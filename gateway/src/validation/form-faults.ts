import type { Json, JsonObject } from '../operations/index.ts';
import type { ValidationProblem } from './explain-errors.ts';
import { createValidator } from './validator.ts';

const validator = createValidator();

/** What of an answered form does not fit it; nothing where its schema cannot be checked here. */
export function formFaults(
  form: JsonObject,
  content: Json,
): readonly Pick<ValidationProblem, 'pointer' | 'message'>[] {
  try {
    const outcome = validator.validate(form, content, 'property');
    return outcome.valid ? [] : outcome.errors;
  } catch {
    return [];
  }
}
