import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';

/** Characters of one value in a diff line. */
const MAX_VALUE_LENGTH = 160;

/** Everything a reviewer could not see: controls, format characters, separators, variation selectors, unpaired surrogates. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
const PLAIN_KEY = /^[A-Za-z0-9_$-]+$/;

/** One place in which two definitions differ; `before` is absent where it is new, `after` where it is gone. */
export interface DefinitionDifference {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** The same members in another order. */
  readonly reordered?: true;
}

/**
 * What a person reviews before accepting a definition. Values are canonical JSON, cut at 160 characters around the
 * first difference, with invisible characters spelled as escapes. Key order is no change.
 */
export function definitionDifferences(before: object, after: object): DefinitionDifference[] {
  const found: DefinitionDifference[] = [];
  compare(before as Json, after as Json, '', found);
  return found;
}

/** The same as lines: `~ path: before → after`, `+ path: value`, `- path: value`. */
export function diffDefinitions(before: object, after: object): string[] {
  return definitionDifferences(before, after).map(lineOf);
}

function lineOf({ path, before, after, reordered }: DefinitionDifference): string {
  if (before === undefined) return `+ ${path}: ${after}`;
  if (after === undefined) return `- ${path}: ${before}`;
  return `~ ${path}: ${reordered ? 'order changed: ' : ''}${before} → ${after}`;
}

function compare(before: Json, after: Json, path: string, found: DefinitionDifference[]): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) compareMembers(before, after, path, found);
  else if (Array.isArray(before) && Array.isArray(after)) compareItems(before, after, path, found);
  else if (canonicalJson(before) !== canonicalJson(after))
    found.push({ path: path || '(whole)', before: shown(before, after), after: shown(after, before) });
}

function compareMembers(
  before: JsonObject,
  after: JsonObject,
  path: string,
  found: DefinitionDifference[],
): void {
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const place = memberPath(path, key);
    const old = memberOf(before, key);
    const current = memberOf(after, key);
    if (old === undefined && current === undefined) continue;
    if (old === undefined) found.push({ path: place, after: shown(current!) });
    else if (current === undefined) found.push({ path: place, before: shown(old) });
    else compare(old, current, place, found);
  }
}

/** Lists of scalars (`enum`, `required`, `tags`) differ by what they hold; other lists position by position. */
function compareItems(before: Json[], after: Json[], path: string, found: DefinitionDifference[]): void {
  if (isScalarSet(before) && isScalarSet(after)) {
    const removed = before.filter((item) => !after.includes(item));
    const added = after.filter((item) => !before.includes(item));
    for (const item of removed) found.push({ path: `${path}[]`, before: shown(item) });
    for (const item of added) found.push({ path: `${path}[]`, after: shown(item) });
    const reordered = before.some((item, index) => item !== after[index]);
    if (removed.length + added.length === 0 && reordered)
      found.push({ path, before: shown(before, after), after: shown(after, before), reordered: true });
    return;
  }
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const place = `${path}[${index}]`;
    if (index >= after.length) found.push({ path: place, before: shown(before[index]!) });
    else if (index >= before.length) found.push({ path: place, after: shown(after[index]!) });
    else compare(before[index]!, after[index]!, place, found);
  }
}

function isScalarSet(items: Json[]): boolean {
  return (
    items.every((item) => item === null || typeof item !== 'object') && new Set(items).size === items.length
  );
}

function memberOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The tool's own fields stand at the top: `inputSchema.…`, beside `access` and `invocation.…`. */
function memberPath(path: string, key: string): string {
  if (path === 'tool') return keyText(key);
  if (path === '') return keyText(key);
  return PLAIN_KEY.test(key) ? `${path}.${key}` : `${path}[${keyText(key)}]`;
}

function keyText(key: string): string {
  return PLAIN_KEY.test(key) ? key : spell(JSON.stringify(key));
}

/** Cut around the first place where it differs from the other value, so that the difference is always seen. */
function shown(value: Json, other?: Json): string {
  const text = spell(canonicalJson(value));
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const from = other === undefined ? 0 : Math.max(0, firstDifference(text, spell(canonicalJson(other))) - 40);
  const cut = text.slice(from, from + MAX_VALUE_LENGTH);
  return `${from > 0 ? '…' : ''}${cut}${from + MAX_VALUE_LENGTH < text.length ? '…' : ''}`;
}

function firstDifference(text: string, other: string): number {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return at;
}

/** Invisible characters as `\u{200b}`: a reviewer must see what is hidden. */
function spell(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
