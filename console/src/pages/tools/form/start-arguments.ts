import type { Json, JsonObject } from '../../../components/json/json-values.ts';
import { fieldOf } from './field.ts';
import type { Schema } from './schema.ts';

/** Arguments of an empty form: nothing but what can only be one value and is needed. */
export function startArguments(schema: Schema): JsonObject {
  const { control } = fieldOf({ type: 'object', ...schema }, schema);
  if (control.kind !== 'object') return {};
  const entries = control.members.flatMap(({ name, required, schema: member }): Array<[string, Json]> => {
    const { control: own } = fieldOf(member, schema);
    return required && own.kind === 'constant' ? [[name, own.value]] : [];
  });
  return Object.fromEntries(entries);
}
