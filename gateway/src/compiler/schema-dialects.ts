import { isObject, type Json, UNSAFE_KEYS } from '../operations/index.ts';

export type Note = (keyword: string, message: string) => void;

/** Rewrites, in a schema's members, what older drafts and OpenAPI 3.0 spell differently than 2020-12. */
export function modernise(members: Map<string, Json>, note: Note): void {
  readDynamicReferences(members, note);
  readExclusiveFlags(members, note);
  readTuples(members, note);
  splitDependencies(members, note);
  readNullable(members, note);
}

/** Within one document and with unique anchors a dynamic reference leads where a plain one does. */
function readDynamicReferences(members: Map<string, Json>, note: Note): void {
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    const target = members.get(keyword);
    if (target === undefined) continue;
    members.delete(keyword);
    if (members.has('$ref')) addTo(members, 'allOf', [{ $ref: target }]);
    else members.set('$ref', target);
    note(keyword, `${keyword} is read as $ref.`);
  }
}

/** Draft 4: `exclusiveMaximum: true` beside `maximum`. */
function readExclusiveFlags(members: Map<string, Json>, note: Note): void {
  for (const [exclusive, inclusive] of [
    ['exclusiveMaximum', 'maximum'],
    ['exclusiveMinimum', 'minimum'],
  ] as const) {
    const flag = members.get(exclusive);
    if (typeof flag !== 'boolean') continue;
    const limit = members.get(inclusive);
    members.delete(exclusive);
    if (flag && limit !== undefined) {
      members.delete(inclusive);
      members.set(exclusive, limit);
    }
    note(exclusive, `${exclusive} is read as draft 4 meant it.`);
  }
}

/** Up to 2019-09: a list under `items`, and `additionalItems` for the rest. */
function readTuples(members: Map<string, Json>, note: Note): void {
  const items = members.get('items');
  const additional = members.get('additionalItems');
  if (Array.isArray(items)) {
    members.delete('items');
    if (items.length > 0) members.set('prefixItems', items);
    if (additional !== undefined) members.set('items', additional);
    note('items', 'A list under items is read as prefixItems.');
  }
  if (additional === undefined) return;
  members.delete('additionalItems');
  if (!Array.isArray(items))
    note('additionalItems', 'additionalItems means nothing without a list under items.');
}

/** Up to draft 7: one `dependencies` for what 2020-12 keeps in two keywords. */
function splitDependencies(members: Map<string, Json>, note: Note): void {
  const dependencies = members.get('dependencies');
  if (!isObject(dependencies)) return;
  members.delete('dependencies');
  const [names, schemas]: [Array<[string, Json]>, Array<[string, Json]>] = [[], []];
  for (const entry of Object.entries(dependencies)) (Array.isArray(entry[1]) ? names : schemas).push(entry);
  for (const [keyword, entries] of [
    ['dependentRequired', names.filter(([, value]) => isTextList(value))],
    ['dependentSchemas', schemas],
  ] as const) {
    if (entries.length === 0) continue;
    const known = members.get(keyword);
    members.set(keyword, { ...Object.fromEntries(entries), ...(isObject(known) ? known : {}) });
  }
  note('dependencies', 'dependencies is read as dependentRequired and dependentSchemas.');
}

/** OpenAPI 3.0 `nullable`. */
function readNullable(members: Map<string, Json>, note: Note): void {
  const nullable = members.get('nullable');
  if (nullable === undefined) return;
  members.delete('nullable');
  const type = members.get('type');
  if (nullable === true && type !== undefined) members.set('type', [...new Set([type, 'null'].flat())]);
  note('nullable', 'nullable is read as the type null.');
}

/** `constructor` and `prototype` never become keys of compiled objects, but stay checkable as property names. */
export function moveUnsafeNames(members: Map<string, Json>, note: Note): void {
  for (const keyword of ['$defs', 'definitions', 'dependentSchemas', 'dependentRequired', 'properties']) {
    const map = members.get(keyword);
    if (!isObject(map)) continue;
    const unsafe = Object.keys(map).filter((name) => UNSAFE_KEYS.has(name));
    if (unsafe.length === 0) continue;
    const safe = Object.entries(map).filter(([name]) => !UNSAFE_KEYS.has(name));
    members.set(keyword, Object.fromEntries(safe));
    for (const name of unsafe) {
      note(keyword, `The key ${name} was removed from ${keyword}.`);
      if (keyword === 'properties') addMember(members, 'patternProperties', `^${name}$`, map[name]!);
    }
  }
}

/** Adds schemas to `allOf` or `anyOf`; a second `anyOf` goes into `allOf`, since both must hold. */
export function addTo(members: Map<string, Json>, keyword: 'allOf' | 'anyOf', schemas: Json): void {
  const known = members.get(keyword);
  if (known === undefined) members.set(keyword, schemas);
  else if (keyword === 'allOf') members.set('allOf', [known, schemas].flat());
  else addTo(members, 'allOf', [{ anyOf: schemas }]);
}

function addMember(members: Map<string, Json>, keyword: string, name: string, value: Json): void {
  const known = members.get(keyword);
  members.set(keyword, { ...(isObject(known) ? known : {}), [name]: value });
}

function isTextList(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
