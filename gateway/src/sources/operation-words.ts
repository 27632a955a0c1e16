/** What a name begins with that looks for something. */
export const READING = new Set(['search', 'query', 'list', 'find', 'filter', 'lookup', 'count']);
/** What a name says that gets something. */
export const FETCHING = new Set([
  'check',
  'describe',
  'fetch',
  'find',
  'get',
  'list',
  'read',
  'resolve',
  'retrieve',
  'search',
  'show',
  'status',
]);
const DELETING = new Set([
  'delete',
  'remove',
  'destroy',
  'purge',
  'erase',
  'expunge',
  'prune',
  'rmdir',
  'truncate',
  'wipe',
]);
/** `deletefile`, and not `deleted`, `deleteditems` or `removes`. */
const DELETING_COMPOUND = /^(?:delete|remove|destroy|purge|erase)(?!d|(?:r|s|rs|able)$)[a-z]+$/;
/** What the last step of a path says alone: `/trash/empty`, not `/empty-folders`. */
const EMPTYING = new Set(['drop', 'empty']);
/** What `drop` takes away; `dropFile` puts one down. */
const DROPPED =
  /^(?:alias|bucket|collection|column|database|db|index|keyspace|partition|role|schema|table|user|view)(?:e?s)?$/;
/** What a name begins with that only speaks of deleting: `createDeleteRequest`, `list_delete_jobs`. */
const SPEAKING = new Set([
  ...READING,
  ...FETCHING,
  ...'add allow cancel create deny disable edit enable insert modify notify preview register reject restore save send set stop subscribe undo update upsert'.split(
    ' ',
  ),
]);

export function deletes(word: string): boolean {
  return DELETING.has(word) || DELETING_COMPOUND.test(word);
}

/**
 * Whether a name says that something is deleted: `chat_delete`, `batchDelete`, `_delete_by_query`, `emptyTrash`,
 * `drop_table`. `step`: the words of the last step of its path.
 */
export function namesDeletion(said: readonly string[], step: readonly string[] = []): boolean {
  if (SPEAKING.has(said[0] ?? '')) return false;
  const named = SPEAKING.has(step[0] ?? '') ? said : [...said, ...step];
  return named.some(deletes) || empties(said) || (step.length === 1 && EMPTYING.has(step[0] ?? ''));
}

/** By its verb alone: `listEmptyFolders` and `air_drop` speak of something else. */
function empties([verb, what, ...others]: readonly string[]): boolean {
  if (what === undefined) return false;
  return verb === 'empty' || (verb === 'drop' && [what, ...others].some((word) => DROPPED.test(word)));
}

/** `listUserNames`, `users/list-names` and `users.list_names` in words. */
export function words(name: string): string[] {
  const spaced = /[A-Z]/.test(name)
    ? name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    : name;
  return (spaced.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.toLowerCase());
}
