import type { Json } from '../../../operations/index.ts';

/** Keys and indexes from the root. */
export type Location = readonly (string | number)[];

/** Levels of a document; what recurses deeper than any real one is refused. */
const MAX_DEPTH = 10_000;

/** What a query selects, in one order. */
export interface Selection {
  readonly locations: readonly Location[];
  readonly values: readonly Json[];
}

/** What a JSONPath query (RFC 9535) selects in a document. Throws for one that is not well-formed. */
export async function select(root: Json, query: string): Promise<Selection> {
  const { JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH });
  const nodes = environment.query(query.trim(), root);
  return { locations: nodes.locations(), values: nodes.values() as Json[] };
}
