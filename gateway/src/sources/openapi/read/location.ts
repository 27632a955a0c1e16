import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Two letters at least: `C:` is a drive. */
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]+:/;

/** What the source reader is asked for: an absolute path, a URL, or `-`. */
export function readableLocation(name: string, baseDirectory: string): string {
  if (name === '-') return name;
  if (/^file:/i.test(name)) return fileURLToPath(name);
  return HAS_SCHEME.test(name) ? name : resolve(baseDirectory, name);
}

/** The URL that references inside a document are relative to (RFC 3986 §5.1); standard input stands in the base folder. */
export function baseUrlOf(location: string, baseDirectory: string): string {
  if (location === '-') return pathToFileURL(resolve(baseDirectory, 'stdin')).href;
  return HAS_SCHEME.test(location) ? location : pathToFileURL(location).href;
}

export function isHttp(url: string): boolean {
  return /^https?:/i.test(url);
}

/** A file by its path, anything else by its address. */
export function placeOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}
