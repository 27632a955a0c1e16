import { ToolcribError } from '../../errors.ts';
import {
  type Access,
  canonicalHash,
  type Description,
  type Diagnostic,
  emptyDescription,
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
  const output = outputSchemaOf(tool.output, place);
  const title = tool.annotations?.title ?? tool.title ?? (tool.name.includes('.') ? tool.name : undefined);
  return {
    id: tool.name,
    source,
    name: tool.name,
    ...(title === undefined ? {} : { title }),
    description: tool.description,
    input: inputSchemaOf(tool.input, place),
    ...(output === undefined ? {} : { output }),
    access,
    tags: tool.tags ?? [],
    safety: safetyOf(access, tool.annotations ?? {}),
    invocation: { kind: 'function', function: tool.name },
  };
}

/** Nothing is known about the code: what it does not deny is assumed, as MCP's own defaults do. */
function safetyOf(access: Access, hints: NonNullable<FunctionTool['annotations']>): SafetyProfile {
  const openWorld = hints.openWorldHint ?? true;
  return {
    network: openWorld,
    file: false,
    destructive: hints.destructiveHint ?? (access === 'delete' || access === 'dangerous'),
    idempotent: hints.idempotentHint ?? access === 'read',
    openWorld,
  };
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
