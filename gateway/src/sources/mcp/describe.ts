import {
  canonicalHash,
  type Description,
  type Diagnostic,
  emptyDescription,
  isObject,
  type Operation,
  type Skipped,
  type UpstreamListing,
  type UpstreamTool,
} from '../../operations/index.ts';
import { isForInterfaceAlone } from '../../operations/mcp-apps.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { accessOf, type ServerReach, safetyOf } from './access.ts';
import { type Cleaned, cleanPrompts, cleanResources, cleanTemplates } from './listed-texts.ts';
import { toolMeta } from './tool-meta.ts';
import { inputSchema, outputSchema, wrapsResult } from './tool-schemas.ts';

const MAX_TOOLS = 5000;
const MAX_TOOL_NAME = 512;
const MAX_FINDINGS = 20;
const BREAKS_MIRRORING = 'what it wants in headers (x-mcp-header) breaks a rule of MCP';

/**
 * What an upstream MCP server lists, as operations: one a tool. Everything in it is foreign text, cleaned here or by
 * the compiler; a tool that cannot be used costs only itself. The fingerprint covers what is listed and nothing
 * else: an unchanged listing changes nothing.
 */
export function describeMcp(source: string, listing: UpstreamListing, reach: ServerReach): Description {
  const { tools, resources, resourceTemplates, prompts, missing = [], leftOut = [] } = listing;
  const lacks = {
    ...(missing.length === 0 ? {} : { missing }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
  const fingerprint = canonicalHash({ tools, resources, resourceTemplates, prompts, reach, ...lacks });
  const found = describeTools(source, tools, reach);
  const lists = {
    resources: cleanResources(resources),
    resourceTemplates: cleanTemplates(resourceTemplates),
    prompts: cleanPrompts(prompts),
  };
  return {
    ...emptyDescription(fingerprint),
    operations: found.operations,
    skipped: [...found.skipped, ...leftOut.map((name) => skip({ name }, BREAKS_MIRRORING))],
    resources: lists.resources.items,
    resourceTemplates: lists.resourceTemplates.items,
    prompts: lists.prompts.items,
    diagnostics: [
      ...missing.map(({ list, why }) => {
        const instead = listing[list].length === 0 ? 'it is taken for empty' : 'what it listed before stays';
        return finding('list-missing', `${cleanText(why).text}; ${instead}.`);
      }),
      ...found.diagnostics,
      ...Object.values<Cleaned<unknown>>(lists).flatMap(findingsOf),
    ],
  };
}

interface DescribedTools {
  readonly operations: readonly Operation[];
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
}

function describeTools(source: string, tools: readonly UpstreamTool[], reach: ServerReach): DescribedTools {
  const operations = new Map<string, Operation>();
  const skipped: Skipped[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, tool] of tools.entries()) {
    const problem = index >= MAX_TOOLS ? `more than ${MAX_TOOLS} tools` : nameProblem(tool.name, operations);
    const described = problem === undefined ? operationOf(source, tool, reach) : problem;
    if (typeof described === 'string') skipped.push(skip(tool, described));
    else {
      operations.set(tool.name, described.operation);
      diagnostics.push(...described.diagnostics);
    }
  }
  return { operations: [...operations.values()], skipped, diagnostics };
}

function nameProblem(name: unknown, known: ReadonlyMap<string, Operation>): string | undefined {
  if (typeof name !== 'string' || name === '' || name.length > MAX_TOOL_NAME)
    return 'its name cannot be used';
  if (known.has(name)) return 'another tool of the server has its name';
  return cleanText(name, { tags: false }).text === name ? undefined : 'its name holds hidden characters';
}

/** The reason why it is none, where it is none. */
function operationOf(
  source: string,
  tool: UpstreamTool,
  reach: ServerReach,
): { readonly operation: Operation; readonly diagnostics: readonly Diagnostic[] } | string {
  if (isForInterfaceAlone(tool._meta))
    return "it is for a page of the server's alone, which is not passed on";
  const input = isObject(tool.inputSchema)
    ? inputSchema(tool.inputSchema)
    : { refused: 'it has no input schema' };
  if ('refused' in input) return input.refused;
  const output = isObject(tool.outputSchema) ? outputSchema(tool.outputSchema) : undefined;
  const annotations = isObject(tool.annotations) ? tool.annotations : {};
  const access = accessOf(tool.name, annotations);
  const title = [tool.title, annotations['title']].find((text) => typeof text === 'string' && text !== '');
  const { meta, dropped } = toolMeta(tool);
  const diagnostics = dropped.map((what) => finding('meta-dropped', `Tool ${tool.name}: ${what}.`));
  if (output !== undefined && 'refused' in output) {
    diagnostics.push(finding('schema-dropped', `The output schema of tool ${tool.name}: ${output.refused}`));
  }
  return {
    operation: {
      id: tool.name,
      source,
      name: tool.name,
      ...(title === undefined ? {} : { title: title as string }),
      description: textOf(tool.description) || (title as string | undefined) || tool.name,
      input: input.schema,
      ...(output !== undefined && 'schema' in output ? { output: output.schema } : {}),
      access,
      tags: [],
      safety: safetyOf(access, annotations, reach),
      invocation: {
        kind: 'mcp',
        tool: tool.name,
        ...(output !== undefined && 'schema' in output && wrapsResult(tool.outputSchema!)
          ? { wrapsResult: true }
          : {}),
      },
      ...(meta === undefined ? {} : { meta }),
    },
    diagnostics,
  };
}

function skip({ name }: Pick<UpstreamTool, 'name'>, reason: string): Skipped {
  const shown = cleanText(String(name), { maxLength: 128 }).text;
  return { method: 'CALL', path: shown, reason, operation: shown };
}

function findingsOf({ changes }: Cleaned<unknown>): Diagnostic[] {
  const more = changes.length - MAX_FINDINGS;
  return [
    ...changes.slice(0, MAX_FINDINGS).map((change) => finding('text-cleaned', `${change}.`)),
    ...(more > 0 ? [finding('text-cleaned', `And ${more} more.`)] : []),
  ];
}

function finding(code: string, message: string): Diagnostic {
  return { code, severity: 'warning', message };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
