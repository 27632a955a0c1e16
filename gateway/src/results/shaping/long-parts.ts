import { isObject, type Json } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { type FoundRows, findRows } from './find-rows.ts';

/** Characters that a line has at most; longer ones stand in several pieces. */
const LONGEST_LINE = 1000;
const MAX_DEPTH = 8;

/** What a long answer that is no list can be read by, part after part. */
export interface LongParts {
  readonly found: FoundRows;
  readonly kind: 'rows' | 'lines';
}

/** The list within what was asked for, or the lines of its only text; undefined where it has several parts. */
export function longPartsOf(asked: Json): LongParts | undefined {
  const found = findRows(asked);
  if (found !== undefined) return { found, kind: 'rows' };
  const text = onlyText(asked, 0);
  if (text === undefined) return undefined;
  return {
    found: { rows: linesOf(text), path: [], envelope: undefined, replace: (rows) => [...rows] },
    kind: 'lines',
  };
}

/** A text, alone within any number of objects. */
function onlyText(value: Json, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value) || depth >= MAX_DEPTH) return undefined;
  const [only, ...others] = Object.values(value);
  return only === undefined || others.length > 0 ? undefined : onlyText(only, depth + 1);
}

function linesOf(text: string): string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.flatMap((line) => (line.length <= LONGEST_LINE ? line : piecesOf(line)));
}

function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  for (let rest = line; rest !== ''; ) {
    const piece = cutText(rest, LONGEST_LINE);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}
