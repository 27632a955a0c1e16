import { ToolcribError } from '../../errors.ts';
import {
  type Access,
  canonicalHash,
  type Description,
  type Diagnostic,
  emptyDescription,
  type JsonSchema,
  type Operation,
  type SafetyProfile,
} from '../../operations/index.ts';
import type { FunctionSource, FunctionTool } from './define.ts';
import { inputSchemaOf, outputSchemaOf } from './json-schemas.ts';
import { parseUriTemplate } from './uri-template.ts';

/** What a function source offers, as values: the code stays with the registry. Throws `source_invalid`. */
export function describeFunctions(name: string, source: FunctionSource): Description {
  const tools = source.tools ?? [];
  refuseRepeated(
    name,
    'tool',
    tools.map((tool) => tool.name),
  );
  refuseRepeated(
    name,
    'resource',
    (source.resources ?? []).map((resource) => resource.uri),
  );
  refuseRepeated(
    name,
    'prompt',
    (source.prompts ?? []).map((prompt) => prompt.name),
  );
  const values = {
    operations: tools.map((tool) => operationOf(name, tool)),
    resources: (source.resources ?? []).map(({ read: _, ...description }) => description),
    resourceTemplates: (source.resourceTemplates ?? []).map(
      ({ read: _, complete: __, ...description }) => description,
    ),
    prompts: (source.prompts ?? []).map(({ get: _, complete: __, ...description }) => description),
    diagnostics: templateDiagnostics(source),
  };
  return { ...emptyDescription(canonicalHash(values)), ...values };
}

function operationOf(source: string, tool: FunctionTool): Operation {
  const place = `function ${tool.name} of source ${source}`;
  const access = tool.access ?? 'write';
  refuseBrokenTerms(tool, place);
  const output = outputSchemaOf(tool.output, place);
  const title = tool.annotations?.title ?? tool.title ?? (tool.name.includes('.') ? tool.name : undefined);
  return {
    id: tool.name,
    source,
    name: tool.name,
    ...(title === undefined ? {} : { title }),
    description: tool.description,
    input: withExamples(inputSchemaOf(tool.input, place), tool),
    ...(output === undefined ? {} : { output }),
    access,
    tags: tool.tags ?? [],
    safety: safetyOf(access, tool),
    ...(tool.timeoutMs === undefined ? {} : { limits: { timeoutMs: tool.timeoutMs } }),
    ...(tool.cost === undefined ? {} : { cost: tool.cost }),
    ...(tool.budget === undefined ? {} : { budget: tool.budget }),
    invocation: { kind: 'function', function: tool.name },
  };
}

/** Nothing is known about the code: what it does not deny is assumed, as MCP's own defaults do. */
function safetyOf(
  access: Access,
  { annotations: hints = {}, safety, idempotent }: FunctionTool,
): SafetyProfile {
  const openWorld = hints.openWorldHint ?? true;
  return {
    network: openWorld,
    file: false,
    destructive: hints.destructiveHint ?? (access === 'delete' || access === 'dangerous'),
    idempotent: idempotent ?? hints.idempotentHint ?? access === 'read',
    openWorld,
    ...safety,
  };
}

/** JSON Schema's `examples` (2020-12 validation §9.5), where the author's schema has none. */
function withExamples(input: JsonSchema, { examples = [] }: FunctionTool): JsonSchema {
  if (examples.length === 0 || input['examples'] !== undefined) return input;
  return { ...input, examples: examples.map(({ input: example }) => example) };
}

/** Numbers that JavaScript let through; a limit that cannot be read limits nothing. */
function refuseBrokenTerms({ timeoutMs, cost = {}, budget }: FunctionTool, place: string): void {
  const amount = (value: number | undefined) => value === undefined || (Number.isFinite(value) && value >= 0);
  const { calls, usd, bytes, windowMs } = budget ?? {};
  const broken =
    (timeoutMs !== undefined && !(timeoutMs > 0) && 'timeoutMs') ||
    (!(amount(cost.usd) && amount(cost.typicalMs)) && 'cost') ||
    (!(amount(calls) && amount(usd) && amount(bytes)) && 'budget') ||
    (windowMs !== undefined && !(Number.isFinite(windowMs) && windowMs > 0) && 'budget.windowMs') ||
    (budget !== undefined && [calls, usd, bytes].every((one) => one === undefined) && 'budget');
  if (broken) throw new ToolcribError('source_invalid', `The ${broken} of ${place} cannot be used.`);
}

function templateDiagnostics(source: FunctionSource): Diagnostic[] {
  return (source.resourceTemplates ?? [])
    .filter(({ uriTemplate }) => parseUriTemplate(uriTemplate) === undefined)
    .map(({ uriTemplate }) => ({
      code: 'uri-template-unsupported',
      severity: 'warning',
      message: `Resource template ${uriTemplate} uses more than simple {name} expressions; it is listed but no address matches it.`,
    }));
}

function refuseRepeated(source: string, what: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new ToolcribError(
      'source_invalid',
      `Source ${source} declares ${what} ${repeated} more than once.`,
    );
  }
}
