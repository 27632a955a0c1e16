import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { CatalogPart } from '../../catalog/build.ts';
import type { CompileCache, CompileInput } from '../../catalog/compile-cache.ts';
import { decodeCompiled, encodeCompiled } from '../../catalog/compiled-codec.ts';
import type { CompiledSource } from '../../compiler/compiled-source.ts';
import type { EgressConfiguration, SourceConfiguration } from '../../config/configuration.ts';
import { hashFile } from '../../files/hash-file.ts';
import { type Description, hashBytes } from '../../operations/index.ts';
import type { SourceReader } from '../../sources/source-kind.ts';
import { connectionOf } from '../connections.ts';
import type { CompileKey } from './compile-key.ts';
import { LARGE_DOCUMENT_BYTES } from './large-document.ts';
import type { CompileProcess } from './run-compile-process.ts';
import { RecordingReader } from './source-reader.ts';

export interface CompileRequest {
  readonly key: CompileKey;
  readonly describe: (reader: SourceReader, signal: AbortSignal) => Promise<Description>;
  readonly reader: SourceReader;
  /** For documents that refer to others. */
  readonly egress: EgressConfiguration;
  readonly cache?: CompileCache;
  /** What is to be read now: what was compiled from another file is of no use. */
  readonly snapshot?: string | undefined;
  /** Called when what comes next is done by another process. */
  readonly busyElsewhere: () => void;
  /** Only this process can read it. */
  readonly here?: boolean;
  /** A process that was started ahead, for the first source that needs one. */
  readonly compileProcess?: CompileProcess;
  readonly signal: AbortSignal;
  /** What an attempt has read that failed. */
  readonly failed?: (inputs: readonly CompileInput[]) => void;
}

export interface CompiledConfiguredSource {
  readonly compiled: CompiledSource;
  /** Everything that was read; files among it are watched. */
  readonly inputs: readonly CompileInput[];
  /** Set while only the listing is there: no operation can be read before it resolves; it may reject. */
  readonly details?: Promise<unknown>;
}

/** One source of the configuration, from the cache where nothing it was made from has changed. */
export async function compileConfiguredSource(request: CompileRequest): Promise<CompiledConfiguredSource> {
  const { cache, key, reader, signal } = request;
  const cached = await cache?.load(key, (location) => currentHash(reader, location, signal));
  if (cached !== undefined && isOf(cached.inputs, request.snapshot))
    return { compiled: cached.source, inputs: cached.inputs };
  if (!request.here && isLargeFile(key)) return compileInProcess(request);
  const { compileDescribed } = await import('./compile-described.ts');
  const recording = new RecordingReader(reader);
  let compiled: CompiledSource;
  try {
    compiled = compileDescribed(await request.describe(recording, signal), key);
  } catch (error) {
    request.failed?.(recording.inputs);
    throw error;
  }
  const { inputs } = recording;
  if (cache !== undefined && isCacheable(inputs)) void cache.store(key, inputs, encodeCompiled(compiled));
  return { compiled, inputs };
}

function isOf(inputs: readonly CompileInput[], snapshot: string | undefined): boolean {
  return snapshot === undefined || inputs.some(({ location }) => location === snapshot);
}

export function partOf(
  { compiled, details }: Pick<CompiledConfiguredSource, 'compiled' | 'details'>,
  source: SourceConfiguration,
): CatalogPart {
  return {
    compiled,
    connection: connectionOf(compiled.name, source, compiled.securitySchemes, compiled.provider),
    ...(details === undefined ? {} : { details }),
  };
}

async function compileInProcess({
  key,
  egress,
  cache,
  busyElsewhere,
  compileProcess,
  failed,
  signal,
}: CompileRequest): Promise<CompiledConfiguredSource> {
  const { CompileProcess } = await import('./run-compile-process.ts');
  const worker = compileProcess?.free ? compileProcess : new CompileProcess();
  const { index, inputs, details } = await worker.run({ key, egress }, signal, busyElsewhere, failed);
  let bytes: Buffer | undefined;
  const complete = details.then((arrived) => {
    bytes = Buffer.from(arrived.buffer, arrived.byteOffset, arrived.byteLength);
    if (cache !== undefined && isCacheable(inputs))
      void cache.store(key, inputs, { index, details: arrived });
  });
  complete.catch(() => undefined);
  const compiled = decodeCompiled(index, {
    get length() {
      return bytes?.length ?? 0;
    },
    read(offset, length) {
      if (bytes === undefined) throw new Error(`The details of source ${key.name} have not arrived.`);
      return bytes.toString('utf8', offset, offset + length);
    },
  });
  if (compiled === undefined) throw new Error('The compile process speaks another codec version.');
  return { compiled, inputs, details: complete };
}

/** Built-in documents and standard input have no bytes of their own to compare later. */
function isCacheable(inputs: readonly CompileInput[]): boolean {
  return (
    inputs.length > 0 &&
    inputs.every(({ location }) => isAbsolute(location) || /^(https?|file):/i.test(location))
  );
}

function isLargeFile({ source: { kind, settings }, baseDirectory }: CompileKey): boolean {
  const document =
    typeof settings === 'string' ? settings : (settings as { document?: unknown } | null)?.document;
  if (kind !== 'openapi' || typeof document !== 'string' || /^([a-z][a-z0-9+.-]+:|-$)/i.test(document))
    return false;
  const size = statSync(resolve(baseDirectory, document), { throwIfNoEntry: false })?.size;
  return size !== undefined && size > LARGE_DOCUMENT_BYTES;
}

async function currentHash(
  reader: SourceReader,
  location: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isAbsolute(location)) return hashFile(location);
  return hashBytes(await reader.read(location, signal));
}
