import { encodeDetails, encodeIndex } from '../../catalog/compiled-codec.ts';
import { asToolcribError, ToolcribError } from '../../errors.ts';
import { settingsOfSource } from '../../sources/openapi/source-settings.ts';
import { describeSource } from '../../sources/registry.ts';
import { lazyEgress } from '../lazy-egress.ts';
import { compileDescribed } from './compile-described.ts';
import { fixedParameters } from './compile-key.ts';
import type { CompileAnswer, CompileJob } from './run-compile-process.ts';
import { sourceDoor } from './source-door.ts';
import { createSourceReader, RecordingReader, readOwnSecret } from './source-reader.ts';

/** Reads, compiles and encodes one source, answering as soon as it can be listed. Never rejects: a fault is an answer. */
export async function compileJob(
  { key, egress: settings }: CompileJob,
  answer: (answer: CompileAnswer) => Promise<void>,
): Promise<void> {
  const egress = lazyEgress(settings);
  const door = sourceDoor(egress, key.name, key.source, readOwnSecret);
  const reader = new RecordingReader(createSourceReader(door, noBuiltIn));
  try {
    const { signal } = new AbortController();
    const { name, baseDirectory } = key;
    const context = { name, baseDirectory, reader, signal, fixedParameters: fixedParameters(key) };
    const description = await describeSource(key.source.kind, settingsOfSource(key.source), context);
    const compiled = compileDescribed(description, key);
    await answer({ index: encodeIndex(compiled), inputs: reader.inputs });
    await answer({ details: encodeDetails(compiled) });
  } catch (thrown) {
    const { code, message, pointer, location } = asToolcribError(thrown);
    const detail = code === 'internal' && thrown instanceof Error ? ` ${thrown.message}` : '';
    await answer({
      error: {
        code,
        message: message + detail,
        ...(pointer === undefined ? {} : { pointer }),
        ...(location === undefined ? {} : { location }),
      },
      inputs: reader.inputs,
    });
  } finally {
    await egress.close();
  }
}

async function noBuiltIn(name: string): Promise<Uint8Array> {
  throw new ToolcribError('internal', `The compile process has no built-in document ${name}.`);
}
