import { encodeCompiled } from '../catalog/compiled-codec.ts';
import { asToolcribError, ToolcribError } from '../errors.ts';
import { describeSource } from '../sources/registry.ts';
import { compileDescribed } from './compile-described.ts';
import { lazyEgress } from './lazy-egress.ts';
import type { CompileJob, CompileOutcome } from './run-compile-process.ts';
import { createSourceReader, RecordingReader } from './source-reader.ts';

/** Reads, compiles and encodes one source. Never rejects: a fault is an outcome. */
export async function compileJob({ key, allow }: CompileJob): Promise<CompileOutcome> {
  const egress = lazyEgress({ allow });
  const reader = new RecordingReader(createSourceReader(egress, noBuiltIn));
  try {
    const { signal } = new AbortController();
    const context = { name: key.name, baseDirectory: key.baseDirectory, reader, signal };
    const description = await describeSource(key.source.kind, key.source.settings, context);
    return { encoded: encodeCompiled(compileDescribed(description, key)), inputs: reader.inputs };
  } catch (thrown) {
    const { code, message, pointer, location } = asToolcribError(thrown);
    const detail = code === 'internal' && thrown instanceof Error ? ` ${thrown.message}` : '';
    return {
      error: {
        code,
        message: message + detail,
        ...(pointer === undefined ? {} : { pointer }),
        ...(location === undefined ? {} : { location }),
      },
    };
  } finally {
    await egress.close();
  }
}

async function noBuiltIn(name: string): Promise<Uint8Array> {
  throw new ToolcribError('internal', `The compile process has no built-in document ${name}.`);
}
