import { ACCESS_LEVELS, type Access, type Operation } from '../operations/index.ts';
import { compareTemplates, fits, type PathTemplate, parseTemplate, valuesOf } from './path-template.ts';
import type { ClosedPlace, HttpOperation, ProxyRequest, ProxySource } from './proxy-types.ts';
import { acceptsFields } from './request-fields.ts';
import type { ReadPath } from './request-path.ts';

/** What a request means to a source. */
export type Match =
  | {
      readonly kind: 'operation';
      readonly operation: HttpOperation;
      /** The most harmful that the request can mean. */
      readonly access: Access;
      /** By placeholder, decoded. */
      readonly values: Readonly<Record<string, string>>;
    }
  /** No operation that may be called. `open`: the path is not one that is dangerous or left out either. */
  | { readonly kind: 'none'; readonly open: boolean; readonly closed?: string };

/**
 * The operation that a request means: same method, the path segment by segment, literal segments before
 * placeholders, operations on one place told apart by their fields. A path that another server could cut in
 * another way counts as both; what stays undecided counts as the most harmful.
 */
export function matchRequest(
  request: Given,
  path: ReadPath,
  { operations, closed }: Pick<ProxySource, 'operations' | 'closed'>,
): Match {
  const known = operations.filter(isHttp).map((operation) => ({
    operation,
    template: parseTemplate(operation.invocation.path),
  }));
  const places = [...closed, ...known.filter(isDangerous).map(placeOf)].map((place) => ({
    ...place,
    template: parseTemplate(place.path),
  }));
  const readings = [path.names, path.lenient, path.formatless];
  const taken = places.filter(({ template }) => readings.some((names) => fits(template, names)));
  const rivals = taken.filter(({ method }) => method.toUpperCase() === request.method);
  const chosen = choose(request, path, path.names, known);
  const otherwise = choose(request, path, path.lenient, known);
  const [best] = chosen;
  const values = best && valuesOf(best.template, path);
  if (
    best !== undefined &&
    values !== undefined &&
    !rivals.some((rival) => isMeant(rival, best, request, path))
  ) {
    const access = mostHarmful([...chosen, ...otherwise].map(({ operation }) => operation));
    return { kind: 'operation', operation: best.operation, access, values };
  }
  const open = taken.length === 0 && otherwise.length === 0 && best === undefined;
  const id = rivals.find(({ operation }) => operation !== undefined)?.operation;
  return { kind: 'none', open, ...(id === undefined ? {} : { closed: id }) };
}

type Given = Pick<ProxyRequest, 'method' | 'query' | 'body'>;

function placeOf({ operation: { id, invocation } }: Candidate): ClosedPlace {
  return { operation: id, method: invocation.method, path: invocation.path };
}

/** A closed place of the same method is meant where it is the more specific, or where the fields do not tell. */
function isMeant(
  { template, operation }: ClosedPlace & { readonly template: PathTemplate },
  best: Candidate,
  request: Given,
  path: ReadPath,
): boolean {
  if (operation === best.operation.id) return false;
  if (!fits(template, path.names)) return true;
  const difference = compareTemplates(template, best.template);
  return difference < 0 || (difference === 0 && !acceptsFields(best.operation, request, path));
}

function isDangerous({ operation }: Candidate): boolean {
  return harm(operation.access) >= harm('dangerous');
}

interface Candidate {
  readonly operation: HttpOperation;
  readonly template: PathTemplate;
}

/** Operations on the most specific place that fits, the likeliest first. */
function choose(
  request: Given,
  path: ReadPath,
  names: readonly string[],
  known: readonly Candidate[],
): readonly Candidate[] {
  const method = request.method.toUpperCase();
  const fitting = known
    .filter(({ operation }) => operation.invocation.method.toUpperCase() === method)
    .filter(({ template }) => fits(template, names))
    .sort((a, b) => compareTemplates(a.template, b.template));
  const place = fitting.filter(({ template }) => compareTemplates(template, fitting[0]!.template) === 0);
  if (place.length < 2) return place;
  const told = place.filter(({ operation }) => acceptsFields(operation, request, path));
  const left = told.length === 0 ? place : told;
  return [...left].sort((a, b) => harm(b.operation.access) - harm(a.operation.access));
}

function isHttp(operation: Operation): operation is HttpOperation {
  return operation.invocation.kind === 'http';
}

function mostHarmful(operations: readonly Operation[]): Access {
  const harms = operations.map(({ access }) => harm(access));
  return ACCESS_LEVELS[Math.max(...harms)] ?? 'dangerous';
}

/** What is no access level counts as the worst. */
function harm(access: Access): number {
  const index = ACCESS_LEVELS.indexOf(access);
  return index < 0 ? ACCESS_LEVELS.length : index;
}
