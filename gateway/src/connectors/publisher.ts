import type { Clock } from './clock.ts';

export interface PublisherOptions {
  readonly clock: Clock;
  /** Writes what is known; a text that is the same as long as nothing changed. */
  write(): Promise<string>;
  /** Has the source compiled again. */
  refresh(): Promise<void>;
  report(error: unknown, what: string): void;
  /** Milliseconds within which changes become one. Default 50. */
  readonly settleMs?: number;
}

/** Makes changes visible: written first, then compiled, never twice at a time. */
export interface Publisher {
  /** Soon, together with what changes meanwhile. */
  soon(): void;
  /** Resolves when what is known now has been compiled. Rejects with what went wrong. */
  now(): Promise<void>;
  /** Writes and compiles nothing: somebody is about to read. From then on changes are compiled. */
  handOut(): Promise<void>;
  /** Resolves when nothing is being written any more; what is being compiled is not waited for. */
  close(): Promise<void>;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { clock, write, refresh, report, settleMs = 50 } = options;
  let handedOut = false;
  let published: string | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let cancel: (() => void) | undefined;
  let closed = false;
  let writing: Promise<string> | undefined;

  /** One after the other: of two at a time, the one that began with less could end last and stay. */
  const written = (): Promise<string> => {
    const before: Promise<unknown> = writing ?? Promise.resolve();
    writing = before.then(write, write);
    return writing;
  };

  const publish = async () => {
    let failure: { readonly error: unknown } | undefined;
    do {
      again = false;
      failure = undefined;
      try {
        const text = await written();
        if (handedOut && text !== published && !closed) {
          await refresh();
          published = text;
        }
      } catch (error) {
        failure = { error };
      }
    } while (again && !closed);
    running = undefined;
    if (failure !== undefined) throw failure.error;
  };

  const now = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    if (closed) return Promise.resolve();
    if (running !== undefined) again = true;
    else running = publish();
    return running;
  };

  return {
    now,
    soon() {
      if (closed || cancel !== undefined) return;
      cancel = clock.after(settleMs, () => {
        cancel = undefined;
        now().catch((error: unknown) => report(error, 'the tools of its connections could not be renewed'));
      });
    },
    async handOut() {
      if (handedOut || closed) return;
      const text = await written();
      if (handedOut) return;
      handedOut = true;
      published = text;
    },
    async close() {
      closed = true;
      cancel?.();
      await writing?.catch(() => undefined);
    },
  };
}
