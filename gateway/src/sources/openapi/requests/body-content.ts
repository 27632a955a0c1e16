import { namesBoundary } from '../../../operations/http/multipart-boundary.ts';
import { isObject } from '../../../operations/index.ts';
import { bareMediaType, type MediaKind, meansFormData, mediaKindOf, mediaRank } from '../media-types.ts';
import type { Reading } from '../reading.ts';
import { meansBytes } from '../schemas/binary.ts';
import { type ObjectView, viewObject } from '../schemas/object-view.ts';

/** One way to write a body: a Media Type Object's schema and encoding. */
export interface BodyContent {
  /** As the document says it. */
  readonly mediaType: string;
  readonly schema: unknown;
  readonly pointer: string;
  readonly encoding?: unknown;
  readonly prefixEncoding?: unknown;
  readonly itemEncoding?: unknown;
}

export interface BodyDeclaration {
  readonly contents: readonly BodyContent[];
  readonly required: boolean;
  readonly description: unknown;
  readonly pointer: string;
}

export interface ChosenContent {
  readonly content: BodyContent;
  /** JSON of the same schema, where a multipart body is chosen for the sake of its files. */
  readonly withoutFiles?: BodyContent;
}

/** The best way that the document offers and the preferences allow. */
export function chooseContent(reading: Reading, { contents, pointer }: BodyDeclaration): ChosenContent {
  const preferences = reading.options.contentTypes;
  const kinds = new Set(contents.map(({ mediaType }) => mediaKindOf(mediaType)));
  const rank = (content: BodyContent): number => {
    const base = mediaRank(content.mediaType, preferences);
    const kind = mediaKindOf(content.mediaType);
    if (base < 0 || (kind !== 'json' && kind !== 'form')) return base;
    if (kinds.has('multipart') && holdsBytes(reading, content)) return base + 50;
    if (kind === 'form') return base;
    return base + (isBytes(reading, content) ? 50 : isContradicted(reading, content) ? 0.2 : 0);
  };
  const sorted = contents.length === 1 ? contents : contents.toSorted((a, b) => rank(a) - rank(b));
  const chosen = sorted[0]!;
  const withoutFiles =
    mediaRank(chosen.mediaType, preferences) < 0 ? undefined : jsonOf(reading, chosen, sorted);
  const others = sorted
    .filter((content) => content !== chosen && content !== withoutFiles)
    .map(({ mediaType }) => mediaType);
  if (others.length > 0) {
    const plain = withoutFiles === undefined ? '' : `, without a file as ${withoutFiles.mediaType}`;
    const message = `The body is sent as ${chosen.mediaType}${plain}; ${others.join(', ')} would do as well.`;
    reading.log.report('content-types-unused', 'info', message, pointer);
  }
  return { content: chosen, ...(withoutFiles === undefined ? {} : { withoutFiles }) };
}

function jsonOf(
  reading: Reading,
  chosen: BodyContent,
  contents: readonly BodyContent[],
): BodyContent | undefined {
  if (mediaKindOf(chosen.mediaType) !== 'multipart') return undefined;
  const schema = nodeOf(reading, chosen);
  return contents.find(
    (content) =>
      bareMediaType(content.mediaType) === 'application/json' && nodeOf(reading, content) === schema,
  );
}

function nodeOf({ references }: Reading, { schema, pointer }: BodyContent): unknown {
  return references.object(schema, pointer)?.node;
}

/** How it is written, by its type and what it holds. */
export function kindOf(reading: Reading, content: BodyContent): MediaKind {
  const { mediaType, schema } = content;
  const kind = mediaKindOf(mediaType);
  if (mediaType.includes('*') && isBytes(reading, content)) return 'binary';
  if (bareMediaType(mediaType) === '*/*' && isText(nodeOf(reading, content))) return 'text';
  if (kind === 'multipart' && isObject(schema) && schema.type === 'string' && namesBoundary(mediaType))
    return 'text';
  if (kind !== 'other') return kind;
  if (isBytes(reading, content) || !isObject(schema) || Object.keys(schema).length === 0) return 'binary';
  return schema.type === 'string' ? 'text' : 'other';
}

/** As JSON it would arrive in quotes, and no type asks for that (GitHub's assets: "The raw file data"). */
function isText(schema: unknown): boolean {
  const types = isObject(schema) ? [schema.type].flat().filter((type) => type !== 'null') : [];
  return types.length === 1 && types[0] === 'string';
}

/** The whole body is bytes. */
export function isBytes({ references }: Reading, { schema, pointer }: BodyContent): boolean {
  return meansBytes(references, schema, pointer, false);
}

/** A property that is a file: beside a multipart body it is meant to go there. */
function holdsBytes(reading: Reading, { schema, pointer }: BodyContent): boolean {
  const view = viewObject(reading.references, schema, pointer, reading.version.jsonSchema);
  return view !== undefined && hasFile(reading, view);
}

function hasFile({ references }: Reading, { properties }: ObjectView): boolean {
  for (const parts of properties.values()) {
    if (parts.some((part) => meansBytes(references, part.schema, part.pointer, true))) return true;
  }
  return false;
}

/** Says that a file goes out as text. */
export function reportBytesInJson(
  reading: Reading,
  { mediaType, pointer }: BodyContent,
  view: ObjectView,
): void {
  if (mediaKindOf(mediaType) !== 'json' || !hasFile(reading, view)) return;
  const message = `The body is sent as ${mediaType}, which cannot hold the bytes that it describes: they go out as the base64 text that a caller gives. For a service that reads a form (a MultipartFile of Spring without \`consumes\`) an overlay gives it multipart/form-data instead.`;
  reading.log.report('bytes-in-json', 'info', message, pointer);
}

/** JSON Patch is a list of changes (RFC 6902 §3); where the schema says no list, another type is meant if there is one. */
function isContradicted({ references }: Reading, { mediaType, schema, pointer }: BodyContent): boolean {
  if (!/json-patch\+json/i.test(mediaType)) return false;
  const node = references.object(schema, pointer)?.node;
  return node?.items === undefined && ![node?.type].flat().includes('array');
}

/** What is sent for a range such as `*` + `/*`. */
const USUAL_TYPES: Readonly<Record<MediaKind, string>> = {
  json: 'application/json',
  'json-lines': 'application/x-ndjson',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  binary: 'application/octet-stream',
  text: 'text/plain',
  xml: 'application/xml',
  other: 'application/json',
};

/** The type itself, unless it is a range or none that a server could know: nothing at all, `json`, `application/form-data`. */
export function sentType({ log }: Reading, mediaType: string, kind: MediaKind, pointer: string): string {
  if (mediaType.includes('*')) return USUAL_TYPES[kind];
  const isType = mediaType.includes('/') && !meansFormData(mediaType);
  if (isType) return mediaType;
  const sent = USUAL_TYPES[kind] + (/;.*$/s.exec(mediaType)?.[0] ?? '');
  const message = `${JSON.stringify(mediaType)} is no media type that a server knows; the body is sent as ${sent}.`;
  log.report('content-type-invalid', 'warning', message, pointer);
  return sent;
}
