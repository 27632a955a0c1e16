import {
  type Description,
  type Diagnostic,
  factsOf,
  type JsonSchema,
  type Operation,
  placeOf,
  type Skipped,
  type Tool,
} from '../operations/index.ts';
import { compareText } from '../operations/text/compare-text.ts';
import { annotationsOf } from './annotations.ts';
import { type CompiledSource, type CompiledTool, compiledOperation } from './compiled-source.ts';
import { DOCUMENT_TEXTS, SERVER_TEXTS } from './descriptions.ts';
import { assignNames } from './names.ts';
import { fitOutputSchema, shallowCopy } from './output-budget.ts';
import { createOutputRelaxer, exceedsRelaxed } from './relax-output.ts';
import { SchemaSizes } from './schema-sizes.ts';
import { createSchemaShaper } from './shape-schema.ts';
import { createSchemaTrimmer } from './trim-schema.ts';

/** Characters of one description in an output schema, which few models ever see. */
const OUTPUT_DESCRIPTION_BUDGET = 160;

export interface CompileOptions {
  readonly source: string;
  readonly kind: string;
  /** Absent: tool names carry no prefix. */
  readonly prefix?: string;
  readonly profile: 'portable' | 'no-refs';
  /** `relaxed`: shapes without promises (see relax-output.ts); `exact`: as the document says; `none`: not published. */
  readonly outputSchemas: 'relaxed' | 'exact' | 'none';
  /** Characters of JSON of one published output schema. */
  readonly maxOutputSchemaSize: number;
}

/** Why a dangerous operation is skipped. */
export const DANGEROUS = 'classed as dangerous: never listed or callable';

/** Operations become tools: names, clean and portable definitions, annotations, budgets. Deterministic. */
export function compileSource(description: Description, options: CompileOptions): CompiledSource {
  const diagnostics: Diagnostic[] = description.diagnostics.map((d) => ({ ...d, source: options.source }));
  const skipped: Skipped[] = description.skipped.map((s) => ({ ...s, source: options.source }));
  const callable: Operation[] = [];
  for (const operation of description.operations) {
    if (operation.access !== 'dangerous') callable.push(operation);
    else
      skipped.push({
        ...placeOf(operation),
        reason: DANGEROUS,
        source: options.source,
      });
  }
  const names = assignNames(
    callable.map((operation) => ({ preferred: operation.name ?? operation.id, identity: operation.id })),
    options.prefix,
  );
  const sizes = new SchemaSizes();
  const texts = options.kind === 'mcp' ? SERVER_TEXTS : DOCUMENT_TEXTS;
  const shaper = createSchemaShaper(options.profile, texts, sizes, (diagnostic) =>
    diagnostics.push({ ...diagnostic, source: options.source }),
  );
  const publishOutput = createOutputPublisher(options, sizes);
  const tools = callable.map((operation, index): CompiledTool => {
    const { tool, json } = shaper.tool({
      name: names[index]!,
      ...(operation.title === undefined ? {} : { title: operation.title }),
      description: operation.description,
      inputSchema: operation.input,
      ...publishOutput(operation),
      annotations: annotationsOf(operation),
      ...(operation.meta === undefined ? {} : { _meta: operation.meta }),
    });
    return compiledTool(operation, tool, json);
  });
  return {
    name: options.source,
    kind: options.kind,
    fingerprint: description.fingerprint,
    tools: tools.sort((a, b) => compareText(a.name, b.name)),
    skipped,
    diagnostics,
    resources: description.resources,
    resourceTemplates: description.resourceTemplates,
    prompts: description.prompts,
    securitySchemes: description.securitySchemes,
    ...(description.provider === undefined ? {} : { provider: description.provider }),
  };
}

/** Apart from the compilation, so that what a tool keeps alive is the tool. */
function compiledTool(operation: Operation, tool: Tool, text: string | undefined): CompiledTool {
  const compiled = compiledOperation(operation, tool);
  return {
    name: tool.name,
    tool,
    facts: factsOf(operation),
    json: () => text ?? JSON.stringify(tool),
    operation: () => compiled,
  };
}

/** Not checked here, so that an answer passes which a client that does check would throw away. */
const UNCHECKED: ReadonlySet<string> = new Set(['format']);

function createOutputPublisher(
  options: CompileOptions,
  sizes: SchemaSizes,
): (operation: Operation) => Pick<Tool, 'outputSchema'> {
  const trim = createSchemaTrimmer(OUTPUT_DESCRIPTION_BUDGET, UNCHECKED);
  const relax = options.outputSchemas === 'relaxed' ? createOutputRelaxer() : undefined;
  const budget = options.maxOutputSchemaSize;
  const published = new Map<JsonSchema, JsonSchema>();
  const publish = (output: JsonSchema): JsonSchema => {
    // Above the budget only the top level will be left: no need to work on what lies below.
    const tooLarge =
      (relax !== undefined && exceedsRelaxed(output, budget)) || sizes.exceeds(output, 4 * budget);
    const considered = tooLarge ? shallowCopy(output) : output;
    return fitOutputSchema(trim(relax?.(considered) ?? considered), budget, sizes);
  };
  return ({ output }) => {
    if (output === undefined || options.outputSchemas === 'none') return {};
    let outputSchema = published.get(output);
    if (outputSchema === undefined) {
      outputSchema = publish(output);
      published.set(output, outputSchema);
    }
    return { outputSchema };
  };
}
