/** How an artifact is looked at. */
export type ContentKind = 'json' | 'csv' | 'text' | 'image' | 'bytes';

/** Formats that are pixels and nothing else: SVG is a document, and shown as its text. */
const RASTER: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);
const CSV: ReadonlySet<string> = new Set(['text/csv', 'application/csv', 'text/tab-separated-values']);
const TEXT =
  /^(?:text\/.+|image\/svg\+xml|application\/(?:(?:.+\+)?xml|(?:.+\+)?yaml|x-yaml|javascript|ecmascript|x-sh|sql|graphql|toml|x-ndjson|ndjson|jsonl|rtf))$/;

/** By its content type alone; parameters do not matter. */
export function kindOf(mimeType: string): ContentKind {
  const type = mimeType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (CSV.has(type)) return 'csv';
  if (RASTER.has(type)) return 'image';
  return TEXT.test(type) ? 'text' : 'bytes';
}
