import { isToolcribError } from '../../errors.ts';

/** The message provably never left this process: repeating it is safe. */
export class UnsentError extends Error {
  readonly unsent = true;

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnsentError';
  }
}

/** System error codes at which no connection came about. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an error of `send` shows that nothing was written, looking through its causes. */
export function isUnsent(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    if ('unsent' in current && current.unsent === true) return true;
    if (isToolcribError(current) && current.code === 'upstream_unreachable') return true;
    if ('code' in current && typeof current.code === 'string' && NO_CONNECTION.has(current.code)) return true;
    current = 'cause' in current ? current.cause : undefined;
  }
  return false;
}
