/** A stretch of Markdown: code, which every renderer shows as it is, or anything else. */
export interface Piece {
  readonly code: boolean;
  readonly text: string;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** Backticks pair up wherever they stand outside of fenced code, so that a code span of ours holds. */
  readonly paired: boolean;
}

/** A line with its end; CommonMark §2.1 knows no other ends. */
const LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/g;
/** It may begin or end fenced code, within whatever lists and quotations. */
const FENCE_LIKE = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/;
const OPENING = /^(`{3,}|~{3,}(?!~))[^`\r\n]*(?:\r\n|\n|\r)$/;
/** Within HTML a fence is none (CommonMark §4.6). */
const HTML_LINE = /^[\s>*+\-\d.)]*<[a-z!/?]/i;
const RUN = /`+/g;

/**
 * Finds code only where no renderer can disagree: fences at the margin that are closed, in a text without others; code
 * spans within one line, in a text whose backticks all pair up that way. Everything else counts as text. Linear time.
 */
export function codePieces(text: string): Pieces {
  if (!text.includes('`') && !text.includes('~~~')) return { pieces: [{ code: false, text }], paired: true };
  const pieces = fenced(text) ?? [{ code: false, text }];
  const plain = pieces.filter(({ code }) => !code);
  const spanned = plain.map((piece) => spans(piece.text));
  if (spanned.some((one) => one === undefined)) return { pieces, paired: false };
  return {
    pieces: pieces.flatMap((piece) => (piece.code ? [piece] : spanned.shift()!)),
    paired: true,
  };
}

/** Undefined where a fence could be read in two ways. */
function fenced(text: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  let open: string | undefined;
  let begun = 0;
  let at = 0;
  for (const [line] of text.matchAll(LINE)) {
    const from = at;
    at += line.length;
    if (open !== undefined) {
      if (isClosing(line, open)) {
        pieces.push({ code: true, text: text.slice(begun, at) });
        begun = at;
        open = undefined;
      }
      continue;
    }
    if (HTML_LINE.test(line)) return undefined;
    if (!FENCE_LIKE.test(line)) continue;
    const [, fence] = OPENING.exec(line) ?? [];
    if (fence === undefined) return undefined;
    if (from > begun) pieces.push({ code: false, text: text.slice(begun, from) });
    begun = from;
    open = fence;
  }
  if (open !== undefined) return undefined;
  if (begun < text.length) pieces.push({ code: false, text: text.slice(begun) });
  return pieces;
}

function isClosing(line: string, open: string): boolean {
  const fence = line.trimEnd();
  return fence.length >= open.length && fence === open[0]!.repeat(fence.length) && line.startsWith(open[0]!);
}

/** Undefined where backticks do not pair up line by line, or HTML stands between them. */
function spans(text: string): Piece[] | undefined {
  if (!text.includes('`')) return [{ code: false, text }];
  if (text.includes('\\`')) return undefined;
  const pieces: Piece[] = [];
  let at = 0;
  for (const [line] of text.matchAll(LINE)) {
    const runs = line.includes('`') ? [...line.matchAll(RUN)] : [];
    if (runs.length % 2 !== 0) return undefined;
    let plain = 0;
    const found: Piece[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [open, close] = [runs[index]!, runs[index + 1]!];
      if (open[0] !== close[0]) return undefined;
      const end = close.index + close[0].length;
      found.push({ code: false, text: line.slice(plain, open.index) });
      found.push({ code: true, text: line.slice(open.index, end) });
      plain = end;
    }
    found.push({ code: false, text: line.slice(plain) });
    if (found.some((piece) => !piece.code && /<[a-z!/?]/i.test(piece.text))) return undefined;
    // a table's cell ends at a bar (GFM §4.10), and a definition is one before code spans are looked for
    const barred = found.some(({ code, text: inside }) => code && /\||\]:/.test(inside));
    for (const piece of barred ? [{ code: false, text: line }] : found) at = append(pieces, piece, at);
  }
  return pieces;
}

/** Neighbours that are no code become one: a link may go over several lines. */
function append(pieces: Piece[], piece: Piece, at: number): number {
  const last = pieces.at(-1);
  if (piece.text === '') return at;
  if (last !== undefined && !last.code && !piece.code) {
    pieces[pieces.length - 1] = { code: false, text: last.text + piece.text };
  } else pieces.push(piece);
  return at + piece.text.length;
}
