import { asToolcribError, isToolcribError, ToolcribError } from '../../errors.ts';
import type { Completion, CompletionQuestion, InputRequiredResult } from '../../operations/index.ts';
import {
  type FunctionContext,
  type FunctionPrompt,
  type FunctionSource,
  type FunctionTool,
  isFunctionOutput,
  type PromptMessage,
  type ResourceContents,
} from './define.ts';
import { type FunctionChange, type FunctionRequest, functionContext } from './function-context.ts';
import { wrapsOutput } from './json-schemas.ts';
import { parseUriTemplate } from './uri-template.ts';

interface FunctionResourceRead {
  readonly kind: 'resource';
  readonly uri: string;
  readonly contents: ResourceContents;
}

interface FunctionPromptRead {
  readonly kind: 'prompt';
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface RegisteredFunction {
  readonly definition: FunctionTool;
  /** Its results are published under `result`, since their root is no object. */
  readonly wrapsResult: boolean;
}

/** Which sources this caller may read; absent: every one. What may not be read is not there. */
type Readable = (source: string) => boolean;

const EVERY_SOURCE: Readable = () => true;

/** The code behind every function source of a gateway. Where two sources claim a name, the first keeps it. */
export interface FunctionRegistry {
  tool(source: string, name: string): RegisteredFunction | undefined;
  /** The code of one source, new or in place of what it had; calls under way keep theirs. */
  replace(source: string, functions: FunctionSource): void;
  context(source: string, request: FunctionRequest): FunctionContext;
  /** Throws `resource_unknown`. */
  readResource(
    uri: string,
    request: FunctionRequest,
    readable?: Readable,
  ): Promise<FunctionResourceRead | InputRequiredResult>;
  /** Throws `prompt_unknown`, `arguments_invalid`. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    request: FunctionRequest,
    readable?: Readable,
  ): Promise<FunctionPromptRead | InputRequiredResult>;
  /** Throws `prompt_unknown`, `resource_unknown`. Empty where the source offers no completion. */
  complete(question: CompletionQuestion, readable?: Readable): Promise<Completion>;
}

/** @param notify told of every change that a handler announces, with the source's name */
export function createFunctionRegistry(
  sources: Readonly<Record<string, FunctionSource>>,
  notify: (change: FunctionChange, source: string) => void,
): FunctionRegistry {
  let held = sources;
  let { tools, resources, prompts, templates } = indexed(held);
  const context = (source: string, request: FunctionRequest) =>
    functionContext(request, (change) => notify(change, source));

  return {
    tool: (source, name) => tools.get(source)?.get(name),
    replace(name, source) {
      held = { ...held, [name]: source };
      ({ tools, resources, prompts, templates } = indexed(held));
    },
    context,
    async readResource(uri, request, readable = EVERY_SOURCE) {
      const exact = resources.get(uri);
      if (exact !== undefined && readable(exact.source)) {
        return asResource(uri, () => exact.item.read(uri, context(exact.source, request)));
      }
      for (const { source, template, pattern } of templates) {
        const variables = pattern?.match(uri);
        if (variables !== undefined && readable(source)) {
          return asResource(uri, () => template.read(uri, variables, context(source, request)));
        }
      }
      throw new ToolcribError('resource_unknown', `There is no resource ${uri.slice(0, 512)}.`, {
        details: { uri },
      });
    },
    async getPrompt(name, args, request, readable = EVERY_SOURCE) {
      const found = prompts.get(name);
      if (found === undefined || !readable(found.source)) throw unknownPrompt(name);
      const prompt = found.item;
      const missing = (prompt.arguments ?? []).find(
        (argument) => argument.required === true && !Object.hasOwn(args, argument.name),
      );
      if (missing !== undefined) {
        throw new ToolcribError('arguments_invalid', `Prompt ${name} needs the argument ${missing.name}.`, {
          pointer: `/${missing.name}`,
        });
      }
      const answer = await guarded(`Prompt ${name}`, () => prompt.get(args, context(found.source, request)));
      if (!isFunctionOutput(answer)) {
        return {
          kind: 'prompt',
          messages: answer,
          ...(prompt.description === undefined ? {} : { description: prompt.description }),
        };
      }
      if (answer.kind === 'input_required') return inputRequiredOf(answer);
      return { kind: 'prompt', messages: answer.content.map((content) => ({ role: 'user', content })) };
    },
    async complete({ reference, argument, value, chosen = {} }, readable = EVERY_SOURCE) {
      const offered = async (complete: FunctionPrompt['complete']): Promise<Completion> => {
        const values = await guarded('Completion', () => complete?.(argument, value, chosen) ?? []);
        return { values, total: values.length };
      };
      if ('prompt' in reference) {
        const found = prompts.get(reference.prompt);
        if (found === undefined || !readable(found.source)) throw unknownPrompt(reference.prompt);
        return offered(found.item.complete);
      }
      const found = templates.find(
        ({ template, source }) => template.uriTemplate === reference.template && readable(source),
      );
      if (found !== undefined) return offered(found.template.complete);
      if (resources.has(reference.template)) return offered(undefined);
      throw new ToolcribError(
        'resource_unknown',
        `There is no resource template ${reference.template.slice(0, 512)}.`,
        {
          details: { uri: reference.template },
        },
      );
    },
  };
}

/** Everything by what it is asked for. */
function indexed(sources: Readonly<Record<string, FunctionSource>>) {
  const all = Object.entries(sources);
  return {
    tools: new Map(all.map(([name, source]) => [name, registered(source)])),
    resources: firstOf(
      all,
      (source) => source.resources,
      (resource) => resource.uri,
    ),
    prompts: firstOf(
      all,
      (source) => source.prompts,
      (prompt) => prompt.name,
    ),
    templates: all.flatMap(([source, { resourceTemplates = [] }]) =>
      resourceTemplates.map((template) => ({
        source,
        template,
        pattern: parseUriTemplate(template.uriTemplate),
      })),
    ),
  };
}

async function asResource(
  uri: string,
  read: () => ReturnType<NonNullable<FunctionSource['resources']>[number]['read']>,
): Promise<FunctionResourceRead | InputRequiredResult> {
  const answer = await guarded(`Resource ${uri.slice(0, 512)}`, read);
  if (!isFunctionOutput(answer)) return { kind: 'resource', uri, contents: answer };
  if (answer.kind === 'input_required') return inputRequiredOf(answer);
  const [block] = answer.content;
  if (block?.type === 'text') return { kind: 'resource', uri, contents: { text: block.text } };
  if (block?.type === 'resource') return { kind: 'resource', uri, contents: block.resource };
  throw new ToolcribError('upstream_failed', `Resource ${uri.slice(0, 512)} gave neither text nor a blob.`);
}

/** A fault of the embedder's own code, with its message: it is theirs to read. */
async function guarded<T>(what: string, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isToolcribError(error)) throw error;
    if (!(error instanceof Error)) throw asToolcribError(error);
    throw new ToolcribError('upstream_failed', `${what} failed: ${error.message}`, { cause: error });
  }
}

function inputRequiredOf({ requests, state }: Omit<InputRequiredResult, 'kind'>): InputRequiredResult {
  return { kind: 'input_required', requests, ...(state === undefined ? {} : { state }) };
}

function unknownPrompt(name: string): ToolcribError {
  return new ToolcribError('prompt_unknown', `There is no prompt named ${name.slice(0, 128)}.`);
}

function registered(source: FunctionSource): Map<string, RegisteredFunction> {
  return new Map(
    (source.tools ?? []).map((tool) => [
      tool.name,
      { definition: tool, wrapsResult: wrapsOutput(tool.output) },
    ]),
  );
}

function firstOf<T>(
  sources: ReadonlyArray<readonly [string, FunctionSource]>,
  pick: (source: FunctionSource) => readonly T[] | undefined,
  key: (item: T) => string,
): Map<string, { source: string; item: T }> {
  const found = new Map<string, { source: string; item: T }>();
  for (const [source, functions] of sources) {
    for (const item of pick(functions) ?? []) {
      if (!found.has(key(item))) found.set(key(item), { source, item });
    }
  }
  return found;
}
