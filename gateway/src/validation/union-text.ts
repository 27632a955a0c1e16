import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../operations/index.ts';
import { describeSchema } from './describe.ts';

const MAX_NAMES = 10;

/** Whether a value fits, but more than one branch of a `oneOf`: of an answer that says nothing to anybody. */
export function fitsSeveral({ params }: ErrorObject): boolean {
  return Array.isArray((params as Record<string, unknown>)['passingSchemas']);
}

/** What fits too much after what does not fit. */
export function severalLast(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.toSorted((a, b) => Number(fitsSeveral(a)) - Number(fitsSeveral(b)));
}

/** What is wrong with a value of a union: it fits too many of its forms, or none. */
export function unionText(
  name: string,
  params: Record<string, unknown>,
  alternatives: unknown,
  root: JsonSchema | boolean,
  got: () => string,
): string {
  const forms = Array.isArray(alternatives) ? alternatives : [];
  const passing: unknown = params['passingSchemas'];
  if (Array.isArray(passing)) {
    const fitting = new Set(passing.map((place: number) => describeSchema(forms[place], root)));
    return `${name} fits more than one of its forms: ${[...fitting].join('; ')}. Make it fit one`;
  }
  const shown = [...new Set(forms.map((form) => describeSchema(form, root)))];
  const more = shown.length > MAX_NAMES ? `, or ${shown.length - MAX_NAMES} other forms` : '';
  return `${name} must be ${shown.slice(0, MAX_NAMES).join(', or ')}${more}; it is ${got()}`;
}
