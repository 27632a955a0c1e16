import type { Diagnostic, JsonSchema, Tool } from '../operations/index.ts';
import { createToolCleaner } from './clean-tool.ts';
import { type DescriptionBudget, trimText } from './descriptions.ts';
import { inlineReferences } from './inline-references.ts';
import { createInputFitter, HARD_INPUT_BUDGET } from './input-budget.ts';
import type { SchemaSizes } from './schema-sizes.ts';

/** Root keywords that a large model provider refuses in a tool's input schema. */
const ROOT_REFUSED = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', '$ref'] as const;

export interface ShapedTool {
  readonly tool: Tool;
  /** The tool's JSON text where it had to be made anyway. */
  readonly json: string | undefined;
}

export interface SchemaShaper {
  tool(tool: Tool): ShapedTool;
}

/**
 * Makes definitions fit for every client: texts within budget, hidden characters gone, the profile applied.
 * Sub-schemas that tools share are worked on once.
 */
export function createSchemaShaper(
  profile: 'portable' | 'no-refs',
  texts: DescriptionBudget,
  sizes: SchemaSizes,
  report: (diagnostic: Diagnostic) => void,
): SchemaShaper {
  const fit = createInputFitter(sizes, texts.property);
  const cleanTool = createToolCleaner();
  const profiled = (schema: JsonSchema) => (profile === 'no-refs' ? inlineReferences(schema) : schema);
  return {
    tool(tool) {
      const refused = ROOT_REFUSED.filter((keyword) => keyword in tool.inputSchema);
      if (refused.length > 0) report(rootKeywords(tool.name, refused));
      const { schema, opened } = fit(tool.inputSchema);
      if (opened > 0) report(shortened(tool.name, opened));
      const {
        tool: clean,
        changes,
        json,
      } = cleanTool({
        ...tool,
        description: trimText(tool.description, texts.tool),
        inputSchema: profiled(schema),
        ...(tool.outputSchema === undefined ? {} : { outputSchema: profiled(tool.outputSchema) }),
      });
      if (changes.length > 0) report(cleaned(tool.name, changes));
      return { tool: clean, json };
    },
  };
}

function rootKeywords(tool: string, keywords: readonly string[]): Diagnostic {
  return {
    code: 'schema-not-portable',
    severity: 'warning',
    message: `Tool ${tool} has ${keywords.join(', ')} at the root of its input schema; some model providers refuse such a tool.`,
  };
}

function shortened(tool: string, opened: number): Diagnostic {
  return {
    code: 'schema-shortened',
    severity: 'info',
    message: `The input schema of tool ${tool} has more than ${HARD_INPUT_BUDGET} characters; ${opened} of its deepest definitions are free-form.`,
  };
}

function cleaned(tool: string, changes: readonly string[]): Diagnostic {
  return {
    code: 'text-cleaned',
    severity: 'warning',
    message: `Hidden or misleading characters were removed from tool ${tool}: ${changes.slice(0, 5).join('; ')}.`,
  };
}
