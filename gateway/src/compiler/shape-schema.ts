import type { Diagnostic, Json, JsonObject, JsonSchema, Tool } from '../operations/index.ts';
import { cleanTool } from './clean-tool.ts';
import { PROPERTY_DESCRIPTION_BUDGET, TOOL_DESCRIPTION_BUDGET, trimText } from './descriptions.ts';
import { inlineReferences } from './inline-references.ts';

/** Root keywords that a large model provider refuses in a tool's input schema. */
const ROOT_REFUSED = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', '$ref'] as const;

/** Keywords whose values are data, not schemas. */
const INSTANCE_DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default']);

export interface SchemaShaper {
  tool(tool: Tool): Tool;
}

/**
 * Makes definitions fit for every client: texts within budget, hidden characters gone, the profile applied.
 * Sub-schemas that tools share are worked on once.
 */
export function createSchemaShaper(
  profile: 'portable' | 'no-refs',
  report: (diagnostic: Diagnostic) => void,
): SchemaShaper {
  const trimmed = new WeakMap<object, Json>();
  const shape = (schema: JsonSchema): JsonSchema => {
    const fitted = trimDescriptions(schema, trimmed) as JsonSchema;
    return profile === 'no-refs' ? inlineReferences(fitted) : fitted;
  };
  return {
    tool(tool) {
      const refused = ROOT_REFUSED.filter((keyword) => keyword in tool.inputSchema);
      if (refused.length > 0) report(rootKeywords(tool.name, refused));
      const { tool: clean, changes } = cleanTool({
        ...tool,
        description: trimText(tool.description, TOOL_DESCRIPTION_BUDGET),
        inputSchema: shape(tool.inputSchema),
        ...(tool.outputSchema === undefined ? {} : { outputSchema: shape(tool.outputSchema) }),
      });
      if (changes.length > 0) report(cleaned(tool.name, changes));
      return clean;
    },
  };
}

/** Shortens every `description` text; returns the same object when none is long. Instance data is left alone. */
function trimDescriptions(value: Json, memo: WeakMap<object, Json>): Json {
  if (value === null || typeof value !== 'object') return value;
  const known = memo.get(value);
  if (known !== undefined) return known;
  const result = Array.isArray(value) ? trimItems(value, memo) : trimMembers(value, memo);
  memo.set(value, result);
  return result;
}

function trimItems(items: Json[], memo: WeakMap<object, Json>): Json[] {
  const shaped = items.map((item) => trimDescriptions(item, memo));
  return shaped.some((item, index) => item !== items[index]) ? shaped : items;
}

function trimMembers(schema: JsonObject, memo: WeakMap<object, Json>): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in schema) {
    const member = schema[key]!;
    const shaped = INSTANCE_DATA.has(key)
      ? member
      : key === 'description' && typeof member === 'string'
        ? trimText(member, PROPERTY_DESCRIPTION_BUDGET)
        : trimDescriptions(member, memo);
    if (shaped === member) continue;
    copy ??= { ...schema };
    copy[key] = shaped;
  }
  return copy ?? schema;
}

function rootKeywords(tool: string, keywords: readonly string[]): Diagnostic {
  return {
    code: 'schema-not-portable',
    severity: 'warning',
    message: `Tool ${tool} has ${keywords.join(', ')} at the root of its input schema; some model providers refuse such a tool.`,
  };
}

function cleaned(tool: string, changes: readonly string[]): Diagnostic {
  return {
    code: 'text-cleaned',
    severity: 'warning',
    message: `Hidden or misleading characters were removed from tool ${tool}: ${changes.slice(0, 5).join('; ')}.`,
  };
}
