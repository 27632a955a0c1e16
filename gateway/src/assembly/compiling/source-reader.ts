import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CompileInput } from '../../catalog/compile-cache.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { shownLocation } from '../../operations/http/shown-location.ts';
import { unreadable } from '../../operations/text/unreadable.ts';
import type { ReadAccess, SourceReader } from '../../sources/source-kind.ts';

/** Bytes of one document; large real ones have 13 MB. */
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 30_000;

/** Text behind a secret reference. Throws `credentials_missing`. */
export type ReadSecret = SecretReader['read'];

/**
 * Reads documents: files directly, http(s) through the egress door, `-` from standard input (once, kept). `readSecret`
 * serves addresses that want a credential; by default secrets come from the process's environment and files.
 */
export function createSourceReader(
  egress: Egress,
  builtIn: (name: string) => Promise<Uint8Array>,
  readSecret: ReadSecret = readOwnSecret,
): SourceReader {
  return {
    async read(location, signal, access) {
      signal.throwIfAborted();
      if (location === '-') {
        standardInput ??= readStream(process.stdin, 'standard input');
        return standardInput;
      }
      if (location.startsWith('builtin:')) return builtIn(location.slice('builtin:'.length));
      if (/^https?:/i.test(location)) return fetchDocument(egress, location, signal, access, readSecret);
      return readDocument(location, signal);
    },
  };
}

/** It can be read once. */
let standardInput: Promise<Uint8Array> | undefined;

/** Remembers what was read and its hash, and what could not be read, for the cache, the fingerprint and the watcher. */
export class RecordingReader implements SourceReader {
  readonly #reader: SourceReader;
  readonly #hashes = new Map<string, Hash | undefined>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  async read(location: string, signal: AbortSignal, access?: ReadAccess): Promise<Uint8Array> {
    // What only a credential opens cannot be compared later without it: such a source is not cached.
    const place = access === undefined ? location : `authorized:${location}`;
    if (!this.#hashes.has(place)) this.#hashes.set(place, undefined);
    const bytes = await this.#reader.read(location, signal, access);
    this.#hashes.set(place, createHash('sha256').update(bytes));
    return bytes;
  }

  hashed(location: string): Hash | undefined {
    return this.#hashes.get(location)?.copy();
  }

  get inputs(): readonly CompileInput[] {
    return [...this.#hashes].map(([location, hash]) => ({
      location,
      ...(hash === undefined ? {} : { hash: `sha256:${hash.copy().digest('hex')}` }),
    }));
  }
}

async function readDocument(location: string, signal: AbortSignal): Promise<Uint8Array> {
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  try {
    await using file = await open(path);
    const facts = await file.stat();
    if (facts.size > MAX_DOCUMENT_BYTES) throw tooLarge(location);
    const bytes =
      (facts.size > 0 && (await readWhole(file, facts.size))) ||
      (await readStream(file.createReadStream({ autoClose: false, signal }), location));
    signal.throwIfAborted();
    if (bytes.length <= MAX_DOCUMENT_BYTES) return bytes;
    throw tooLarge(location);
  } catch (error) {
    if (error instanceof ToolcribError) throw error;
    throw new ToolcribError('source_unreadable', `Cannot read ${path}: ${unreadable(error)}.`, {
      location: path,
      cause: error,
    });
  }
}

/** What has no size, or another than it said: a pipe, a device, standard input. One that never ends is too large. */
async function readStream(stream: AsyncIterable<Buffer>, location: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw tooLarge(location);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A file of this size in as few reads as the system needs: `readFile` asks for half a megabyte at a time. Undefined
 * when the size turns out to be another.
 */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, size + 1 - length, length);
    length += bytesRead;
    if (length > size) return undefined;
    if (bytesRead === 0) return length === size ? bytes.subarray(0, size) : undefined;
  }
}

async function fetchDocument(
  egress: Egress,
  location: string,
  signal: AbortSignal,
  access: ReadAccess | undefined,
  readSecret: ReadSecret,
): Promise<Uint8Array> {
  const accept = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';
  const credentials: [name: string, value: string][] = [];
  for (const [name, reference] of Object.entries(access?.headers ?? {})) {
    credentials.push([name, await readSecret(reference, access!.place, signal)]);
  }
  const shown = shownLocation(location);
  const limits = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES, maxRedirects: 3 };
  try {
    const response = await egress.request(
      {
        method: 'GET',
        url: location,
        headers: [['accept', accept], ...credentials],
        credentialHeaders: credentials.map(([name]) => name.toLowerCase()),
      },
      limits,
      signal,
    );
    if (response.status >= 200 && response.status < 300) return response.body;
    throw new ToolcribError(
      'source_unreadable',
      `Cannot read ${shown}: the server answered ${response.status}.`,
      {
        location: shown,
        status: response.status,
        ...([401, 403].includes(response.status) ? { next: adviceOf(access) } : {}),
      },
    );
  } catch (error) {
    if (error instanceof ToolcribError) throw error;
    throw new ToolcribError('source_unreadable', `Cannot read ${shown}: ${(error as Error).message}.`, {
      location: shown,
      cause: error,
    });
  }
}

function adviceOf(access: ReadAccess | undefined): string {
  return access === undefined
    ? 'It wants a credential: `openapi: { document: …, headers: { Authorization: { env: … } } }` shows one. Anything else is saved to a file, and that is named.'
    : `Check the credential at ${access.place}.`;
}

/** From the environment and files of this process. */
export const readOwnSecret: ReadSecret = async (...asked) =>
  createSecretReader(process.env, () => undefined).read(...asked);

function tooLarge(location: string): ToolcribError {
  return new ToolcribError(
    'source_unreadable',
    `Cannot read ${location}: it is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB.`,
    { location },
  );
}
