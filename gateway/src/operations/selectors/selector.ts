import { matchesPathGlob } from '../http/path-glob.ts';
import type { Access } from '../operation.ts';
import { namesOperation } from './names-operation.ts';

/**
 * Picks operations; every part that is given must match. `operation` is an id, or `office365.*` for all ids that begin
 * so; `path` is a glob over the document's path key.
 */
export interface OperationSelector {
  readonly operation?: string;
  readonly tag?: string;
  readonly path?: string;
  readonly method?: string;
}

/** The last matching rule wins. A `dangerous` operation can be re-classed only by naming its whole operation id, to `delete`. */
export type AccessRule = OperationSelector & { readonly access: Access };

/** What a selector looks at; OperationFacts fit. */
export interface Selectable {
  readonly id: string;
  readonly tags: readonly string[];
  /** Absent: neither method nor path matches it. */
  readonly http?: { readonly method: string; readonly path: string };
}

/** Every part given must match: operation id and tag exactly, method in any case, path as a glob. */
export function selects(selector: OperationSelector, { id, tags, http }: Selectable): boolean {
  const { operation, tag, method, path } = selector;
  if (operation !== undefined && !namesOperation(operation, id)) return false;
  if (tag !== undefined && !tags.includes(tag)) return false;
  if (method === undefined && path === undefined) return true;
  if (http === undefined) return false;
  if (method !== undefined && method.toUpperCase() !== http.method.toUpperCase()) return false;
  return path === undefined || matchesPathGlob(http.path, path);
}

/** The parts of a selector for a person: `tag orders, method GET`; `all` for one without parts. */
export function describeSelector(selector: object, all = 'everything'): string {
  const parts = Object.entries(selector).map(([part, value]) => `${part} ${value}`);
  return parts.length === 0 ? all : parts.join(', ');
}
