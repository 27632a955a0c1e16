import { ToolcribError } from '../../errors.ts';
import { canonicalHash, hashBytes, isObject, type Json, type JsonSchema } from '../../operations/index.ts';
import { dottedPath, pointerTo } from '../../operations/text/document-path.ts';
import { type Problem, problemsOf } from '../../operations/text/schema-problems.ts';
import type { FunctionTool } from '../function/define.ts';
import { inputSchemaOf, isZodType, outputSchemaOf } from '../function/json-schemas.ts';
import { readLocatedYaml } from '../manifest/located-yaml.ts';
import type { SourceContext } from '../source-kind.ts';
import { contractSchema, type ToolContract } from './contract.ts';
import { importFile } from './native-import.ts';
import { CODE_FILES, CONTRACT_FILE, type PackageFiles } from './package-files.ts';

/** A contract and where its members stand. */
export interface ReadContract {
  readonly contract?: ToolContract;
  readonly problems: ReadonlyArray<Problem & { readonly location: string }>;
  place(path: readonly PropertyKey[]): string;
}

/** JSON text of tool.schema.json. Throws `source_invalid` with the line where it is no JSON. */
export async function readContract(text: string, file: string): Promise<ReadContract> {
  const { value, place } = await readLocatedYaml(text, file);
  const parsed = contractSchema.safeParse(value);
  return parsed.success
    ? { contract: parsed.data, problems: [], place }
    : {
        problems: problemsOf(parsed.error.issues, value).map((one) => ({
          ...one,
          location: place(one.path),
        })),
        place,
      };
}

/** A tool package that can be served. */
export interface ToolPackage {
  readonly contract: ToolContract;
  /** As the contract says it, with the code's handler. */
  readonly tool: FunctionTool;
  /** Members that the code says otherwise; the contract holds. */
  readonly differences: readonly string[];
}

/** Reads contract and code. Throws `source_unreadable`, `source_invalid`. */
export async function readPackage(
  files: PackageFiles,
  { reader, signal }: Pick<SourceContext, 'reader' | 'signal'>,
): Promise<ToolPackage> {
  if (files.contract === undefined) throw missing(files.folder, CONTRACT_FILE);
  if (files.code === undefined) throw missing(files.folder, CODE_FILES.join(' or '));
  const text = Buffer.from(await reader.read(files.contract, signal)).toString('utf8');
  const { contract, problems } = await readContract(text, files.contract);
  if (contract === undefined) throw contractError(problems, files.contract);
  const definition = await loadTool(files.code, hashBytes(await reader.read(files.code, signal)));
  return { contract, tool: toolOf(contract, definition), differences: differencesOf(contract, definition) };
}

/** The default export of the code. Throws `source_invalid` where it is no tool. */
export async function loadTool(file: string, version: string): Promise<FunctionTool> {
  let exported: unknown;
  try {
    exported = (await importFile(file, version))['default'];
  } catch (cause) {
    throw new ToolcribError('source_invalid', `${file} cannot be loaded: ${(cause as Error).message}`, {
      location: file,
      cause,
    });
  }
  const tool = exported as Partial<FunctionTool> | undefined;
  if (isObject(exported) && typeof tool?.handler === 'function') return exported as unknown as FunctionTool;
  throw new ToolcribError(
    'source_invalid',
    `${file} has no tool as its default export: export default defineTool({ … }).`,
    { location: file },
  );
}

function toolOf(contract: ToolContract, definition: FunctionTool): FunctionTool {
  const { $schema: _editor, ...stated } = contract;
  // a zod input is applied to the arguments that passed the contract's schema: defaults, transforms
  const input = isZodType(definition.input) ? definition.input : contract.input;
  return { ...stated, handler: definition.handler, input };
}

/** What code and contract both say, and not alike. */
function differencesOf(contract: ToolContract, definition: FunctionTool): string[] {
  const place = `function ${contract.name}`;
  const said: Record<string, readonly [unknown, unknown]> = {
    name: [contract.name, definition.name],
    title: [contract.title, definition.title],
    description: [contract.description, definition.description],
    access: [contract.access, definition.access],
    input: [contract.input, definition.input && inputSchemaOf(definition.input, place)],
    output: [outputSchemaOf(contract.output, place), outputSchemaOf(definition.output, place)],
    timeoutMs: [contract.timeoutMs, definition.timeoutMs],
    budget: [contract.budget, definition.budget],
    cost: [contract.cost, definition.cost],
    safety: [contract.safety, definition.safety],
    idempotent: [contract.idempotent, definition.idempotent],
    tags: [contract.tags, definition.tags],
  };
  return Object.entries(said)
    .filter(([, [, own]]) => own !== undefined)
    .filter(
      ([, [stated, own]]) =>
        stated === undefined || canonicalHash(stated as Json) !== canonicalHash(own as Json),
    )
    .map(([member]) => member);
}

/** The contract's own input, for the operation; the code's zod input stays with the handler. */
export function publishedInput({ contract }: ToolPackage): JsonSchema {
  return contract.input;
}

export function contractError(problems: ReadContract['problems'], file: string): ToolcribError {
  const first = problems[0]!;
  const lines = problems.map(
    ({ path, message }) => `${path.length === 0 ? '' : `${dottedPath(path)}: `}${message}`,
  );
  return new ToolcribError('source_invalid', `The contract ${file} cannot be used. ${lines.join(' ')}`, {
    location: first.location,
    pointer: pointerTo(first.path),
  });
}

function missing(folder: string, name: string): ToolcribError {
  return new ToolcribError('source_invalid', `The tool package ${folder} has no ${name}.`, {
    location: folder,
  });
}
