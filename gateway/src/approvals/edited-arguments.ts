import { isObject, type JsonObject } from '../operations/index.ts';
import { roundedNumber, roundedWords } from '../operations/text/rounded-number.ts';

/** The arguments that a person edited as JSON text; a sentence says why they cannot be taken. */
export function editedArguments(text: unknown): JsonObject | string {
  if (typeof text !== 'string') return NO_OBJECT;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NO_OBJECT;
  }
  if (!isObject(value)) return NO_OBJECT;
  if (hasPrototypeKey(value)) return 'An argument cannot be called "__proto__".';
  const digits = roundedNumber(text);
  return digits === undefined ? value : roundedWords(digits);
}

const NO_OBJECT = 'The edited arguments are no JSON object.';

/** At any depth; read from JSON such a member is one of the object itself. */
export function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some(hasPrototypeKey);
}
