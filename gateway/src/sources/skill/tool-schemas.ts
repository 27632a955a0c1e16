import { lintSchema } from '../../compiler/lint-schema.ts';
import { isObject, type JsonSchema } from '../../operations/index.ts';
import { InvalidTool, type Member, type Note } from './tool-members.ts';

/** A manifest has many of them, and each is published. */
const BUDGET = { schemas: 4000, depth: 64, total: 250_000 };

/** The schema of a tool's arguments; absent: anything. Throws InvalidTool. */
export function inputSchema(member: Member | undefined, note: Note): JsonSchema {
  if (member === undefined) return { type: 'object' };
  const code = 'skill-tool-input';
  if (!isObject(member.value) || (member.value['type'] ?? 'object') !== 'object')
    throw new InvalidTool(code, 'input_schema is a JSON Schema with type object.', member.path);
  return { type: 'object', ...safeSchema(member, code, note) };
}

/** The schema of the object that a tool answers with; undefined for other answers. Throws InvalidTool. */
export function outputSchema(member: Member | undefined, note: Note): JsonSchema | undefined {
  if (member === undefined) return undefined;
  const code = 'skill-tool-output';
  if (!isObject(member.value)) throw new InvalidTool(code, 'output_schema is a JSON Schema.', member.path);
  const schema = safeSchema(member, code, note);
  if (schema['type'] === 'object') return schema;
  note(code, 'output_schema has type object, or it is not published.', member.path, 'warning');
  return undefined;
}

function safeSchema({ value, path }: Member, code: string, note: Note): JsonSchema {
  const { $schema: _dialect, ...given } = value as JsonSchema;
  const { schema, diagnostics } = lintSchema(given, { budget: BUDGET });
  const [first] = diagnostics;
  if (!isObject(schema)) throw new InvalidTool(code, first?.message ?? 'The schema cannot be used.', path);
  for (const { pointer, message } of diagnostics)
    note(code, message, [...path, ...pointer.split('/').slice(1)], 'warning');
  return schema;
}
