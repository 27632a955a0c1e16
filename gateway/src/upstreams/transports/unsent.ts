import { isToolcribError } from '../../errors.ts';

/** The message provably never left this process: repeating it is safe. */
export class UnsentError extends Error {
  readonly unsent = true;

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnsentError';
  }
}

/**
 * Whether an error of `send` shows that nothing was written, looking through its causes. System codes show nothing:
 * a connection over which a request was sent fails with EHOSTUNREACH, too.
 */
export function isUnsent(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    if ('unsent' in current && current.unsent === true) return true;
    if (isToolcribError(current) && current.code === 'upstream_unreachable') return true;
    current = 'cause' in current ? current.cause : undefined;
  }
  return false;
}
