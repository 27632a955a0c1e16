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
    if (typeof step === 'number') {
      const item = node?.items?.[step];
      if (item === undefined) break;
      offset = item.range?.[0] ?? offset;
      node = item as YamlNode;
      continue;
    }
    const pair = node?.items?.find?.((entry) => entry.key?.value === step);
    if (pair === undefined) break;
    offset = pair.key?.range?.[0] ?? offset;
    node = pair.value as YamlNode | null | undefined;
  }
  return offset;
}
