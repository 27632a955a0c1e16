import { isToolcribError } from '../../errors.ts';
import type { Json, JsonObject } from '../../operations/index.ts';
import { createValidator, type Validator } from '../../validation/validator.ts';
import { painter, type Terminal } from '../terminal/terminal.ts';
import { type Field, fieldsOf } from './field.ts';
import { messageLines } from './message-lines.ts';

/**
 * Asks the person for the fields of a form, a line each (MCP, elicitation in form mode). What does not fit is asked
 * again; breaking off at any field leaves the question unanswered.
 */
export async function askForm(
  message: string,
  schema: JsonObject,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<JsonObject> {
  for (const line of messageLines(message, terminal)) terminal.note(line);
  const fields = fieldsOf(schema);
  const accept = fields.length === 0 ? 'a agree' : 'a answer';
  const key = await terminal.choose?.(`${accept}, d decline, s skip: `, ['a', 'd', 's'], signal);
  if (key === 'd') return { action: 'decline' };
  if (key !== 'a') return { action: 'cancel' };
  const validator = createValidator();
  const content: Array<readonly [string, Json]> = [];
  for (const field of fields) {
    const answer = await askField(field, validator, terminal, signal);
    if (answer === 'broken off') return { action: 'cancel' };
    if (answer !== 'left out') content.push([field.key, answer.value]);
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}

type FieldAnswer = { readonly value: Json } | 'left out' | 'broken off';

async function askField(
  field: Field,
  validator: Validator,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<FieldAnswer> {
  const paint = painter(terminal);
  for (const line of field.lines) terminal.note(paint('dim', `  ${line}`));
  let text = field.initial;
  for (;;) {
    const line = await terminal.line?.(`${field.title}: `, text, signal);
    if (line === undefined || signal.aborted) return 'broken off';
    text = line.trim();
    if (text === '' && !field.required) return 'left out';
    const fault = text === '' ? 'An answer is needed.' : undefined;
    const read = fault ?? readField(field, text, validator);
    if (typeof read !== 'string') return read;
    terminal.note(`  ${paint('yellow', read)}`);
  }
}

/** The value, or what is wrong with the text. */
function readField(field: Field, text: string, validator: Validator): { readonly value: Json } | string {
  try {
    const value = field.read(text);
    const faults = faultsOf(value, field.schema, validator);
    return faults.length === 0 ? { value } : faults.join('; ');
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return error.message;
  }
}

/** None where its server judges by a schema that cannot be checked here. */
function faultsOf(value: Json, schema: JsonObject, validator: Validator): readonly string[] {
  try {
    const outcome = validator.validate(schema, value, 'property');
    return outcome.valid ? [] : outcome.errors.map(({ message }) => inAList(message));
  } catch (error) {
    if (!isToolcribError(error) || error.code !== 'schema_refused') throw error;
    return [];
  }
}

/** A line has no properties, and its entries are counted from one. */
function inAList(message: string): string {
  return message.replace(/^property "\[(\d+)\]"/, (_whole, at: string) => `entry ${Number(at) + 1}`);
}
