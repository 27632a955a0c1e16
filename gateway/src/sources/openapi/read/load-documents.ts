import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ToolcribError } from '../../../errors.ts';
import { canonicalJson, isObject, type JsonObject } from '../../../operations/index.ts';
import type { SourceContext } from '../../source-kind.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import type { OpenApiOptions } from '../options.ts';
import { baseUrlOf, isHttp, readableLocation } from './location.ts';
import { parseDocument } from './parse-document.ts';
import { References } from './references.ts';

/** Files beside the main document, and their bytes together. */
const MAX_FILES = 5_000;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const READS_AT_ONCE = 8;

/** The end of the key: the dollar sign is rare, its quote is not, which makes it several times faster to find. */
const REFERENCE = '$ref"';

/** Keywords whose values are data: a `$ref` in them refers to nothing. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** The only extensions that are compiled. */
const EXTENSIONS = new Set(['x-ms-paths', 'x-ms-parameterized-host']);
const NAME_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
  'headers',
  'parameters',
  'responses',
  'requestBodies',
]);

export interface LoadedDocuments {
  readonly root: JsonObject;
  /** Where the main document stands; relative server URLs are relative to it. */
  readonly url: string;
  readonly references: References;
  /** `sha256:` over the bytes of every file and the options. */
  readonly fingerprint: string;
}

/**
 * The main document with its overlays, and every document that it refers to, each read once. Documents that cannot
 * be read cost a diagnostic here and later whatever needs them. Throws for the main document and for overlays.
 */
export async function loadDocuments(
  options: OpenApiOptions,
  context: SourceContext,
  log: DiagnosticLog,
): Promise<LoadedDocuments> {
  const read = async (name: string) => {
    const location = readableLocation(name, context.baseDirectory);
    const bytes = await context.reader.read(location, context.signal);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return { text, location, bytes };
  };
  const { text, location, bytes } = await read(options.document);
  const hash = context.reader.hashed?.(location) ?? createHash('sha256').update(bytes);
  const root = await parseDocument(text, location, log);
  if (!isObject(root))
    throw new ToolcribError('source_invalid', `The document ${location} is no object.`, { location });
  for (const name of options.overlays) {
    const { applyOverlay } = await import('./overlay.ts');
    const overlay = await read(name);
    hash.update(overlay.bytes);
    applyOverlay(root, await parseDocument(overlay.text, overlay.location, log), overlay.location, log);
  }
  const url = baseUrlOf(location, context.baseDirectory);
  const files = new ExternalDocuments(url, context, log);
  if (options.overlays.length > 0 || mayReferToOthers(text)) await files.loadAll(root);
  for (const more of files.bytesByUrl()) hash.update(more);
  hash.update(canonicalJson({ ...options, document: '', version: 1 }));
  return {
    root,
    url,
    references: new References(root, files.roots, (reference) => files.absolute(reference, url)),
    fingerprint: `sha256:${hash.digest('hex')}`,
  };
}

/** False only where the text is JSON whose references all begin with `#`: saves a walk through large documents. */
function mayReferToOthers(text: string): boolean {
  if (!/^\uFEFF?\s*\{/.test(text)) return true;
  const target = /\s*:\s*"(?!#)/y;
  for (let at = text.indexOf(REFERENCE); at !== -1; at = text.indexOf(REFERENCE, at + REFERENCE.length)) {
    target.lastIndex = at + REFERENCE.length;
    if (target.test(text)) return true;
  }
  return false;
}

class ExternalDocuments {
  /** By absolute URL without fragment. */
  readonly roots = new Map<string, unknown>();
  readonly #main: string;
  readonly #context: SourceContext;
  readonly #log: DiagnosticLog;
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #wanted = new Set<string>();
  #total = 0;

  constructor(main: string, context: SourceContext, log: DiagnosticLog) {
    this.#main = main;
    this.#context = context;
    this.#log = log;
  }

  /** In order of URL, whatever order the reads ended in. */
  bytesByUrl(): Uint8Array[] {
    return [...this.#bytes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  }

  /** `#…` for the main document, `URL#…` otherwise; the reference itself where it is no URL. */
  absolute(reference: string, base: string): string {
    if (!URL.canParse(reference, base)) return reference;
    const url = new URL(reference, base);
    const fragment = url.hash === '' && !reference.endsWith('#') ? '' : url.hash.slice(1);
    url.hash = '';
    return url.href === this.#main ? `#${fragment}` : `${url.href}#${fragment}`;
  }

  async loadAll(root: unknown): Promise<void> {
    let pending = this.#scan(root, this.#main);
    while (pending.length > 0) {
      const batch = pending.splice(0, READS_AT_ONCE);
      const loaded = await Promise.all(batch.map((url) => this.#load(url)));
      pending = pending.concat(loaded.flat());
    }
  }

  async #load(url: string): Promise<string[]> {
    const { reader, signal } = this.#context;
    try {
      if (isHttp(this.#main) && !isHttp(url))
        throw new Error('a document from the network may not refer to local files');
      const location = url.startsWith('file:') ? fileURLToPath(url) : url;
      const bytes = await reader.read(location, signal);
      this.#total += bytes.byteLength;
      if (this.#total > MAX_TOTAL_BYTES)
        throw new Error(`all files together are larger than ${MAX_TOTAL_BYTES} bytes`);
      const root = await parseDocument(Buffer.from(bytes).toString('utf8'), location, this.#log);
      this.#bytes.set(url, bytes);
      this.roots.set(url, root);
      return this.#scan(root, url);
    } catch (error) {
      signal.throwIfAborted();
      const reason = (error as Error).message.replace(/\.$/, '');
      const message = `${url} cannot be read: ${reason}. What refers to it is left out.`;
      this.#log.report('document-unreadable', 'warning', message);
      return [];
    }
  }

  /** Makes every reference in a document absolute (in place) and returns the documents not asked for before. */
  #scan(root: unknown, base: string): string[] {
    const found: string[] = [];
    const seen = new Set<object>();
    const pending: unknown[] = [root];
    while (pending.length > 0) {
      const node = pending.pop();
      if (node === null || typeof node !== 'object' || seen.has(node)) continue;
      seen.add(node);
      if (Array.isArray(node)) {
        for (const item of node) pending.push(item);
        continue;
      }
      const object = node as JsonObject;
      for (const key of Object.keys(object)) {
        const value = object[key];
        if (key === '$ref' && typeof value === 'string') object.$ref = this.#want(value, base, found);
        else if (NAME_MAPS.has(key) && isObject(value))
          for (const child of Object.values(value)) pending.push(child);
        else if (!isData(key) && value !== null && typeof value === 'object') pending.push(value);
      }
    }
    return found;
  }

  #want(reference: string, base: string, found: string[]): string {
    if (base === this.#main && reference.startsWith('#')) return reference;
    const absolute = this.absolute(reference, base);
    const document = absolute.slice(0, Math.max(0, absolute.indexOf('#')));
    if (document === '' || this.#wanted.has(document)) return absolute;
    if (this.#wanted.size >= MAX_FILES) {
      this.#log.report(
        'documents-too-many',
        'warning',
        `More than ${MAX_FILES} files are referred to; the rest is left out.`,
      );
      return absolute;
    }
    this.#wanted.add(document);
    found.push(document);
    return absolute;
  }
}

function isData(key: string): boolean {
  return DATA.has(key) || (key.startsWith('x-') && !EXTENSIONS.has(key));
}
