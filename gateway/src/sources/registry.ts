import { ToolcribError } from '../errors.ts';
import type { AzureSettings, Description, SkillSettings, UpstreamListing } from '../operations/index.ts';
import type { FunctionSource } from './function/define.ts';
import type { ServerReach } from './mcp/access.ts';
import type { N8nConfig } from './n8n/config.ts';
import type { SourceContext, SourceKind } from './source-kind.ts';
import { validated } from './validated-settings.ts';

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
      return describeOpenApi(validated(openApiConfig, settings, placeOf('openapi', context)), context);
    };
  },
  manifest: async () => {
    const [{ describeManifest }, { manifestConfig }] = await Promise.all([
      import('./manifest/describe.ts'),
      import('./manifest/config.ts'),
    ]);
    return (settings, context) =>
      describeManifest(validated(manifestConfig, settings, placeOf('manifest', context)), context);
  },
  n8n: async () => {
    const { describeN8n } = await import('./n8n/describe.ts');
    return (settings, context) => describeN8n(settings as N8nConfig, context);
  },
  web: async () => {
    const { describeWeb } = await import('./web/describe.ts');
    return async (settings, { name }) => describeWeb(name, settings);
  },
  self: async () => {
    const { describeOpenApi } = await import('./openapi/describe.ts');
    return (_settings, context) => describeOpenApi(SELF_DOCUMENT, context);
  },
};

/** Settings stand below the name of their kind. */
function placeOf(kind: string, { name }: SourceContext): readonly string[] {
  return ['sources', name, kind];
}

/** @param more kinds that the embedder brought; none of them replaces one of ours */
export async function describeSource(
  kind: string,
  settings: unknown,
  context: SourceContext,
  more: ReadonlyArray<SourceKind<unknown>> = [],
): Promise<Description> {
  const load = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const brought = load === undefined ? more.find((one) => one.kind === kind) : undefined;
  if (brought !== undefined) {
    const { describeBrought } = await import('./brought-kind.ts');
    return describeBrought(brought, settings, context);
  }
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

/** Packages bring code, which the composition keeps: it is handed on before their tools are listed. */
export async function describePackageSource(
  settings: unknown,
  context: SourceContext,
  register: (functions: FunctionSource) => void | Promise<void>,
): Promise<Description> {
  const [{ describePackages }, { packageConfig }] = await Promise.all([
    import('./package/describe.ts'),
    import('./package/config.ts'),
  ]);
  const { description, functions } = await describePackages(
    validated(packageConfig, settings, placeOf('package', context)),
    context,
  );
  await register(functions);
  return description;
}

/** An upstream MCP server lists over its connection, which sources do not have: the listing is handed over. */
export async function describeMcpSource(
  name: string,
  listing: UpstreamListing,
  reach: ServerReach,
): Promise<Description> {
  const { describeMcp } = await import('./mcp/describe.ts');
  return describeMcp(name, listing, reach);
}

/** Skills are folders that change: what they hold is read from a snapshot that others keep up to date. */
export async function describeSkillSource(
  settings: unknown,
  snapshot: string | undefined,
  context: SourceContext,
): Promise<Description> {
  if (snapshot === undefined)
    throw new ToolcribError('internal', `Nothing was read yet of the skills of ${context.name}.`);
  const { describeSkills } = await import('./skill/index.ts');
  return describeSkills(settings as SkillSettings, snapshot, context);
}

/** The connections of a resource group are known from a snapshot that others keep up to date; its file, where there is one. */
export async function describeAzureSource(
  settings: unknown,
  snapshot: string | undefined,
  context: SourceContext,
): Promise<Description> {
  const { describeAzure } = await import('./azure/describe.ts');
  return describeAzure(settings as AzureSettings, snapshot, context);
}
