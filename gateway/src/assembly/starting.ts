import { lazily } from './lazily.ts';

/** How far a gateway has come that is still starting. */
export interface Starting {
  /** Resolves when its tools can be listed. */
  readonly listable: Promise<void>;
  /** Resolves when they can be called too. */
  readonly started: Promise<void>;
  /** Says once that this process has nothing to do but wait. */
  idle(): void;
  /** Takes over what `listable` will say. */
  listed(outcome: Promise<unknown>): void;
  done(): void;
  failed(error: unknown): void;
}

/** `whileStarting` is called by `idle`. Rejections that nobody waits for are no fault. */
export function createStarting(whileStarting: ((listable: Promise<void>) => void) | undefined): Starting {
  const listable = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  for (const { promise } of [listable, started]) promise.catch(() => undefined);
  const idle = lazily(async () => whileStarting?.(listable.promise));
  return {
    listable: listable.promise,
    started: started.promise,
    idle: () => void idle(),
    listed: (outcome) => void outcome.then(() => listable.resolve(), listable.reject),
    done: started.resolve,
    failed(error) {
      listable.reject(error);
      started.reject(error);
    },
  };
}
