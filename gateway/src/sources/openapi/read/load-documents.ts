import { createHash } from 'node:crypto';
import { ToolcribError } from '../../../errors.ts';
import { shownLocation } from '../../../operations/http/shown-location.ts';
import { canonicalJson, isObject, type JsonObject } from '../../../operations/index.ts';
import { fileText } from '../../../operations/text/file-text.ts';
import { scalarText } from '../../../operations/text/scalar-text.ts';
import type { SourceContext } from '../../source-kind.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import type { OpenApiOptions } from '../options.ts';
import { authorizedReader } from './authorized-reader.ts';
import { mayEmbed, settleEmbedded } from './embedded-schemas.ts';
import { baseUrlOf, isHttp, placeOf, readableLocation } from './location.ts';
import { nodesOf } from './nodes.ts';
import { parseDocument } from './parse-document.ts';
import { References } from './references.ts';
import { schemaByName } from './schema-by-name.ts';
import { securityUris, settleSecurityUris } from './security-uris.ts';

/** Files beside the main document, and their bytes together. */
const MAX_FILES = 5_000;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const READS_AT_ONCE = 8;

/** The end of the key: the dollar sign is rare, its quote is not, which makes it several times faster to find. */
const REFERENCE = '$ref"';

const ID = '$id';

/** `C:/a.yaml`, `C:\\a.yaml`: a path on Windows, no scheme. */
const DRIVE = /^[A-Za-z]:[\\/]/;

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
  given: SourceContext,
  log: DiagnosticLog,
): Promise<LoadedDocuments> {
  const context = { ...given, reader: authorizedReader(options, given) };
  const read = async (name: string) => {
    const location = readableLocation(name, context.baseDirectory);
    const bytes = await context.reader.read(location, context.signal);
    const text = fileText(bytes);
    return { text, location, shown: shownLocation(location), bytes };
  };
  const { text, location, shown, bytes } = await read(options.document);
  const hash = context.reader.hashed?.(location) ?? createHash('sha256').update(bytes);
  const root = await parseDocument(text, shown, log);
  if (!isObject(root)) {
    const what = root === null || root === undefined ? 'empty' : 'no object';
    throw new ToolcribError('source_invalid', `The document ${shown} is ${what}.`, { location: shown });
  }
  for (const name of options.overlays) {
    const { applyOverlay } = await import('./overlay.ts');
    const overlay = await read(name);
    hash.update(overlay.bytes);
    await applyOverlay(root, await parseDocument(overlay.text, overlay.shown, log), overlay.shown, log);
  }
  const url = baseUrlOf(location, context.baseDirectory);
  const files = new ExternalDocuments(root, url, context, log);
  const isChanged = options.overlays.length > 0;
  const hasIds = files.knowsIds && (isChanged || text.includes(ID));
  const schemes = namesSchemesByUri(root) ? securityUris(root) : [];
  if (isChanged || hasIds || schemes.length > 0 || mayReferToOthers(text))
    await files.loadAll(hasIds, schemes);
  if (schemes.length > 0) settleSecurityUris(root, schemes, files.references);
  if (isChanged || mayEmbed(text)) settleEmbedded(root, files.references);
  for (const more of files.bytesByUrl()) hash.update(more);
  // how it was reached says nothing of what was read
  const { headers: _headers, ...compiled } = options;
  hash.update(canonicalJson({ ...compiled, document: '', version: 1 }));
  return {
    root,
    url,
    references: files.references,
    fingerprint: `sha256:${hash.digest('hex')}`,
  };
}

/** The document's own URI (OpenAPI 3.2): a reference to it stays within the document. */
function selfOf({ $self }: JsonObject, location: string): string | undefined {
  return typeof $self === 'string' ? URL.parse($self, location)?.href : undefined;
}

/** OpenAPI 3.2 and later. */
function namesSchemesByUri({ openapi }: JsonObject): boolean {
  return /^3\.(?:[2-9]|\d\d)/.test(scalarText(openapi) ?? '');
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
  /** By absolute URL without fragment; schemas with an `$id` by that. */
  readonly #roots = new Map<string, unknown>();
  readonly references: References;
  /** OpenAPI 3.1 and later, whose schemas are JSON Schema 2020-12. */
  readonly knowsIds: boolean;
  readonly #root: JsonObject;
  readonly #main: string;
  readonly #self: string | undefined;
  readonly #context: SourceContext;
  readonly #log: DiagnosticLog;
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #wanted = new Set<string>();
  /** Why what was asked for cannot be read, by its URL. */
  readonly #failed = new Map<string, string>();
  #total = 0;

  constructor(root: JsonObject, main: string, context: SourceContext, log: DiagnosticLog) {
    this.knowsIds = /^3\.[1-9]/.test(scalarText(root.openapi) ?? '');
    this.#root = root;
    this.#main = main;
    this.#self = selfOf(root, main);
    this.#context = context;
    this.#log = log;
    this.references = new References(root, this.#roots, (reference) => this.#absolute(reference, main));
  }

  /** In order of URL, whatever order the reads ended in. */
  bytesByUrl(): Uint8Array[] {
    return [...this.#bytes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  }

  /** `#…` for the main document, `URL#…` otherwise; the reference itself where it is no URL. */
  #absolute(written: string, base: string): string {
    const reference = DRIVE.test(written) ? `file:///${written}` : written;
    if (!URL.canParse(reference, base)) return reference;
    const url = new URL(reference, base);
    const fragment = url.hash === '' && !reference.endsWith('#') ? '' : url.hash.slice(1);
    url.hash = '';
    return url.href === this.#main || url.href === this.#self ? `#${fragment}` : `${url.href}#${fragment}`;
  }

  /**
   * `hasIds`: of the main document. Several are read at once, and taken in by the order in which they were referred to:
   * what is known by then says what a reference means. `besides`: what else the main document refers to.
   */
  async loadAll(hasIds: boolean, besides: readonly string[]): Promise<void> {
    const pending = this.#scan(this.#root, this.#main, hasIds);
    for (const reference of besides) this.#want(reference, this.#main, pending);
    while (pending.length > 0) {
      const batch = pending.splice(0, READS_AT_ONCE);
      const read = await Promise.all(batch.map((url) => this.#read(url)));
      for (const [index, url] of batch.entries()) pending.push(...(await this.#takeIn(url, read[index]!)));
    }
    // a document that was read for another reference may have that URI
    for (const [url, reason] of this.#failed) if (!this.#roots.has(url)) this.#unreadable(url, reason);
  }

  /** The bytes, or why there are none. */
  async #read(url: string): Promise<Uint8Array | Error> {
    const { reader, signal } = this.#context;
    try {
      return await reader.read(placeOf(url), signal);
    } catch (error) {
      signal.throwIfAborted();
      return error as Error;
    }
  }

  /** The documents that it refers to and nobody asked for before. */
  async #takeIn(url: string, read: Uint8Array | Error): Promise<string[]> {
    try {
      if (read instanceof Error) throw read;
      this.#total += read.byteLength;
      if (this.#total > MAX_TOTAL_BYTES)
        throw new Error(`all files together are larger than ${MAX_TOTAL_BYTES} bytes`);
      const text = fileText(read);
      const root = await parseDocument(text, placeOf(url), this.#log);
      this.#bytes.set(url, read);
      this.#roots.set(url, root);
      return this.#scan(root, url, this.knowsIds && text.includes(ID));
    } catch (error) {
      this.#failed.set(url, (error as Error).message.replace(/\.$/, ''));
      return [];
    }
  }

  #unreadable(url: string, reason: string): void {
    const message = `${url} cannot be read: ${reason}. What refers to it is left out.`;
    this.#log.report('document-unreadable', 'warning', message);
  }

  /** Makes every reference in a document absolute (in place) and returns the documents not asked for before. */
  #scan(root: unknown, location: string, hasIds: boolean): string[] {
    const self = this.#selfAt(root, location);
    if (hasIds) {
      for (const { node, id } of nodesOf(root, self ?? location))
        if (id !== undefined && typeof node.$id === 'string' && !this.#roots.has(id))
          this.#roots.set(id, node);
    }
    const found: string[] = [];
    for (const { node, id } of nodesOf(root, self ?? location)) {
      for (const key of ['$ref', '$dynamicRef']) {
        const reference = node[key];
        if (typeof reference !== 'string') continue;
        const base = hasIds ? (id ?? self) : self;
        node[key] = this.#known(reference, root, base) ?? this.#want(reference, location, found);
      }
    }
    return found;
  }

  /** Another document's is a way to it, unless something has that address already. */
  #selfAt(root: unknown, location: string): string | undefined {
    if (location === this.#main) return this.#self;
    const self = isObject(root) && root.openapi !== undefined ? selfOf(root, location) : undefined;
    const url = self?.replace(/#.*$/s, '');
    if (url === undefined || url === this.#main || url === this.#self) return undefined;
    if (!this.#roots.has(url)) this.#roots.set(url, root);
    return this.#roots.get(url) === root ? url : undefined;
  }

  /**
   * What a reference means below an `$id` or in a document with a `$self`, where that leads to something at hand. What
   * does not is looked for beside the document: an `$id` is a name, not a place.
   */
  #known(reference: string, root: unknown, base: string | undefined): string | undefined {
    if (base === undefined || (reference.startsWith('#') && this.#roots.get(base) === root)) return undefined;
    const absolute = this.#absolute(reference, base);
    const document = absolute.slice(0, absolute.indexOf('#'));
    const isHere = document === '' || this.#roots.has(document);
    return isHere && this.references.resolve(absolute) !== undefined ? absolute : undefined;
  }

  #want(reference: string, base: string, found: string[]): string {
    if (base === this.#main && reference.startsWith('#')) return reference;
    const absolute = this.#absolute(reference, base);
    const document = absolute.slice(0, Math.max(0, absolute.indexOf('#')));
    if (document === '' || this.#wanted.has(document) || this.#roots.has(document)) return absolute;
    const named = base === this.#main ? schemaByName(this.#root, reference) : undefined;
    if (named !== undefined) return named;
    // whatever led to it: who wrote it is a stranger to this machine
    if (isHttp(base) && !isHttp(document)) {
      this.#unreadable(document, 'a document from the network may not refer to local files');
      return absolute;
    }
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
