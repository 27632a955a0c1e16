import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { isScimList } from '../scim-list.ts';

/** The list within an answer. */
export interface FoundRows {
  readonly rows: readonly Json[];
  /** Names that lead to it; empty where the answer is the list. */
  readonly path: readonly string[];
  /** The answer without its rows; undefined where nothing else stands there. */
  readonly envelope: Json | undefined;
  /** The answer with other rows. */
  replace(rows: readonly Json[]): Json;
}

/** Members that hold a list's rows, the likeliest first. */
const LISTS = ['data', 'items', 'results', 'value', 'result', 'rows', 'records', 'entries', 'list', 'nodes'];
/** Members that wrap the answer, or stand beside it. */
const WRAPPERS: ReadonlySet<string> = new Set([...LISTS, 'response', 'body', 'payload', '_embedded']);
const BESIDE: ReadonlySet<string> = new Set([
  'extensions',
  'errors',
  'meta',
  'metadata',
  'pageInfo',
  'links',
  '_links',
]);
/** Beside another list, `link` holds the way to further pages (FHIR). */
const LINKS = 'link';
/** Of a list of scalars, only what says how long it is may stand beside it. */
const COUNTING =
  /^(?:total|count|size|limit|offset|page|pages|per_?page|after|before|next|prev|previous|cursor|has_?more|has_?next|truncated|kind|object|type|url|status|success|ok|links|meta|pagination|.*(?:_?count|_?total|_?token|_?cursor|_?page|_?link|_?pages|_?size))$/i;
const MAX_DEPTH = 5;

/**
 * A bare list, `{data: […]}` and the like, a GraphQL connection (`edges` of `node`s, or `nodes`), a list of SCIM, or the
 * only list within an object. Undefined for an answer that is no list.
 */
export function findRows(answer: Json): FoundRows | undefined {
  const path = pathOf(answer, 0);
  if (path === undefined) return undefined;
  const list = path.reduce<Json>((value, name) => (value as JsonObject)[name]!, answer) as Json[];
  const edges = path.at(-1) === 'edges' && isConnection(list);
  const rows = edges ? list.map((edge) => (edge as JsonObject)['node']!) : list;
  return {
    rows,
    path,
    envelope: without(answer, path),
    replace: (others) => replaced(answer, path, [...others]),
  };
}

function pathOf(answer: Json, depth: number): readonly string[] | undefined {
  if (Array.isArray(answer)) return [];
  if (!isObject(answer) || depth >= MAX_DEPTH) return undefined;
  const edges = own(answer, 'edges');
  if (Array.isArray(edges) && isConnection(edges)) return ['edges'];
  if (isScimList(answer) && Array.isArray(own(answer, 'Resources'))) return ['Resources'];
  const named = LISTS.find((name) => Array.isArray(own(answer, name)));
  if (named !== undefined) return [named];
  const names = Object.keys(answer);
  const all = names.filter((name) => Array.isArray(answer[name]) && !BESIDE.has(name));
  const lists = all.length > 1 ? all.filter((name) => name !== LINKS) : all;
  if (lists.length === 1) return isOnlyList(answer, lists[0]!) ? [lists[0]!] : undefined;
  if (lists.length > 1) return undefined;
  const objects = names.filter((name) => isObject(answer[name]) && !BESIDE.has(name));
  const inner = objects.length === 1 ? objects[0]! : objects.find((name) => WRAPPERS.has(name));
  if (inner === undefined || !(WRAPPERS.has(inner) || isAlone(names, inner))) return undefined;
  const rest = pathOf(answer[inner]!, depth + 1);
  return rest === undefined ? undefined : [inner, ...rest];
}

/** `{buckets: ["a", "b"], total: 2}` is a list, `{name: "a", tags: ["x"]}` is not. */
function isOnlyList(answer: JsonObject, name: string): boolean {
  const list = answer[name] as Json[];
  if (list.length > 0 && list.every(isObject)) return true;
  return Object.keys(answer).every((other) => other === name || BESIDE.has(other) || COUNTING.test(other));
}

function isAlone(names: readonly string[], inner: string): boolean {
  return names.every((name) => name === inner || BESIDE.has(name));
}

function isConnection(edges: Json[]): boolean {
  return edges.every((edge) => isObject(edge) && Object.hasOwn(edge, 'node'));
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function without(answer: Json, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined || !isObject(answer)) return undefined;
  const inner = without(answer[name]!, rest);
  const members = Object.entries(answer).flatMap(([key, value]): [string, Json][] => {
    if (key !== name) return [[key, value]];
    return inner === undefined ? [] : [[key, inner]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function replaced(answer: Json, [name, ...rest]: readonly string[], rows: Json[]): Json {
  if (name === undefined || !isObject(answer)) return rows;
  const inside = name === 'edges' && rest.length === 0 ? rows.map((node): Json => ({ node })) : undefined;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]): [string, Json] => [
      key,
      key === name ? (inside ?? replaced(value, rest, rows)) : value,
    ]),
  );
}
