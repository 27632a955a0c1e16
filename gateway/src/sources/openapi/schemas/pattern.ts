import type { Json } from '../../../operations/index.ts';

/** `/^a$/i`, as programs write it: read as a pattern, it would fit nothing. */
const LITERAL = /^\/(\^.*\$)\/([dgimsuvy]*)$/s;

/** Characters of a pattern that is looked into. */
const MAX_LENGTH = 4096;
/** One step through a pattern: an escape, a bracket, a hyphen, or anything else. */
const STEP = /\\(.)|[\s\S]/gsu;
/** What has a meaning without its backslash (ECMA-262, SyntaxCharacter and `/`). */
const SYNTAX: ReadonlySet<string> = new Set('^$\\.*+?()[]{}|/');
const PUNCTUATION = /^[ -/:-@[-`{-~]$/;
/** Several characters, which no range can begin or end with. */
const SET = /^\\[dDsSwW]$/;

/** True for text that is an ECMA-262 regular expression with the `u` flag, as JSON Schema 2020-12 §6.4 wants. */
export function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A pattern of JSON Schema; undefined where it can be made none without guessing. */
export function readPattern(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  const literal = LITERAL.exec(value);
  if (literal?.[2]?.includes('i')) return undefined;
  const source = literal?.[1] ?? value;
  if (isPattern(source)) return source;
  const said = source.length > MAX_LENGTH ? source : plain(source);
  return isPattern(said) ? said : undefined;
}

/**
 * The same without backslashes that are not needed, and with one before a hyphen that makes no range: what every other
 * syntax takes, and ECMA-262 without the `u` flag (Annex B.1.2), is an error with it.
 */
function plain(source: string): string {
  const steps = [...source.matchAll(STEP)];
  let isClass = false;
  let out = '';
  for (const [index, [step, escaped]] of steps.entries()) {
    if (step === '[') isClass = true;
    else if (step === ']') isClass = false;
    if (escaped !== undefined) out += isNeeded(escaped, isClass) ? step : escaped;
    else if (step === '-' && isClass && isBesideSet(index)) out += '\\-';
    else out += step;
  }
  return out;

  function isBesideSet(index: number): boolean {
    return [steps[index - 1], steps[index + 1]].some((step) => step !== undefined && SET.test(step[0]));
  }
}

function isNeeded(escaped: string, isClass: boolean): boolean {
  return !PUNCTUATION.test(escaped) || SYNTAX.has(escaped) || (isClass && escaped === '-');
}
