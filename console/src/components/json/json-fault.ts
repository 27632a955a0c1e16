import { INEXACT, isExact } from './exact-number.ts';

/** Where a text stops being JSON that can be sent as it stands. Lines and columns count from 1, the offset in UTF-16 units from 0. */
export interface JsonFault {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** What was expected there, or what stands there. */
  readonly message: string;
}

const SPACE = /[ \t\n\r]*/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const DEEPEST = 500;

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The first fault of a JSON text (RFC 8259), in words for whoever typed it; undefined where there is none. Browsers
 * word theirs differently, and some leave out where it is. A whole number that would lose digits is a fault.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    const end = skip(text, value(text, skip(text, 0), 0));
    if (end < text.length) throw new Fault(end, `${said(text, end)} stands behind the end of the value.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    return {
      offset: error.offset,
      line: before.length,
      column: before.at(-1)!.length + 1,
      message: error.message,
    };
  }
}

export function faultText({ line, column, message }: JsonFault): string {
  return `Line ${line}, column ${column}: ${message}`;
}

function value(text: string, at: number, depth: number): number {
  if (depth > DEEPEST) throw new Fault(at, 'This is nested too deeply.');
  if (text[at] === '{') return members(text, at, depth);
  if (text[at] === '[') return items(text, at, depth);
  if (text[at] === '"') return string(text, at);
  const number = match(NUMBER, text, at);
  if (number !== undefined && !isExact(text.slice(at, number))) throw new Fault(at, INEXACT);
  const end = number ?? match(WORD, text, at);
  if (end === undefined) throw new Fault(at, `A value is expected here, not ${said(text, at)}.`);
  return end;
}

function members(text: string, start: number, depth: number): number {
  let at = skip(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"')
      throw new Fault(at, `A name in double quotes is expected here, not ${said(text, at)}.`);
    at = skip(text, string(text, at));
    if (text[at] !== ':') throw new Fault(at, `A colon is expected here, not ${said(text, at)}.`);
    at = skip(text, value(text, skip(text, at + 1), depth + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Fault(at, `A comma or } is expected here, not ${said(text, at)}.`);
    at = skip(text, at + 1);
  }
}

function items(text: string, start: number, depth: number): number {
  let at = skip(text, start + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skip(text, value(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Fault(at, `A comma or ] is expected here, not ${said(text, at)}.`);
    at = skip(text, at + 1);
  }
}

function string(text: string, at: number): number {
  const end = match(TEXT, text, at);
  if (end === undefined)
    throw new Fault(at, 'This text does not end, or has an escape that JSON does not know.');
  return end;
}

function skip(text: string, at: number): number {
  return match(SPACE, text, at) ?? at;
}

/** The end of what stands at this place, undefined for something else. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function said(text: string, at: number): string {
  const character = text.at(at);
  if (character === undefined || at >= text.length) return 'the end';
  return character === '\n' ? 'the end of the line' : `“${String.fromCodePoint(text.codePointAt(at)!)}”`;
}
