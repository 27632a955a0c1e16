import { fork } from 'node:child_process';
import type { CompileInput } from '../catalog/compile-cache.ts';
import type { EncodedSource } from '../catalog/compiled-codec.ts';
import { type ErrorCode, ToolcribError } from '../errors.ts';
import type { CompileKey } from './compile-described.ts';

/** What the process is given. */
export interface CompileJob {
  readonly key: CompileKey;
  readonly allow: readonly string[];
}

/** What it answers. */
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

/**
 * Heap of the process: beyond it the document is refused instead of taking the gateway along. A large young
 * generation, since nearly everything that is made while compiling is thrown away. MiB.
 */
const V8_OPTIONS = ['--max-old-space-size=4096', '--max-semi-space-size=128', '--min-semi-space-size=128'];

/** Compiles one source in a process of its own: its memory goes with it. */
export async function runCompileProcess(
  job: CompileJob,
  signal: AbortSignal,
  started?: () => void,
): Promise<{ encoded: EncodedSource; inputs: readonly CompileInput[] }> {
  signal.throwIfAborted();
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const { promise, resolve, reject } = Promise.withResolvers<CompileOutcome>();
  const child = fork(new URL(`./compile-process.${extension}`, import.meta.url), [], {
    execArgv: V8_OPTIONS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = (message: string, cause?: unknown) =>
    reject(
      new ToolcribError('source_invalid', `Source ${job.key.name} could not be compiled: ${message}`, {
        cause,
      }),
    );
  const onAbort = () => reject(signal.reason);
  child.once('message', (outcome) => resolve(outcome as CompileOutcome));
  child.once('error', (error) => failed(error.message, error));
  child.once('exit', (code, killed) => failed(`its process ended with ${killed ?? `code ${code}`}.`));
  signal.addEventListener('abort', onAbort, { once: true });
  child.send(job);
  started?.();
  try {
    const outcome = await promise;
    if ('encoded' in outcome) return outcome;
    const { code, message, ...place } = outcome.error;
    throw new ToolcribError(code, message, place);
  } finally {
    signal.removeEventListener('abort', onAbort);
    child.kill();
  }
}
