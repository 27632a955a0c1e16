import type { Configuration } from '../config/configuration.ts';
import { DEFAULTS } from '../config/defaults.ts';
import { topologyNames } from '../config/settings/topology.ts';
import { ToolcribError } from '../errors.ts';
import type { GatewayOptions } from '../gateway-api.ts';
import { ACCESS_LEVELS, isObject } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';

/** Every option, so that a misspelt one does not count for nothing; the type checker keeps it whole. */
const OPTIONS: Readonly<Record<keyof GatewayOptions | 'baseDirectory' | 'env', true>> = {
  azure: true,
  baseDirectory: true,
  compileProcess: true,
  consoleFolder: true,
  egress: true,
  env: true,
  functions: true,
  hintReaders: true,
  logger: true,
  reload: true,
  reranker: true,
  sourceKinds: true,
  topologies: true,
  whileStarting: true,
};

/** What the type checker sees, said to programs that it did not see. Throws `configuration_invalid`. */
export function checkEmbedding(configuration: unknown, options: GatewayOptions): void {
  if (!isObject(configuration)) {
    throw refused(
      `createGateway takes a configuration as an object, not ${wordFor(configuration)}.`,
      'Give it one; `await loadConfiguration({ cwd, env })` reads a file.',
    );
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw refused(
      `createGateway has no option "${unknown}".${didYouMean(unknown, Object.keys(OPTIONS))}`,
      `The options are ${Object.keys(OPTIONS).sort().join(', ')}.`,
    );
  const { functions = {}, hintReaders = [], reranker, sourceKinds = [], topologies = [] } = options;
  checkEach('hintReaders', hintReaders, 'name', 'read');
  const ours = topologyNames(DEFAULTS.topologies);
  checkNames('topologies', checkEach('topologies', topologies, 'name', 'publish'), ours);
  checkNames('sourceKinds', checkEach('sourceKinds', sourceKinds, 'kind', 'describe'), DEFAULTS.kinds);
  for (const { kind, config } of sourceKinds)
    if (typeof (config as { safeParse?: unknown } | undefined)?.safeParse !== 'function')
      throw refused(`The source kind ${kind} has no \`config\`: a zod schema of its settings.`);
  if (reranker !== undefined && typeof reranker.rerank !== 'function')
    throw refused('The option `reranker` has no function `rerank`.');
  for (const [name, source] of Object.entries(functions)) checkTools(name, source.tools ?? []);
}

/** Functions of a source that is something else would count for nothing. Throws `configuration_invalid`. */
export function checkFunctionNames(
  { sources }: Configuration,
  { functions = {} }: Pick<GatewayOptions, 'functions'>,
): void {
  const taken = Object.keys(functions).find(
    (name) => Object.hasOwn(sources, name) && sources[name]!.kind !== 'function',
  );
  if (taken !== undefined)
    throw refused(
      `The functions ${taken} have the name of a source of kind ${sources[taken]!.kind}: call one of them otherwise.`,
    );
}

/** Each has a name and can do what it is for; the names. */
function checkEach(option: string, given: unknown, name: string, method: string): readonly string[] {
  if (!Array.isArray(given)) throw refused(`The option \`${option}\` takes a list, not ${wordFor(given)}.`);
  return given.map((one: unknown, index) => {
    const called = isObject(one) ? one[name] : undefined;
    if (typeof called !== 'string') throw refused(`${option}[${index}] has no text \`${name}\`.`);
    if (typeof (one as Record<string, unknown>)[method] !== 'function')
      throw refused(`${option}[${index}] (${called}) has no function \`${method}\`.`);
    return called;
  });
}

/** `ours`: names that Toolcrib brings itself, under which another one would never be asked. */
function checkNames(option: string, names: readonly string[], ours: readonly string[]): void {
  const taken = names.find((name) => ours.includes(name));
  if (taken !== undefined)
    throw refused(`The option \`${option}\` holds ${taken}, which Toolcrib has itself: choose another name.`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw refused(`The option \`${option}\` holds two of the name ${repeated}: keep one.`);
}

function checkTools(source: string, tools: unknown): void {
  if (!Array.isArray(tools))
    throw refused(`The tools of the functions ${source} are a list, not ${wordFor(tools)}.`);
  for (const [index, tool] of tools.entries()) {
    const { name, handler, access } = (isObject(tool) ? tool : {}) as Readonly<Record<string, unknown>>;
    const place = `Tool ${typeof name === 'string' ? name : index + 1} of the functions ${source}`;
    if (typeof name !== 'string') throw refused(`${place} has no text \`name\`.`);
    if (typeof handler !== 'function') throw refused(`${place} has no function \`handler\`.`);
    if (access !== undefined && !ACCESS_LEVELS.includes(access as never))
      throw refused(
        `${place} has the access ${JSON.stringify(access)}: it is one of ${ACCESS_LEVELS.join(', ')}.`,
      );
  }
}

function wordFor(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function refused(message: string, next?: string): ToolcribError {
  return new ToolcribError('configuration_invalid', message, {
    next: next ?? 'Correct what the program hands to createGateway and start again.',
  });
}
