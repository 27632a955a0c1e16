import { propertySchema, typesOf } from '../../operations/invocation/argument-schema.ts';
import type { JsonObject } from '../../operations/json/json.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import type { PublishedTool, Tool } from '../../operations/tool.ts';

const FREE_TEXT = 'example';
const ADDRESS = 'https://example.com/';

/** The words after `call` that try one tool: a harmless one that asks for as little as possible. */
export function exampleCall(tools: readonly PublishedTool[]): string[] | undefined {
  const candidates = tools
    .filter(({ tool }) => tool.annotations.readOnlyHint)
    .map(({ tool }) => ({ tool, words: exampleWords(tool) }))
    .filter(({ words }) => words !== undefined);
  candidates.sort(
    (left, right) => left.words!.length - right.words!.length || guesses(left.tool) - guesses(right.tool),
  );
  const [best] = candidates;
  return best === undefined ? undefined : [best.tool.name, ...best.words!];
}

/** Texts that nothing is said about: most likely names of something that has to be there. */
function guesses({ inputSchema }: Tool): number {
  const schemas = requiredNames(inputSchema).map((name) => propertySchema(inputSchema, name));
  return schemas.filter(
    (schema) => schema && schema['description'] === undefined && exampleValue(schema) === FREE_TEXT,
  ).length;
}

function requiredNames({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function exampleWords({ inputSchema }: Tool): string[] | undefined {
  const words = requiredNames(inputSchema).map((name) => exampleWord(inputSchema, name));
  return words.every((word) => word !== undefined) ? words : undefined;
}

function exampleWord(input: JsonObject, name: string): string | undefined {
  const schema = propertySchema(input, name);
  const value = schema === undefined ? undefined : exampleValue(schema, name);
  return value === undefined ? undefined : `${name}=${value}`;
}

function exampleValue(schema: JsonObject, name = ''): string | undefined {
  for (const stated of [schema['default'], firstOf(schema['examples']), firstOf(schema['enum'])]) {
    const text = scalarText(stated);
    if (text !== undefined) return text;
  }
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) {
    return `${typeof schema['minimum'] === 'number' ? Math.max(1, schema['minimum']) : 1}`;
  }
  if (types.includes('boolean')) return 'true';
  if (types.includes('string') && schema['format'] === undefined && schema['pattern'] === undefined)
    return /^ur[il]$/i.test(name) ? ADDRESS : FREE_TEXT;
  return undefined;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}
