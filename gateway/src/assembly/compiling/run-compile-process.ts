import { type ChildProcess, fork } from 'node:child_process';
import type { CompileInput } from '../../catalog/compile-cache.ts';
import type { EgressConfiguration } from '../../config/configuration.ts';
import { type ErrorCode, ToolcribError } from '../../errors.ts';
import type { CompileKey } from './compile-key.ts';

/** What the process is given. */
export interface CompileJob {
  readonly key: CompileKey;
  readonly egress: EgressConfiguration;
}

/** What it answers: first what a listing needs, then the rest; or what went wrong. */
export type CompileAnswer =
  | { readonly index: Uint8Array; readonly inputs: readonly CompileInput[] }
  | { readonly details: Uint8Array }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly pointer?: string;
        readonly location?: string;
      };
      /** What was read until then. */
      readonly inputs: readonly CompileInput[];
    };

export interface CompiledInProcess {
  readonly index: Uint8Array;
  readonly inputs: readonly CompileInput[];
  /** Rejects when the process ends before. */
  readonly details: Promise<Uint8Array>;
}

/**
 * Heap of the process: beyond it the document is refused instead of taking the gateway along. A large young
 * generation, since nearly everything that is made while compiling is thrown away. MiB.
 */
const V8_OPTIONS = ['--max-old-space-size=4096', '--max-semi-space-size=192', '--min-semi-space-size=192'];

/** A process that compiles one source: its memory goes with it. May be started before there is a job. */
export class CompileProcess {
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #used = false;

  constructor() {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#child = fork(new URL(`./compile-process.${extension}`, import.meta.url), [], {
      execArgv: V8_OPTIONS,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    // told to whoever runs a job; without one it does not matter
    this.#child.on('error', () => undefined);
  }

  /** False once it has a job or has ended. */
  get free(): boolean {
    // the channel of one that has ended may close a moment later
    const { connected, exitCode, signalCode } = this.#child;
    return !this.#used && connected && exitCode === null && signalCode === null;
  }

  /** Ends it where it has no job. */
  release(): void {
    if (!this.#used) this.#child.kill();
  }

  /** Rejects with the error of the source, after telling `unread` what it was read from, or with `source_invalid` when the process ends on its own. */
  async run(
    job: CompileJob,
    signal: AbortSignal,
    started?: () => void,
    unread?: (inputs: readonly CompileInput[]) => void,
  ): Promise<CompiledInProcess> {
    signal.throwIfAborted();
    this.#used = true;
    const child = this.#child;
    const index = Promise.withResolvers<Omit<CompiledInProcess, 'details'>>();
    const details = Promise.withResolvers<Uint8Array>();
    const fail = (error: unknown) => {
      index.reject(error);
      details.reject(error);
    };
    const failed = (message: string, cause?: unknown) =>
      fail(
        new ToolcribError('source_invalid', `Source ${job.key.name} could not be compiled: ${message}`, {
          cause,
        }),
      );
    const onAbort = () => fail(signal.reason);
    child.on('message', (message) => {
      const answer = message as CompileAnswer;
      if ('index' in answer) index.resolve(answer);
      else if ('details' in answer) details.resolve(answer.details);
      else {
        unread?.(answer.inputs);
        fail(errorOf(answer.error));
      }
    });
    child.once('error', (error) => failed(error.message, error));
    child.once('exit', (code, killed) => {
      const ended = () => failed(`its process ended with ${killed ?? `code ${code}`}.`);
      // its exit may be noticed before its last answer has been read
      if (child.connected) child.once('disconnect', ended);
      else ended();
    });
    if (child.exitCode !== null || child.signalCode !== null)
      failed(`its process ended with ${child.signalCode ?? `code ${child.exitCode}`}.`);
    signal.addEventListener('abort', onAbort, { once: true });
    const end = () => {
      signal.removeEventListener('abort', onAbort);
      child.kill();
    };
    details.promise.then(end, end);
    child.send(job, (error) => error !== null && failed(error.message, error));
    started?.();
    return { ...(await index.promise), details: details.promise };
  }
}

function errorOf({ code, message, ...place }: Extract<CompileAnswer, { error: object }>['error']) {
  return new ToolcribError(code, message, place);
}
