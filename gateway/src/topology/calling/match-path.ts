import { percentDecoded } from '../../operations/http/percent-decoded.ts';

/** A path template of an operation, taken apart once. */
export interface PathTemplate {
  readonly segments: ReadonlyArray<readonly Piece[]>;
}

/** Literal text, or a placeholder's name. */
type Piece = { readonly text: string } | { readonly name: string };

/** Longer paths match nothing but templates spelled exactly so. */
const LONGEST_PATH = 4096;
const MOST_SEGMENTS = 64;

/** Undefined where query or fragment belong to the path: such a place is named by its template only. */
export function parseTemplate(path: string): PathTemplate | undefined {
  if (/[?#](?![^{]*\})/.test(path)) return undefined;
  return { segments: path.split('/').filter(Boolean).map(piecesOf) };
}

function piecesOf(segment: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of segment.matchAll(/\{[+./;]?([^{}*]*)\*?\}/g)) {
    if (match.index > end) pieces.push({ text: segment.slice(end, match.index) });
    pieces.push({ name: match[1]! });
    end = match.index + match[0].length;
  }
  if (end < segment.length || pieces.length === 0) pieces.push({ text: segment.slice(end) });
  return pieces;
}

/** A path as somebody wrote it, in segments; undefined: too long to look at. */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const segments = path.split('/').filter(Boolean);
  return segments.length > MOST_SEGMENTS ? undefined : segments;
}

/** What stands in the placeholders, decoded once, each within its segment; undefined: another place. */
export function matchSegments(
  { segments }: PathTemplate,
  path: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== path.length) return undefined;
  const values: Record<string, string> = Object.create(null);
  for (const [index, pieces] of segments.entries()) {
    if (!matchPieces(pieces, path[index]!, values)) return undefined;
  }
  return values;
}

/** The same where one placeholder that is a whole segment takes several: a value with slashes, written as they are. */
export function matchWithSlashes(
  template: PathTemplate,
  path: readonly string[],
): Record<string, string> | undefined {
  const more = path.length - template.segments.length;
  if (more <= 0) return undefined;
  for (const [index, pieces] of template.segments.entries()) {
    if (pieces.length > 1 || 'text' in pieces[0]!) continue;
    const joined = path.slice(index, index + more + 1).join('/');
    const values = matchSegments(template, [
      ...path.slice(0, index),
      joined,
      ...path.slice(index + more + 1),
    ]);
    if (values !== undefined) return values;
  }
  return undefined;
}

/** Each placeholder takes at least one character and ends where the next literal first stands; linear. */
function matchPieces(pieces: readonly Piece[], segment: string, values: Record<string, string>): boolean {
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if ('text' in piece) {
      const literal = segment.startsWith(piece.text, at) ? piece.text : undefined;
      if (literal === undefined && !(pieces.length === 1 && percentDecoded(segment) === piece.text))
        return false;
      at = literal === undefined ? segment.length : at + literal.length;
      continue;
    }
    const next = pieces[index + 1];
    const isLast = index + 2 === pieces.length;
    const end =
      next === undefined || !('text' in next)
        ? segment.length
        : isLast
          ? endBefore(segment, next.text)
          : segment.indexOf(next.text, at + 1);
    if (end <= at) return false;
    values[piece.name] = percentDecoded(segment.slice(at, end));
    at = end;
  }
  return at === segment.length;
}

function endBefore(segment: string, suffix: string): number {
  return segment.endsWith(suffix) ? segment.length - suffix.length : -1;
}

/** Literal segments win over placeholders, from the left: negative when `a` is the more specific. */
export function compareTemplates(a: PathTemplate, b: PathTemplate): number {
  for (const [index, pieces] of a.segments.entries()) {
    const other = b.segments[index];
    if (other === undefined) return -1;
    const difference = rank(pieces) - rank(other);
    if (difference !== 0) return difference;
  }
  return b.segments.length - a.segments.length;
}

function rank(pieces: readonly Piece[]): number {
  if (pieces.length > 1) return 1;
  return 'text' in pieces[0]! ? 0 : 2;
}
