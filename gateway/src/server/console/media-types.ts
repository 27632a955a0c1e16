/** What a built console consists of. A file of any other kind is not served. */
const MEDIA_TYPES: Readonly<Record<string, string>> = Object.freeze({
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  webp: 'image/webp',
  woff2: 'font/woff2',
});

/** Undefined for kinds of files that no console has. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}
