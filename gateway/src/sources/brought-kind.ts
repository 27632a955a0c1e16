import { isToolcribError, ToolcribError } from '../errors.ts';
import { ACCESS_LEVELS, type Description, isObject, type Operation } from '../operations/index.ts';
import { cleanText } from '../operations/text/clean-text.ts';
import { cutText } from '../operations/text/cut-text.ts';
import type { SourceContext, SourceKind } from './source-kind.ts';
import { validated } from './validated-settings.ts';

const LISTS = [
  'operations',
  'skipped',
  'resources',
  'resourceTemplates',
  'prompts',
  'diagnostics',
] as const satisfies ReadonlyArray<keyof Description>;
const MAX_REASON = 500;

/**
 * What a source kind of the embedder's own describes. Its faults are its author's to mend, so they are told in its own
 * words. Throws `configuration_invalid`, `source_invalid`.
 */
export async function describeBrought(
  brought: SourceKind<unknown>,
  settings: unknown,
  context: SourceContext,
): Promise<Description> {
  const { kind } = brought;
  const read = validated(brought.config, settings, ['sources', context.name, kind]);
  const described = await attempt(kind, context, async () => brought.describe(read, context));
  const fault = faultOf(described);
  if (fault !== undefined)
    throw new ToolcribError(
      'source_invalid',
      `The source kind ${kind} does not describe ${context.name} as it should: ${fault}.`,
      { next: 'Correct `describe` of the source kind: it returns a `Description`.' },
    );
  return described;
}

async function attempt(
  kind: string,
  { name, signal }: SourceContext,
  describe: () => Promise<Description>,
): Promise<Description> {
  try {
    return await describe();
  } catch (error) {
    if (isToolcribError(error) || signal.aborted) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new ToolcribError(
      'source_invalid',
      `The source kind ${kind} cannot describe ${name}: ${cutText(cleanText(said).text, MAX_REASON)}`,
      { next: 'Correct what the source reads, or `describe` of the source kind.', cause: error },
    );
  }
}

/** Why it is no description, in words; what is in order for the type checker has to be so for JavaScript, too. */
function faultOf(described: unknown): string | undefined {
  if (!isObject(described)) return 'it returned no description';
  const missing = LISTS.find((list) => !Array.isArray(described[list]));
  if (missing !== undefined) return `the list \`${missing}\` is missing`;
  if (typeof described['fingerprint'] !== 'string') return 'the `fingerprint` is missing';
  for (const map of ['securitySchemes', 'components'])
    if (!isObject(described[map])) return `\`${map}\` is missing`;
  const operations = described['operations'] as unknown as readonly unknown[];
  for (const [index, operation] of operations.entries()) {
    const fault = operationFault(operation);
    if (fault !== undefined) return `${fault} of operations[${index}]`;
  }
  return undefined;
}

function operationFault(operation: unknown): string | undefined {
  if (!isObject(operation)) return 'no object is what stands in place';
  const { id, source, description, input, access, tags, safety, invocation } =
    operation as unknown as Partial<Operation>;
  const texts = { id, source, description };
  const text = Object.entries(texts).find(([, value]) => typeof value !== 'string');
  if (text !== undefined) return `the text \`${text[0]}\` is missing`;
  if (access === undefined || !ACCESS_LEVELS.includes(access))
    return `\`access\` is none of ${ACCESS_LEVELS.join(', ')}`;
  if (!Array.isArray(tags)) return 'the list `tags` is missing';
  const object = Object.entries({ input, safety, invocation }).find(([, value]) => !isObject(value));
  return object === undefined ? undefined : `the object \`${object[0]}\` is missing`;
}
