import { createHash } from 'node:crypto';
import { isConsoleFile, readConsoleFile } from './console-files.ts';
import { mediaTypeOf } from './media-types.ts';
import { consoleNotBuilt } from './not-built.ts';
import { isConsolePage } from './page-paths.ts';

/** Only what this server itself serves, and no code or style that stands in the page. */
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  // nothing is told to other sites; with no-referrer some requests of the page would lose their origin
  'referrer-policy': 'same-origin',
  vary: 'accept-encoding',
});

const INDEX = '/index.html';
const ONE_YEAR = 'public, max-age=31536000, immutable';

/**
 * The built console: one page for all its paths, and its files, whose names change with their content. Undefined for
 * what is none of it. Reads the folder when it is asked and needs no credential: what the page shows, it asks the API.
 */
export async function serveConsole(folder: string, request: Request): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const { pathname } = new URL(request.url);
  const page = isConsolePage(pathname);
  if (!page && !isConsoleFile(pathname)) return undefined;
  const path = page ? INDEX : pathname;
  const type = mediaTypeOf(path);
  if (type === undefined) return undefined;
  const file = await readConsoleFile(folder, path, request.headers.get('accept-encoding'));
  if (file === undefined) return page ? consoleNotBuilt(request) : undefined;
  const headers = new Headers({ ...HEADERS, 'content-type': type });
  if (path.startsWith('/assets/')) {
    headers.set('cache-control', ONE_YEAR);
  } else {
    const tag = `"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 27)}"`;
    headers.set('cache-control', 'no-cache');
    headers.set('etag', tag);
    if (isKnown(request.headers.get('if-none-match'), tag))
      return new Response(null, { status: 304, headers });
  }
  if (file.encoding !== undefined) headers.set('content-encoding', file.encoding);
  headers.set('content-length', String(file.bytes.byteLength));
  return new Response(request.method === 'HEAD' ? null : file.bytes, { headers });
}

/** RFC 9110 §13.1.2, weak comparison. */
function isKnown(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
}
