import { type ArgumentPlace, assignArgumentNames } from '../../operations/invocation/arguments.ts';
import type { ParameterDef, ProviderManifest, ProviderOperation } from './manifest.ts';

/** One value that an operation takes, and what its argument is called. */
export interface OperationPart {
  readonly place: Extract<ArgumentPlace, 'path' | 'query' | 'header' | 'body'>;
  /** The name on the wire. */
  readonly name: string;
  readonly argument: string;
  readonly definition: ParameterDef;
}

type Shared = Pick<ProviderManifest, 'parameters' | 'pagination'>;

const ORDER: Readonly<Record<OperationPart['place'], number>> = { path: 0, query: 1, header: 2, body: 3 };

/** Names of the placeholders of a path, in order. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
}

/**
 * Parameters in the order path, query, header, body; own ones replace shared ones of their name. A name that stands
 * in two places keeps both: the later gets its place added (`body_id`).
 */
export function partsOf(operation: ProviderOperation, manifest?: Shared): OperationPart[] {
  const inPath = new Set(placeholdersOf(operation.path));
  const params = { ...sharedParameters(operation, manifest), ...operation.params };
  const placed = [
    ...Object.entries(params).map(([name, definition]) => ({
      place: definition.in ?? (inPath.has(name) ? ('path' as const) : ('query' as const)),
      name,
      definition,
    })),
    ...Object.entries(operation.body ?? {}).map(([name, definition]) => ({
      place: 'body' as const,
      name,
      definition,
    })),
  ].sort((a, b) => ORDER[a.place] - ORDER[b.place]);
  const names = assignArgumentNames(placed);
  return placed.map((part, index) => ({ ...part, argument: names[index]! }));
}

/** Names of the shared parameters that an operation takes. */
export function sharedNames(
  operation: ProviderOperation,
  pagination: Shared['pagination'],
): readonly string[] {
  const paging = operation.paginated === true ? (pagination?.parameters ?? []) : [];
  return [...new Set([...paging, ...(operation.parameters ?? [])])];
}

function sharedParameters(
  operation: ProviderOperation,
  { parameters = {}, pagination }: Shared = {},
): Record<string, ParameterDef> {
  const taken: Record<string, ParameterDef> = {};
  for (const name of sharedNames(operation, pagination)) {
    if (Object.hasOwn(parameters, name)) taken[name] = parameters[name]!;
  }
  return taken;
}
