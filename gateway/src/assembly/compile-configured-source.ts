import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { CatalogPart } from '../catalog/build.ts';
import type { CompileCache, CompileInput } from '../catalog/compile-cache.ts';
import { decodeCompiled, type EncodedSource, encodeCompiled } from '../catalog/compiled-codec.ts';
import type { CompiledSource } from '../compiler/compiled-source.ts';
import type { SourceConfiguration } from '../config/configuration.ts';
import { hashBytes } from '../operations/index.ts';
import type { SourceReader } from '../sources/source-kind.ts';
import type { CompileKey, DescribeWith } from './compile-described.ts';
import { connectionOf } from './connections.ts';
import { hashFile } from './hash-file.ts';
import { RecordingReader } from './source-reader.ts';

/** Documents above this are compiled in a process of their own, whose memory goes with it. Bytes. */
const PROCESS_THRESHOLD = 512 * 1024;

export interface CompileRequest {
  readonly key: CompileKey;
  readonly describe: DescribeWith;
  readonly reader: SourceReader;
  /** Destinations that the operator allowed, for documents that refer to others. */
  readonly allow: readonly string[];
  readonly cache?: CompileCache;
  /** Called once a process of its own is at work. */
  readonly whileCompiling?: () => void;
  readonly signal: AbortSignal;
}

export interface CompiledConfiguredSource {
  readonly compiled: CompiledSource;
  /** Everything that was read; files among it are watched. */
  readonly inputs: readonly CompileInput[];
}

/** One source of the configuration, from the cache where nothing it was made from has changed. */
export async function compileConfiguredSource(request: CompileRequest): Promise<CompiledConfiguredSource> {
  const { cache, key, reader, signal } = request;
  const cached = await cache?.load(key, (location) => currentHash(reader, location, signal));
  if (cached !== undefined) return { compiled: cached.source, inputs: cached.inputs };
  if (isLargeFile(key)) return compileInProcess(request);
  const { compileDescribed } = await import('./compile-described.ts');
  const recording = new RecordingReader(reader);
  const compiled = compileDescribed(await request.describe(recording, signal), key);
  const { inputs } = recording;
  if (cache !== undefined && isCacheable(inputs)) void cache.store(key, inputs, encodeCompiled(compiled));
  return { compiled, inputs };
}

export function partOf(compiled: CompiledSource, source: SourceConfiguration): CatalogPart {
  return {
    compiled,
    connection: connectionOf(compiled.name, source, compiled.securitySchemes, compiled.provider),
  };
}

async function compileInProcess({
  key,
  allow,
  cache,
  whileCompiling,
  signal,
}: CompileRequest): Promise<CompiledConfiguredSource> {
  const { runCompileProcess } = await import('./run-compile-process.ts');
  const { encoded, inputs } = await runCompileProcess({ key, allow }, signal, whileCompiling);
  if (cache !== undefined && isCacheable(inputs)) void cache.store(key, inputs, encoded);
  return { compiled: decoded(encoded), inputs };
}

function decoded({ index, details }: EncodedSource): CompiledSource {
  const bytes = Buffer.from(details.buffer, details.byteOffset, details.byteLength);
  const source = decodeCompiled(index, (offset, length) => bytes.toString('utf8', offset, offset + length));
  if (source === undefined) throw new Error('The compile process speaks another codec version.');
  return source;
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
  return size !== undefined && size > PROCESS_THRESHOLD;
}

async function currentHash(
  reader: SourceReader,
  location: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isAbsolute(location)) return hashFile(location);
  return hashBytes(await reader.read(location, signal));
}
