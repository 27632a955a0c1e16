import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import type { Connection, HttpInvocation, Operation } from '../../operations/index.ts';
import { checkPath } from '../../policy/path-blocklist.ts';
import { compareTemplates, fits, type PathTemplate, parseTemplate } from '../../proxy/path-template.ts';
import { type ReadPath, readPath } from '../../proxy/request-path.ts';

export type PathGuard = (url: string, connection: Connection, operation: Operation) => void;

/**
 * The last look at an address before it is requested: under the base URL, on no blocklist, and not the address of an
 * operation that is closed. `DELETE /pets/{id}` with the id `all` is `DELETE /pets/all`. Throws `path_blocked`.
 */
export function createPathGuard(catalog: () => Catalog): PathGuard {
  const closed = closedPlaces(catalog);
  return (url, connection, operation) => {
    guardBlocklist(url, connection);
    const { invocation, source } = operation;
    if (invocation.kind !== 'http' || !invocation.path.includes('{')) return;
    const places = closed(source, invocation.method);
    if (places.length === 0) return;
    const path = pathBelowBase(url, invocation, connection);
    if (path !== undefined && !places.some((place) => isMeant(place, operation, invocation, path))) return;
    throw new ToolcribError(
      'path_blocked',
      `Source ${source}: these arguments make the path of another operation, which may not be called this way.`,
    );
  };
}

function guardBlocklist(url: string, { baseUrl, blocklist, source }: Connection): void {
  if (blocklist === undefined || blocklist.length === 0 || baseUrl === undefined) return;
  const verdict = checkPath({ base: baseUrl, path: url, blocklist });
  if (verdict.allow) return;
  throw new ToolcribError('path_blocked', `Source ${source}: ${verdict.reason}`);
}

/** Where an operation stands that must not be reached by way of another. */
interface ClosedPlace {
  readonly operation?: string;
  readonly template: PathTemplate;
  /** What it asks of its callers, as text; absent where nobody may call it. */
  readonly requirements?: string;
}

/** By source and method: what was left out, dangerous operations first of all, what waits for acceptance, what asks for more. */
function closedPlaces(catalog: () => Catalog): (source: string, method: string) => readonly ClosedPlace[] {
  const made = new WeakMap<Catalog, ReadonlyMap<string, readonly ClosedPlace[]>>();
  return (source, method) => {
    const current = catalog();
    let places = made.get(current);
    if (places === undefined) {
      places = placesOf(current);
      made.set(current, places);
    }
    return places.get(`${method.toUpperCase()} ${source}`) ?? [];
  };
}

function placesOf({ skipped, entries }: Catalog): ReadonlyMap<string, readonly ClosedPlace[]> {
  const places = new Map<string, ClosedPlace[]>();
  const add = (source: string, method: string, path: string, place: Omit<ClosedPlace, 'template'>) => {
    const key = `${method.toUpperCase()} ${source}`;
    const known = places.get(key) ?? [];
    known.push({ ...place, template: parseTemplate(path) });
    places.set(key, known);
  };
  for (const { source, method, path, operation } of skipped) {
    if (source !== undefined) add(source, method, path, operation === undefined ? {} : { operation });
  }
  for (const { quarantined, facts, source, load } of entries) {
    const { id, requirements } = facts;
    if (!quarantined && requirements === undefined) continue;
    const { invocation } = load();
    if (invocation.kind !== 'http') continue;
    add(source, invocation.method, invocation.path, {
      operation: id,
      ...(quarantined ? {} : { requirements: JSON.stringify(requirements) }),
    });
  }
  return places;
}

function pathBelowBase(
  url: string,
  invocation: HttpInvocation,
  connection: Connection,
): ReadPath | undefined {
  const { origin, path } = baseUrlOf(invocation, connection);
  return readPath(url, `${origin}${path}`);
}

/** It fits more exactly than the operation's own path, or it fits what a lenient server makes of the path. */
function isMeant(
  place: ClosedPlace,
  { id, requirements }: Operation,
  { path: own }: HttpInvocation,
  path: ReadPath,
): boolean {
  const { template } = place;
  if (place.operation === id) return false;
  if (place.requirements !== undefined && place.requirements === JSON.stringify(requirements)) return false;
  if (!fits(template, path.names)) return fits(template, path.lenient) || fits(template, path.formatless);
  const ownTemplate = parseTemplate(own);
  return !fits(ownTemplate, path.names) || compareTemplates(template, ownTemplate) < 0;
}
