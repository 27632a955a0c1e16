import type { Access } from './operation.ts';

/** Picks operations; every part that is given must match. `path` is a glob over the document's path key. */
export interface OperationSelector {
  readonly operation?: string;
  readonly tag?: string;
  readonly path?: string;
  readonly method?: string;
}

/** The last matching rule wins. A `dangerous` operation can be re-classed only by naming its operation id, to `delete`. */
export type AccessRule = OperationSelector & { readonly access: Access };
