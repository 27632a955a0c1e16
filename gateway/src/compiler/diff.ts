import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';

/** Characters of one value in a diff line. */
const MAX_VALUE_LENGTH = 160;

/** Everything a reviewer could not see: controls, format characters, separators, variation selectors, unpaired surrogates. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
const PLAIN_KEY = /^[A-Za-z0-9_$-]+$/;

/**
 * What a person reviews before accepting a definition: `~ path: before → after`, `+ path: value`, `- path: value`.
 * Values are canonical JSON, cut at 160 characters, with invisible characters spelled as escapes. Key order is no change.
 */
export function diffDefinitions(before: object, after: object): string[] {
  const lines: string[] = [];
  compare(before as Json, after as Json, '', lines);
  return lines;
}

function compare(before: Json, after: Json, path: string, lines: string[]): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) compareMembers(before, after, path, lines);
  else if (Array.isArray(before) && Array.isArray(after)) compareItems(before, after, path, lines);
  else if (canonicalJson(before) !== canonicalJson(after))
    lines.push(`~ ${path || '(whole)'}: ${shown(before, after)} → ${shown(after, before)}`);
}

function compareMembers(before: JsonObject, after: JsonObject, path: string, lines: string[]): void {
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const place = memberPath(path, key);
    const old = memberOf(before, key);
    const current = memberOf(after, key);
    if (old === undefined && current === undefined) continue;
    if (old === undefined) lines.push(`+ ${place}: ${shown(current!)}`);
    else if (current === undefined) lines.push(`- ${place}: ${shown(old)}`);
    else compare(old, current, place, lines);
  }
}

/** Lists of scalars (`enum`, `required`, `tags`) differ by what they hold; other lists position by position. */
function compareItems(before: Json[], after: Json[], path: string, lines: string[]): void {
  if (isScalarSet(before) && isScalarSet(after)) {
    const removed = before.filter((item) => !after.includes(item));
    const added = after.filter((item) => !before.includes(item));
    for (const item of removed) lines.push(`- ${path}[]: ${shown(item)}`);
    for (const item of added) lines.push(`+ ${path}[]: ${shown(item)}`);
    const reordered = before.some((item, index) => item !== after[index]);
    if (removed.length + added.length === 0 && reordered)
      lines.push(`~ ${path}: order changed: ${shown(before, after)} → ${shown(after, before)}`);
    return;
  }
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const place = `${path}[${index}]`;
    if (index >= after.length) lines.push(`- ${place}: ${shown(before[index]!)}`);
    else if (index >= before.length) lines.push(`+ ${place}: ${shown(after[index]!)}`);
    else compare(before[index]!, after[index]!, place, lines);
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
