import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { unusedNames } from '../../operations/json/unused-names.ts';
import { cleanText, mayHide } from '../../operations/text/clean-text.ts';

/** Levels of nesting that are looked into; what lies deeper stays as it is. */
const MAX_DEPTH = 256;

/** Values where hidden characters are gone from every string and key; the same value where there was none. */
export function cleanJson(value: Json, change: (text: string) => string = cleanValue, depth = 0): Json {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return cleanItems(value, change, depth);
  return isObject(value) ? cleanMembers(value, change, depth) : value;
}

/** What a service or a program reads: imitated control tags stay, they may be data. */
export function cleanValue(text: string): string {
  return mayHide(text) ? cleanText(text, { tags: false }).text : text;
}

function cleanItems(items: Json[], change: (text: string) => string, depth: number): Json {
  let copy: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const cleaned = cleanJson(item, change, depth + 1);
    if (cleaned === item) continue;
    copy ??= [...items];
    copy[index] = cleaned;
  }
  return copy ?? items;
}

function cleanMembers(object: JsonObject, change: (text: string) => string, depth: number): Json {
  let changed = false;
  let unusedName: ((name: string) => string) | undefined;
  const members: Array<[string, Json]> = [];
  for (const [key, member] of Object.entries(object)) {
    const cleaned = cleanJson(member, change, depth + 1);
    const clean = cleanValue(key);
    if (clean !== key) unusedName ??= namesBeside(object);
    const name = clean === key ? key : unusedName!(clean);
    changed ||= cleaned !== member || name !== key;
    members.push([name, cleaned]);
  }
  return changed ? (Object.fromEntries(members) as JsonObject) : object;
}

/** Nothing is lost where a key only differed by what was hidden in it. */
function namesBeside(object: JsonObject): (clean: string) => string {
  const names = new Set(Object.keys(object));
  const unused = unusedNames(
    (name) => names.has(name),
    (name, count) => `${name}_${count}`,
  );
  return (clean) => {
    const name = unused(clean);
    names.add(name);
    return name;
  };
}
