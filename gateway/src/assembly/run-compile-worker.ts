import { Worker } from 'node:worker_threads';
import type { CompileInput } from '../catalog/compile-cache.ts';
import type { EncodedSource } from '../catalog/compiled-codec.ts';
import { type ErrorCode, ToolcribError } from '../errors.ts';
import type { CompileKey } from './compile-described.ts';

/** What the thread is given. */
export interface CompileJob {
  readonly key: CompileKey;
  readonly allow: readonly string[];
}

/** What the thread answers. */
export type CompileOutcome =
  | { readonly encoded: EncodedSource; readonly inputs: readonly CompileInput[] }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly pointer?: string;
        readonly location?: string;
      };
    };

/** Heap of the thread; beyond it the document is refused instead of taking the process along. MiB. */
const WORKER_HEAP_MB = 4096;

/** Compiles one source in a thread of its own. */
export async function runCompileWorker(
  job: CompileJob,
  signal: AbortSignal,
): Promise<{ encoded: EncodedSource; inputs: readonly CompileInput[] }> {
  signal.throwIfAborted();
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./compile-worker.${extension}`, import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
    stdout: false,
    stderr: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<CompileOutcome>();
  const onAbort = () => reject(signal.reason);
  worker.once('message', resolve);
  worker.once('error', (cause) =>
    reject(
      new ToolcribError('source_invalid', `Source ${job.key.name} could not be compiled: ${cause.message}`, {
        cause,
      }),
    ),
  );
  worker.once('exit', (code) =>
    reject(new ToolcribError('internal', `The compile thread ended with code ${code}.`)),
  );
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const outcome = await promise;
    if ('encoded' in outcome) return outcome;
    const { code, message, ...place } = outcome.error;
    throw new ToolcribError(code, message, place);
  } finally {
    signal.removeEventListener('abort', onAbort);
    void worker.terminate();
  }
}
