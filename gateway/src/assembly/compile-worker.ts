// The thread behind run-compile-worker.ts: reads, compiles and encodes one source, answers once, ends.
import { parentPort, workerData } from 'node:worker_threads';
import { encodeCompiled } from '../catalog/compiled-codec.ts';
import { createEgress } from '../egress/index.ts';
import { asToolcribError, ToolcribError } from '../errors.ts';
import { describeSource } from '../sources/registry.ts';
import { compileDescribed } from './compile-described.ts';
import type { CompileJob, CompileOutcome } from './run-compile-worker.ts';
import { createSourceReader, RecordingReader } from './source-reader.ts';

const { key, allow } = workerData as CompileJob;
const egress = createEgress({ allow });
const reader = new RecordingReader(
  createSourceReader(egress, async (name) => {
    throw new ToolcribError('internal', `The compile thread has no built-in document ${name}.`);
  }),
);

async function compile(): Promise<CompileOutcome> {
  try {
    const { signal } = new AbortController();
    const context = { name: key.name, baseDirectory: key.baseDirectory, reader, signal };
    const description = await describeSource(key.source.kind, key.source.settings, context);
    return { encoded: encodeCompiled(compileDescribed(description, key)), inputs: reader.inputs };
  } catch (thrown) {
    const { code, message, pointer, location } = asToolcribError(thrown);
    const detail = code === 'internal' && thrown instanceof Error ? ` ${thrown.stack ?? thrown.message}` : '';
    return {
      error: {
        code,
        message: message + detail,
        ...(pointer === undefined ? {} : { pointer }),
        ...(location === undefined ? {} : { location }),
      },
    };
  }
}

const outcome = await compile();
const transfer = 'encoded' in outcome ? [outcome.encoded.index.buffer, outcome.encoded.details.buffer] : [];
parentPort?.postMessage(outcome, transfer as ArrayBuffer[]);
