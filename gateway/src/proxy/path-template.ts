import { foldName } from '../operations/http/path-names.ts';
import { percentDecoded } from '../operations/http/percent-decoded.ts';
import type { ReadPath } from './request-path.ts';

type Segment =
  | { readonly kind: 'literal'; readonly name: string }
  /** `{id}`, or with text around it: `{id}.json`. */
  | { readonly kind: 'placeholder'; readonly name: string; readonly before: string; readonly after: string }
  /** Several placeholders in one segment: fits any name, yields no values. */
  | { readonly kind: 'compound' };

/** A path template (`/candidates/{id}`) in segments. */
export interface PathTemplate {
  readonly segments: readonly Segment[];
}

/** Query and fragment of a document's path key tell operations apart elsewhere; here only the path counts. */
export function parseTemplate(path: string): PathTemplate {
  const plain = path.replace(/[?#](?![^{]*\}).*$/s, '');
  return { segments: plain.split('/').filter(Boolean).map(parseSegment) };
}

function parseSegment(text: string): Segment {
  const placeholders = [...text.matchAll(/\{[+./;]?([^{}*]*)\*?\}/g)];
  if (placeholders.length === 0) return { kind: 'literal', name: foldName(text) ?? text };
  if (placeholders.length > 1) return { kind: 'compound' };
  const [only] = placeholders;
  const { index } = only!;
  return {
    kind: 'placeholder',
    name: only![1]!,
    before: foldName(text.slice(0, index)) ?? '',
    after: foldName(text.slice(index + only![0].length)) ?? '',
  };
}

/** Whether a path, given as names, fits segment by segment. */
export function fits({ segments }: PathTemplate, names: readonly string[]): boolean {
  return (
    segments.length === names.length &&
    segments.every((segment, index) => segmentFits(segment, names[index]!))
  );
}

function segmentFits(segment: Segment, name: string): boolean {
  if (segment.kind === 'compound') return true;
  if (segment.kind === 'literal') return segment.name === name;
  const { before, after } = segment;
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

/** Literal segments win over placeholders, from the left: negative when `a` is the more specific. */
export function compareTemplates(a: PathTemplate, b: PathTemplate): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = rank(segment) - rank(b.segments[index]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(segment: Segment): number {
  if (segment.kind === 'literal') return 0;
  return segment.kind === 'placeholder' && segment.before + segment.after !== '' ? 1 : 2;
}

/** What stands in the placeholders, decoded once; undefined when that cannot be told. */
export function valuesOf(
  { segments }: PathTemplate,
  { sent }: ReadPath,
): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = Object.create(null);
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'compound') return undefined;
    if (segment.kind === 'literal') continue;
    const text = percentDecoded(sent[index]!);
    values[segment.name] = text.slice(segment.before.length, text.length - segment.after.length);
  }
  return values;
}
