import { escapeToken } from '../json/pointer.ts';

/** Where something stands in a document: keys, and numbers within lists. */
export type DocumentPath = readonly PropertyKey[];

/** `operations[3].params.id`, for sentences. */
export function dottedPath(path: DocumentPath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

export function pointerTo(path: DocumentPath): string {
  return `#${path.map((step) => `/${escapeToken(String(step))}`).join('')}`;
}

/** To a member of what somebody sent (RFC 6901); `/` where it is the whole. */
export function memberPointer(path: DocumentPath): string {
  return `/${path.map((step) => escapeToken(String(step))).join('/')}`;
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null | undefined;
}
/** A node of a YAML document as far as it is looked at here: entries of a list, or pairs of a map. */
interface YamlNode extends Ranged {
  readonly items?: ReadonlyArray<
    Ranged & { readonly key?: Ranged & { readonly value?: unknown }; readonly value?: unknown }
  >;
}

/** Where the path leads in a parsed YAML document: the offset of the key, or of the nearest parent that is written down. */
export function yamlOffset(contents: unknown, path: DocumentPath): number | undefined {
  let node = contents as YamlNode | null | undefined;
  let offset = node?.range?.[0];
  for (const step of path) {
    const name = String(step);
    // only entries of a map have a key, which may look like a place in a list
    const entry = node?.items?.find?.(({ key }, index) =>
      key === undefined ? String(index) === name : key.value === name,
    );
    if (entry === undefined) break;
    const isPair = entry.key !== undefined;
    offset = (isPair ? entry.key : entry)?.range?.[0] ?? offset;
    node = (isPair ? entry.value : entry) as YamlNode | null | undefined;
  }
  return offset;
}
