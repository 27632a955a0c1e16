import type { ToolcribError } from '../errors.ts';

/** How the last attempts to read one source went. */
export interface SourceRead {
  /** Of the last attempt that ended, ISO 8601, UTC. */
  readonly triedAt: string;
  /** Of the last one that went well; absent: none has yet. */
  readonly readAt?: string;
  /** Milliseconds that the last attempt took. */
  readonly durationMs: number;
  /** Set while it fails. */
  readonly error?: ToolcribError;
}

/** What is known of the attempts to read each source. Kept in memory: a start reads everything anyway. */
export class SourceReads {
  readonly #reads = new Map<string, SourceRead>();
  readonly #under = new Map<string, number>();

  /** Undefined before the first attempt has ended. */
  of(source: string): SourceRead | undefined {
    return this.#reads.get(source);
  }

  /** Whether it is being read at this moment. */
  isReading(source: string): boolean {
    return this.#under.has(source);
  }

  begin(source: string): void {
    this.#under.set(source, performance.now());
  }

  /** An attempt ended; with `error` it failed. */
  end(source: string, error?: ToolcribError): void {
    const triedAt = new Date().toISOString();
    const before = this.#reads.get(source);
    const started = this.#under.get(source);
    const durationMs = started === undefined ? (before?.durationMs ?? 0) : performance.now() - started;
    this.#under.delete(source);
    const readAt = error === undefined ? triedAt : before?.readAt;
    this.#reads.set(source, {
      triedAt,
      durationMs: Math.round(durationMs),
      ...(readAt === undefined ? {} : { readAt }),
      ...(error === undefined ? {} : { error }),
    });
  }

  forget(source: string): void {
    this.#reads.delete(source);
    this.#under.delete(source);
  }
}
