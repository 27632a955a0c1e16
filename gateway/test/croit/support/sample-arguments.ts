import type { Tool } from '@modelcontextprotocol/client';

type Schema = Readonly<Record<string, unknown>>;

/** Text that must be encoded wherever it stands, with a slash in it. */
const AWKWARD = 'a b/ü%&+';
const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
const DEEPEST = 6;

/**
 * Arguments that the tool's schema accepts: everything that is required, and the first two that need not be said. The
 * same in every run.
 */
export function sampleArguments({ inputSchema }: Pick<Tool, 'inputSchema'>): Record<string, unknown> {
  const root = inputSchema as Schema;
  const { properties = {}, required = [] } = root as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const named = [...required, ...optional.slice(0, 2)];
  return Object.fromEntries(named.map((name) => [name, sample(properties[name], root, 0)]));
}

function sample(given: unknown, root: Schema, depth: number): unknown {
  const schema = resolved(given, root);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'].find((one) => one !== null) ?? null;
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const choices = schema[key];
    if (Array.isArray(choices)) return sample(simplest(choices, root), root, depth + 1);
  }
  const types = [schema['type'] ?? 'string'].flat() as string[];
  if (depth > DEEPEST && types.includes('null')) return null;
  switch (types.find((type) => type !== 'null')) {
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 7), Math.min(7, Number(schema['maximum'] ?? 7)));
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 1) }, () =>
        sample(schema['items'] ?? {}, root, depth + 1),
      );
    case 'object':
      return sampleObject(schema, root, depth);
    case 'string':
      return sampleText(schema);
    default:
      return null;
  }
}

/** The patterns of the document are all of one kind. */
function sampleText({ pattern, contentEncoding }: Schema): string {
  if (contentEncoding === 'base64') return Buffer.from(AWKWARD).toString('base64');
  return pattern === undefined ? AWKWARD : UUID;
}

function sampleObject(schema: Schema, root: Schema, depth: number): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], root, depth + 1)]));
}

/** The choice that is no null; of several the first. */
function simplest(choices: readonly unknown[], root: Schema): unknown {
  return choices.find((choice) => resolved(choice, root)['type'] !== 'null') ?? choices[0];
}

function resolved(schema: unknown, root: Schema): Schema {
  let found = schema;
  for (let hops = 0; hops < 10; hops++) {
    if (typeof found !== 'object' || found === null) return {};
    const reference = (found as Schema)['$ref'];
    if (typeof reference !== 'string') return found as Schema;
    found = (root['$defs'] as Schema | undefined)?.[reference.replace('#/$defs/', '')];
  }
  return {};
}
