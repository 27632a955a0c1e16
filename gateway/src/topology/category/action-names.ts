import type { VisibleOperation } from '../../operations/index.ts';
import { wordsOf } from '../../operations/text/words.ts';

/** The verbs that mean one operation of a tool, where they can mean only one. */
const VERBS = ['list', 'get', 'create', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** First words of an id that say what is done. */
const ACTION_WORDS: ReadonlySet<string> = new Set([
  ...[
    'list',
    'get',
    'read',
    'fetch',
    'find',
    'search',
    'query',
    'show',
    'check',
    'count',
    'download',
    'export',
  ],
  ...[
    'create',
    'add',
    'new',
    'insert',
    'register',
    'import',
    'upload',
    'update',
    'edit',
    'change',
    'set',
    'put',
  ],
  ...['patch', 'replace', 'modify', 'rename', 'move', 'copy', 'delete', 'remove', 'clear', 'purge', 'forget'],
  ...[
    'start',
    'stop',
    'restart',
    'enable',
    'disable',
    'attach',
    'detach',
    'connect',
    'cancel',
    'run',
    'test',
  ],
]);
/** Words of an id that say the same as a verb. */
const SAYING: Readonly<Record<Verb, readonly string[]>> = Object.freeze({
  list: ['list', 'all', 'search', 'find'],
  get: ['get', 'read'],
  create: ['create', 'add', 'new', 'insert'],
  update: ['update', 'edit', 'change', 'set', 'replace', 'patch', 'modify'],
  delete: ['delete', 'remove'],
});
/** What generators call the class that an operation is a method of. */
const CLASS_NAME = /[a-z](?:Resource|Controller|Service|Api|Handler)$/;
/** Longer ids give way to the tool's name, which has 64 characters at the most. */
const LONGEST_ID = 64;

/**
 * By action: `list`, `get`, `create`, `update`, `delete` where one operation is meant, else the operation's own name.
 * Where the operations are of several categories no verb means one of them.
 */
export function actionNames(
  operations: readonly VisibleOperation[],
  { isMixed = false }: { readonly isMixed?: boolean } = {},
): ReadonlyMap<string, VisibleOperation> {
  const own = ownNames(operations);
  const reserved = new Set<string>(own);
  const verbs = isMixed ? undefined : verbsOf(operations);
  const actions = new Map<string, VisibleOperation>();
  for (const [index, operation] of operations.entries()) {
    const verb = verbs?.get(operation);
    const takes = verb !== undefined && (!reserved.has(verb) || own[index] === verb);
    actions.set(takes ? verb : own[index]!, operation);
  }
  return actions;
}

/** Where all stand under one collection, its own five operations; else each verb that one operation alone does. */
function verbsOf(operations: readonly VisibleOperation[]): ReadonlyMap<VisibleOperation, Verb> {
  const collection = collectionOf(operations);
  const candidates = operations.flatMap((operation): (readonly [Verb, VisibleOperation])[] => {
    const verb = verbOf(operation, collection);
    return verb === undefined ? [] : [[verb, operation]];
  });
  const byVerb = Map.groupBy(candidates, ([verb]) => verb);
  return new Map(
    [...byVerb].flatMap(([verb, [first, ...rivals]]) => (rivals.length === 0 ? [[first![1], verb]] : [])),
  );
}

/** The shortest path without a placeholder at its end that all others begin with. */
function collectionOf(operations: readonly VisibleOperation[]): string | undefined {
  const paths = operations.map(({ facts }) => facts.http?.path.replace(/\/$/, ''));
  if (paths.some((path) => path === undefined)) return undefined;
  const shortest = (paths as string[])
    .filter((path) => !path.endsWith('}'))
    .reduce<string | undefined>((a, b) => (a === undefined || b.length < a.length ? b : a), undefined);
  const isRoot = paths.every((path) => path === shortest || path!.startsWith(`${shortest}/`));
  return isRoot ? shortest : undefined;
}

function verbOf({ facts }: VisibleOperation, collection: string | undefined): Verb | undefined {
  const { http, access, id } = facts;
  if (http === undefined) {
    const [word] = wordsOf(id);
    return VERBS.find((verb) => verb === word);
  }
  const path = http.path.replace(/\/$/, '');
  const isMember = path.endsWith('}');
  if (collection !== undefined && path !== collection && !(isMember && parentOf(path) === collection)) {
    return undefined;
  }
  const says = (verb: Verb) => {
    const words = wordsOf(id);
    return SAYING[verb].some((word) => words.includes(word));
  };
  switch (http.method.toUpperCase()) {
    case 'GET':
      if (access !== 'read') return undefined;
      return isMember ? 'get' : isPlural(path) || says('list') ? 'list' : undefined;
    case 'POST':
      return !isMember && (path === collection || says('create')) ? 'create' : undefined;
    case 'PUT':
    case 'PATCH':
      return isMember || says('update') ? 'update' : undefined;
    case 'DELETE':
      return isMember || says('delete') ? 'delete' : undefined;
    default:
      return undefined;
  }
}

/** `/pools`, `/v1/statuses`; one record at a fixed place is `/status`. */
function isPlural(path: string): boolean {
  return /[^s]s$|(?:s|sh|ch|x)es$/i.test(path) && !/(?:us|is)$/i.test(path);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The shortest names that tell the operations apart: what an id says behind its resource, the id, the tool's name. */
function ownNames(operations: readonly VisibleOperation[]): string[] {
  const choices = operations.map(({ facts: { id }, name }) => [
    ...new Set([shortId(id), id].filter((one) => one.length <= LONGEST_ID)),
    name,
  ]);
  const level = choices.map(() => 0);
  for (;;) {
    const names = choices.map((names, index) => names[level[index]!]!);
    const counts = Map.groupBy(names.keys(), (index) => names[index]!);
    const clashing = [...counts.values()].filter((indexes) => indexes.length > 1).flat();
    const rising = clashing.filter((index) => level[index]! < choices[index]!.length - 1);
    if (rising.length === 0) return names;
    for (const index of rising) level[index]! += 1;
  }
}

/** `PoolResource_getPools` → `getPools`; ids that do not begin with a resource stay. */
function shortId(id: string): string {
  const [, resource, rest] = /^([A-Za-z0-9]+)[/._:]([A-Za-z0-9_-]+)$/.exec(id) ?? [];
  if (resource === undefined || rest === undefined) return id;
  const isVerb = (text: string) => ACTION_WORDS.has(wordsOf(text)[0] ?? '');
  const isResource = CLASS_NAME.test(resource) || (!isVerb(resource) && isVerb(rest));
  return isResource ? rest : id;
}
