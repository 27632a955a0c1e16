import { ToolcribError } from '../../errors.ts';
import type {
  CompletedResult,
  Json,
  JsonObject,
  Operation,
  PublishedTool,
  ResolvedCall,
  Tool,
} from '../../operations/index.ts';
import { CURSOR, reshape } from './answer.ts';
import type {
  ActionMapping,
  Category,
  GenericAction,
  GenericMappings,
  GenericToolDefinition,
  RecordDefinition,
  RecordMapping,
} from './category.ts';
import { toolOf } from './definition.ts';
import { locate, readField } from './read-record.ts';
import { fill, namesIn } from './template.ts';

/** A source that one principal may use, with those of its operations that it may call. */
export interface GenericProvider {
  readonly source: string;
  readonly category: string;
  readonly provider: string;
  readonly mappings: GenericMappings;
  /** Reads an operation by its id; undefined when the principal may not call it. */
  operation(id: string): (() => Operation) | undefined;
}

/** A generic tool with those providers that can carry it out. */
export interface GenericTool extends PublishedTool {
  /** Sources that it reaches. */
  readonly sources: readonly string[];
  /** The first operation that it may come to; a call that cannot be resolved is recorded as one of it. */
  readonly first: () => Operation;
  /** Throws `arguments_invalid` where the arguments cannot be said to the provider. */
  resolve(
    args: JsonObject,
  ): Omit<ResolvedCall, 'reshape'> & { reshape(result: CompletedResult): CompletedResult };
}

/** The generic tools that at least one of the providers can carry out, in order of their names. Pure. */
export function genericTools(
  categories: readonly Category[],
  providers: readonly GenericProvider[],
): readonly GenericTool[] {
  const tools: GenericTool[] = [];
  for (const { category, records } of categories) {
    const ofCategory = providers.filter((provider) => provider.category === category);
    for (const [record, definition] of Object.entries(records)) {
      for (const [action, tool] of Object.entries(definition.tools)) {
        const able = ofCategory.flatMap((provider) => ableTo(provider, record, action as GenericAction));
        if (able.length > 0) tools.push(genericTool(tool, action as GenericAction, definition, able));
      }
    }
  }
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Able {
  readonly provider: GenericProvider;
  readonly mapping: RecordMapping;
  readonly ways: readonly Way[];
}

interface Way {
  readonly mapping: ActionMapping;
  readonly operation: () => Operation;
  /** Reads what the operation would replace. */
  readonly reading?: () => Operation;
}

function ableTo(provider: GenericProvider, record: string, action: GenericAction): Able[] {
  const mapping = provider.mappings[record];
  const ways = (mapping?.actions[action] ?? []).flatMap((one): Way[] => {
    const operation = provider.operation(one.operation);
    const reading = one.keeps && provider.operation(one.keeps.operation);
    if (operation === undefined || (one.keeps !== undefined && reading === undefined)) return [];
    return [{ mapping: one, operation, ...(reading === undefined ? {} : { reading }) }];
  });
  return mapping === undefined || ways.length === 0 ? [] : [{ provider, mapping, ways }];
}

function genericTool(
  definition: GenericToolDefinition,
  action: GenericAction,
  record: RecordDefinition,
  able: readonly Able[],
): GenericTool {
  let tool: Tool | undefined;
  return {
    name: definition.name,
    sources: able.map(({ provider }) => provider.source),
    first: able[0]!.ways[0]!.operation,
    get tool() {
      tool ??= toolOf(
        definition,
        action,
        record,
        able.map(({ provider }) => provider.source),
      );
      return tool;
    },
    resolve(args) {
      const { provider: chosen, ...given } = args;
      const one = chooseProvider(able, chosen, definition.name);
      const { provider, mapping } = one;
      const way = chooseWay(one, given, definition.name);
      const operation = way.operation();
      const filled = fill(way.mapping.arguments, withPage(given, way.mapping), operation.input);
      return {
        // Structured content is kept whole only where an output is promised: the answer is read below.
        operation: { ...operation, output: {} },
        arguments: filled,
        ...readingFirst(way, given, filled),
        reshape: (result) =>
          reshape(result, {
            source: provider.source,
            mapping,
            way: way.mapping,
            args: given,
            ...(action === 'search' ? { list: record.list } : {}),
          }),
      };
    },
  };
}

/** The record as it is, so that an update which replaces the whole of it loses nothing. */
function readingFirst(
  { mapping: { keeps }, reading }: Way,
  args: JsonObject,
  filled: JsonObject,
): Pick<ResolvedCall, 'before'> {
  if (keeps === undefined || reading === undefined) return {};
  const operation = reading();
  return {
    before: {
      operation: { ...operation, output: {} },
      arguments: fill(keeps.arguments, args, operation.input),
      complete(result) {
        const record = locate(result.structured ?? null, keeps.at) ?? null;
        const completed: Record<string, Json> = { ...filled };
        for (const [name, pointer] of Object.entries(keeps.fields)) {
          const value = kept(filled[name], readField(record, pointer));
          if (value !== undefined) completed[name] = value;
        }
        return completed;
      },
    },
  };
}

function kept(given: Json | undefined, existing: Json | undefined): Json | undefined {
  if (given === undefined) return existing;
  return Array.isArray(given) && Array.isArray(existing)
    ? [...given, ...existing.slice(given.length)]
    : given;
}

/** Absent: the only provider there is. */
function chooseProvider(able: readonly Able[], chosen: Json | undefined, tool: string): Able {
  const names = able.map(({ provider }) => provider.source);
  const one =
    chosen === undefined && able.length === 1
      ? able[0]
      : able.find(({ provider }) => provider.source === chosen);
  if (one !== undefined) return one;
  throw new ToolcribError(
    'arguments_invalid',
    chosen === undefined
      ? `${tool}: several providers are connected; name one as provider: ${names.join(', ')}.`
      : `${tool}: the provider ${JSON.stringify(chosen)} is not connected; there is ${names.join(', ')}.`,
    { pointer: '/provider' },
  );
}

/** The first way that has a place for every argument given: what cannot be said is never silently left out. */
function chooseWay({ ways, provider }: Able, args: JsonObject, tool: string): Way {
  const given = Object.keys(args).filter((name) => args[name] !== undefined && args[name] !== null);
  const placed = new Set<string>();
  let unsaid = given;
  for (const way of ways) {
    const { when, needs = [], ignores = [] } = way.mapping;
    const names = namesIn(way.mapping.arguments);
    const missing = given.filter((name) => !names.has(name) && !ignores.includes(name));
    const meant =
      (when?.some((name) => given.includes(name)) ?? true) && needs.every((name) => given.includes(name));
    if (meant && missing.length === 0) return way;
    if (missing.length > 0 && missing.length < unsaid.length) unsaid = missing;
    for (const name of names) placed.add(name);
  }
  const never = given.filter((name) => !placed.has(name));
  const cannot = never.length > 0 ? never : unsaid;
  throw new ToolcribError(
    'arguments_invalid',
    cannot.length === 0
      ? `${tool}: ${provider.provider} needs something to look for.`
      : `${tool}: ${provider.provider} cannot take ${cannot.join(', ')}${never.length > 0 ? '' : ' together with the others'}.`,
    { pointer: `/${cannot[0] ?? ''}`, details: { provider: provider.provider } },
  );
}

/** A cursor of a paged list is the number of the page. */
function withPage(args: JsonObject, { next }: ActionMapping): JsonObject {
  if (next === undefined || !('page' in next) || args[CURSOR] === undefined) return args;
  return { ...args, [CURSOR]: Number(args[CURSOR]) };
}
