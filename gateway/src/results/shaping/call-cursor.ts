import {
  canonicalHash,
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  operationKey,
} from '../../operations/index.ts';
import {
  decodeCursor,
  encodeCursor,
  invalidCursor,
  isLinkParameter,
  leadsOn,
  type Pagination,
} from '../pagination/index.ts';

/** Where a call of an operation goes on. */
export interface Place {
  /** Arguments that lead to the page; absent: the first. */
  readonly page?: JsonObject;
  /** Pages that were read as one from there. Default 1. */
  readonly pages?: number;
  /** Rows of it that were seen. */
  readonly skip?: number;
  /** The stored answer that holds it; nothing is called then. */
  readonly responseId?: string;
}

const HASH_LENGTH = 16;

/** The cursor that leads to a place, for this operation and these arguments. */
export function cursorTo(place: Place, operation: Operation, scope: string): string {
  const { page, pages, skip, responseId } = place;
  return encodeCursor({
    o: operationKey(operation),
    a: scope,
    ...(page === undefined ? {} : { p: page }),
    ...(pages === undefined || pages === 1 ? {} : { k: pages }),
    ...(skip === undefined || skip === 0 ? {} : { s: skip }),
    ...(responseId === undefined ? {} : { r: responseId }),
  });
}

/** Throws `cursor_invalid` for a cursor of another operation, or of a call with other arguments. */
export function placeOf(cursor: string, operation: Operation, scope: string): Place {
  const { o, a, p, k, s, r } = decodeCursor(cursor);
  if (o !== operationKey(operation)) throw invalidCursor('The cursor belongs to another operation.');
  if (a !== scope)
    throw invalidCursor('The cursor belongs to a call with other arguments: repeat them with it.');
  return {
    ...(isObject(p) ? { page: p } : {}),
    ...(isCount(k) ? { pages: k } : {}),
    ...(isCount(s) ? { skip: s } : {}),
    ...(typeof r === 'string' ? { responseId: r } : {}),
  };
}

/** A cursor leads to a page of what was called: it is made by whoever calls, and must not change anything else. */
export function checkPage(page: JsonObject, operation: Operation, pagination: Pagination | undefined): void {
  const { invocation, access } = operation;
  const bindings = invocation.kind === 'http' ? invocation.bindings : [];
  const choosing = new Set(
    bindings
      .filter(({ in: place, name }) => place === 'query' || (place === 'header' && leadsOn(name)))
      .map(({ arg }) => arg),
  );
  const isAllowed = (name: string): boolean =>
    pagination?.parameters.includes(name) === true || choosing.has(name) || isLinkParameter(name, operation);
  if (access !== 'read' || !Object.keys(page).every(isAllowed))
    throw invalidCursor('The cursor leads to another call than this one.');
}

/** What has to be the same from page to page: every argument that chooses no page. */
export function scopeOf(args: JsonObject, pagination: Pagination | undefined): string {
  const fixed = Object.entries(args).filter(([name]) => !pagination?.parameters.includes(name));
  return canonicalHash(Object.fromEntries(fixed)).slice('sha256:'.length).slice(0, HASH_LENGTH);
}

/** What of a page's arguments differs from the caller's own; null takes an argument away. */
export function pageDifference(page: JsonObject, given: JsonObject): JsonObject {
  const changed = Object.entries(page).filter(
    ([name, value]) => !Object.hasOwn(given, name) || canonicalJson(given[name]) !== canonicalJson(value),
  );
  const dropped = Object.keys(given).filter((name) => !Object.hasOwn(page, name));
  return Object.fromEntries([...changed, ...dropped.map((name): [string, Json] => [name, null])]);
}

/** The caller's arguments with those of the page. */
export function withPage(given: JsonObject, page: JsonObject | undefined): JsonObject {
  if (page === undefined) return given;
  return Object.fromEntries(
    Object.entries({ ...given, ...page }).filter(([name, value]) => value !== null || page[name] !== null),
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
