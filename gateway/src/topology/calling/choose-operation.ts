import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { VisibleOperation } from '../../operations/index.ts';
import { firstFew } from '../../operations/text/first-few.ts';
import type { OperationSet } from '../topology.ts';
import {
  compareTemplates,
  matchSegments,
  matchWithSlashes,
  type PathTemplate,
  parseTemplate,
  segmentsOf,
} from './match-path.ts';
import { nearestOperations, shownId } from './nearest-operations.ts';

/** How a caller names an operation: by id, key or tool name, or by method and path. */
export interface OperationTarget {
  readonly operation?: string;
  readonly method?: string;
  /** The template, or a path as it goes on the wire. */
  readonly path?: string;
}

export interface ChosenOperation {
  readonly operation: VisibleOperation;
  /** Values of the path's placeholders, where the path was written out. */
  readonly placeholders: Readonly<Record<string, string>>;
}

const METHOD_AND_PATH = /^([A-Za-z]{3,10}) +(\/.*)$/s;
const MOST_NAMED = 10;

/** Throws `operation_unknown`, `operation_ambiguous`, `arguments_invalid`. Looks at nothing outside the set. */
export async function chooseOperation(
  set: OperationSet,
  target: OperationTarget,
  signal?: AbortSignal,
): Promise<ChosenOperation> {
  const { operation, method, path } = target;
  if (operation === undefined && path === undefined) {
    throw new ToolcribError('arguments_invalid', 'Name the operation, or its method and path.', {
      pointer: '/operation',
    });
  }
  if (operation === undefined) return choosePlace(set, method, path!, signal);
  const found = set.find(operation);
  if (found !== undefined) return { operation: found, placeholders: placeholdersOf(found, method, path) };
  const rivals = set.operations.filter(({ facts }) => facts.id === operation);
  if (rivals.length > 1)
    throw ambiguous(`Several sources have an operation ${quoted(operation)}`, rivals, set);
  const [, said, place] = METHOD_AND_PATH.exec(operation) ?? [];
  if (place !== undefined) return choosePlace(set, said, place, signal);
  throw await unknown(set, quoted(operation), operation, { signal });
}

/** The same for a tool whose argument has another name; errors point to it. */
export async function chooseNamed(
  set: OperationSet,
  argument: string,
  name: string,
  signal?: AbortSignal,
): Promise<ChosenOperation> {
  try {
    return await chooseOperation(set, { operation: name }, signal);
  } catch (error) {
    if (!isToolcribError(error) || error.pointer !== '/operation') throw error;
    const { code, message, details } = error;
    throw new ToolcribError(code, message, {
      pointer: `/${argument}`,
      ...(details === undefined ? {} : { details }),
    });
  }
}

async function choosePlace(
  set: OperationSet,
  method: string | undefined,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ChosenOperation> {
  const place = `${method === undefined ? '' : `${method.toUpperCase()} `}${path}`;
  const all = placesOf(set);
  const places = all.filter(
    ({ operation }) =>
      method === undefined || operation.facts.http!.method.toUpperCase() === method.toUpperCase(),
  );
  const exact = places.filter(({ operation }) => samePath(operation.facts.http!.path, path));
  if (exact.length === 0 && path.includes('?')) {
    throw new ToolcribError(
      'arguments_invalid',
      'The path holds a query string: give query parameters as arguments.',
      { pointer: '/path' },
    );
  }
  const matches =
    exact.length > 0
      ? exact.map(({ operation }) => ({ operation, placeholders: {} }))
      : mostSpecific(places, path);
  if (matches.length > 1) {
    throw ambiguous(
      `${quoted(place)} fits several operations`,
      matches.map(({ operation }) => operation),
      set,
    );
  }
  const [match] = matches;
  if (match !== undefined) return match;
  const others = method === undefined ? [] : atPath(all, path);
  throw others.length > 0
    ? otherMethod(quoted(place), others, set)
    : await unknown(set, quoted(place), path, { method, signal });
}

interface Place {
  readonly operation: VisibleOperation;
  readonly template: PathTemplate | undefined;
}

const PLACES = new WeakMap<OperationSet, readonly Place[]>();

/** Templates of a set are taken apart once. */
function placesOf(set: OperationSet): readonly Place[] {
  let places = PLACES.get(set);
  if (places === undefined) {
    places = set.operations.flatMap((operation): Place[] => {
      const { http } = operation.facts;
      return http === undefined ? [] : [{ operation, template: parseTemplate(http.path) }];
    });
    PLACES.set(set, places);
  }
  return places;
}

/** The matches whose templates are most literal from the left; a value with slashes only where nothing else fits. */
function mostSpecific(places: readonly Place[], path: string): ChosenOperation[] {
  const segments = segmentsOf(path);
  if (segments === undefined) return [];
  for (const match of [matchSegments, matchWithSlashes]) {
    const fitting = places
      .flatMap(({ operation, template }) => {
        const placeholders = template && match(template, segments);
        return placeholders === undefined ? [] : [{ operation, template: template!, placeholders }];
      })
      .sort((a, b) => compareTemplates(a.template, b.template));
    const best = fitting[0];
    if (best === undefined) continue;
    return fitting.filter(({ template }) => compareTemplates(template, best.template) === 0);
  }
  return [];
}

/** Method and path beside an id must mean the same operation. */
function placeholdersOf(
  { facts: { http, id } }: VisibleOperation,
  method: string | undefined,
  path: string | undefined,
): Readonly<Record<string, string>> {
  const refuse = (pointer: string, what: string) =>
    new ToolcribError('arguments_invalid', `The operation ${quoted(id)} ${what}.`, { pointer });
  if (method !== undefined && http?.method.toUpperCase() !== method.toUpperCase()) {
    throw refuse('/method', `is not called by ${quoted(method)}`);
  }
  if (path === undefined || (http !== undefined && samePath(http.path, path))) return {};
  const template = http && parseTemplate(http.path);
  const segments = segmentsOf(path);
  const values =
    template && segments && (matchSegments(template, segments) ?? matchWithSlashes(template, segments));
  if (values === undefined) throw refuse('/path', `is not at ${quoted(path)}`);
  return values;
}

function samePath(template: string, path: string): boolean {
  return template === path || trimmed(template) === trimmed(path);
}

function trimmed(path: string): string {
  return path.replace(/^\//, '').replace(/\/$/, '');
}

function ambiguous(what: string, rivals: readonly VisibleOperation[], set: OperationSet): ToolcribError {
  const ids = rivals.map((operation) => shownId(operation, set));
  return new ToolcribError('operation_ambiguous', `${what}: ${firstFew(ids, MOST_NAMED)}.`, {
    pointer: '/operation',
    details: { operations: ids.slice(0, MOST_NAMED) },
  });
}

function atPath(all: readonly Place[], path: string): readonly VisibleOperation[] {
  const exact = all.filter(({ operation }) => samePath(operation.facts.http!.path, path));
  return (exact.length > 0 ? exact : mostSpecific(all, path)).map(({ operation }) => operation);
}

/** The path is there, the method is not. */
function otherMethod(
  what: string,
  operations: readonly VisibleOperation[],
  set: OperationSet,
): ToolcribError {
  const ids = operations.map((operation) => shownId(operation, set));
  const named = operations.map(({ facts }, index) => `${facts.http!.method.toUpperCase()} (${ids[index]})`);
  return new ToolcribError(
    'operation_unknown',
    `There is no operation ${what}; that path takes ${named.join(', ')}.`,
    { pointer: '/operation', details: { nearest: ids } },
  );
}

async function unknown(
  set: OperationSet,
  what: string,
  name: string,
  how: Parameters<typeof nearestOperations>[2],
): Promise<ToolcribError> {
  const nearest = await nearestOperations(set, name, how);
  const hint = nearest.length === 0 ? '' : ` Nearest: ${nearest.join(', ')}.`;
  return new ToolcribError('operation_unknown', `There is no operation ${what}.${hint}`, {
    pointer: '/operation',
    details: { nearest },
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}
