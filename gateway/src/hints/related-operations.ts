import type { OperationHints } from './hints.ts';

/** What a related endpoint can mean; a VisibleOperation's facts fit. */
export interface Endpoint {
  readonly id: string;
  readonly http?: { readonly method: string; readonly path: string };
}

/** `GET /pools`, `/pools`, `/pools (GET)` */
const ENDPOINT = /^(?:([A-Za-z]{3,10})\s+)?(\/\S*)(?:\s+\(([A-Za-z]{3,10})\))?/;

/**
 * Ids of the operations that `related_endpoints` name, each once, in the order of the hints. A path alone names every
 * operation on it, reading ones first; names of placeholders do not count. What exists nowhere among them is dropped.
 */
export function relatedOperations(
  { relatedEndpoints = [] }: Pick<OperationHints, 'relatedEndpoints'>,
  operations: readonly Endpoint[],
): readonly string[] {
  if (relatedEndpoints.length === 0) return [];
  const reachable = operations.filter(({ http }) => http !== undefined);
  const byPath = Map.groupBy(reachable, ({ http }) => shapeOf(http!.path));
  const ids = relatedEndpoints.flatMap((endpoint) => {
    const [, before, path, behind] = ENDPOINT.exec(endpoint.trim()) ?? [];
    const method = before ?? behind;
    const there = path === undefined ? [] : (byPath.get(shapeOf(path)) ?? []);
    return there
      .filter(({ http }) => method === undefined || http!.method.toUpperCase() === method.toUpperCase())
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ id }) => id);
  });
  return [...new Set(ids)];
}

function rank({ http }: Endpoint): number {
  return http!.method.toUpperCase() === 'GET' ? 0 : 1;
}

/** `/pools/{pool}/x?y=1` → `/pools/{}/x` */
function shapeOf(path: string): string {
  const plain = path.split(/[?#]/, 1)[0]!.replace(/\{[^{}]*\}/g, '{}');
  return plain.length > 1 ? plain.replace(/\/$/, '') : plain;
}
