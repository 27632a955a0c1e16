import type { z } from 'zod';
import { ToolcribError } from '../errors.ts';
import type { Description } from '../operations/index.ts';
import type { FunctionSource } from './function/define.ts';
import type { SourceContext } from './source-kind.ts';

/** Reads one source. `settings` is what the configuration holds under the kind's key. */
export type Describe = (settings: unknown, context: SourceContext) => Promise<Description>;

/** Where the gateway's own API description is read from; the composition root serves it. */
export const SELF_DOCUMENT = 'builtin:openapi.json';

/** Every source kind that a configuration can name, loaded when first used. */
const KINDS: Readonly<Record<string, () => Promise<Describe>>> = {
  openapi: async () => {
    const { describeOpenApi } = await import('./openapi/describe.ts');
    return async (settings, context) => {
      if (typeof settings === 'string') return describeOpenApi(settings, context);
      const { openApiConfig } = await import('./openapi/config.ts');
      return describeOpenApi(validated(openApiConfig, settings, context), context);
    };
  },
  manifest: async () => {
    const [{ describeManifest }, { manifestConfig }] = await Promise.all([
      import('./manifest/describe.ts'),
      import('./manifest/config.ts'),
    ]);
    return (settings, context) => describeManifest(validated(manifestConfig, settings, context), context);
  },
  self: async () => {
    const { describeOpenApi } = await import('./openapi/describe.ts');
    return (_settings, context) => describeOpenApi(SELF_DOCUMENT, context);
  },
};

function validated<C>(type: z.ZodType<C>, settings: unknown, { name }: SourceContext): C {
  const parsed = type.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = ['#/sources', name, ...(issue?.path ?? []).map(String)].join('/');
  throw new ToolcribError(
    'configuration_invalid',
    `Source ${name}: ${issue?.message ?? 'its settings are not valid'}.`,
    { pointer },
  );
}

export async function describeSource(
  kind: string,
  settings: unknown,
  context: SourceContext,
): Promise<Description> {
  const load = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (load === undefined) {
    throw new ToolcribError(
      'configuration_invalid',
      `Source ${context.name} is of kind ${kind}, which does not exist.`,
    );
  }
  const describe = await load();
  return describe(settings, context);
}

/** Function sources hold code, which no configuration file can: the embedder hands it over by name. */
export async function describeFunctionSource(
  name: string,
  source: FunctionSource | undefined,
): Promise<Description> {
  if (source === undefined) {
    throw new ToolcribError(
      'configuration_invalid',
      `Source ${name} is of kind function, but the program that embeds the gateway passed no functions of that name.`,
    );
  }
  const { describeFunctions } = await import('./function/describe.ts');
  return describeFunctions(name, source);
}
