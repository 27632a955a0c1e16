import { SEEN_JOINERS } from './joiners.ts';

const HIDDEN = '[\\p{Cf}\\p{Zl}\\p{Zp}\\u007f-\\u009f]';
const FOUND = new RegExp(`(?<seen>${SEEN_JOINERS})|${HIDDEN}`, 'gv');

/** JSON text of a value in which nothing hides: characters that turn or vanish stand as `\uXXXX`, the value the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleText(JSON.stringify(value, undefined, indent) ?? 'undefined');
}

/** The same for a text that is no JSON. */
export function visibleText(text: string): string {
  return text.replace(FOUND, (found, seen: string | undefined) => seen ?? spelledOut(found));
}

function spelledOut(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
