import type { Json } from '../../../operations/index.ts';

/** Keys and indexes from the root. */
export type Location = readonly (string | number)[];

/** Levels of a document; what recurses deeper than any real one is refused. */
const MAX_DEPTH = 10_000;

/** Where a JSONPath query (RFC 9535) leads in a document. Throws for one that is not well-formed. */
export async function selectLocations(root: Json, query: string): Promise<readonly Location[]> {
  const { JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH });
  return environment.query(query.trim(), root).locations();
}
