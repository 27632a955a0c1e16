/** A refusal of the gateway as it says it: code, what happened, what to do next. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly next: string | undefined;
  /** JSON Pointer to the member that is meant. */
  readonly pointer: string | undefined;
  /** What else is known of it, e.g. the approval that a call waits for. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** What else the answer holds beside `error`, e.g. the content of a failed call. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, error: ErrorBody, body: Readonly<Record<string, unknown>> = {}) {
    super(error.message ?? `The gateway answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.next = error.next;
    this.pointer = error.pointer;
    this.details = error.details;
    this.body = body;
  }
}

export interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly next?: string;
  readonly pointer?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** No answer came: the gateway is stopped, or the network is gone. */
export class UnreachableError extends ApiError {
  readonly meant: Meant;
  /** What was asked for may have been done. */
  readonly mayBeDone: boolean;

  constructor(meant: Meant = 'read', message = 'The gateway does not answer.') {
    super(0, { code: 'gateway_unreachable', message, next: NEXT[meant] });
    this.name = 'UnreachableError';
    this.meant = meant;
    this.mayBeDone = meant === 'change';
  }
}

/** What a request is for. `read`: it is asked again by itself; `check`: a person asks again, and it changes nothing either. */
export type Meant = 'read' | 'check' | 'change';

const NEXT: Readonly<Record<Meant, string>> = {
  read: 'Check that it runs; this page tries again by itself.',
  check: 'Check that it runs, then try again: nothing was changed.',
  change:
    'Check that it runs, and whether this was done before you do it again: the answer may have been lost on the way.',
};

/** The same of what a person sent, once the gateway is back; undefined: it stays as it was said. */
export function saidAfterwards(
  error: ApiError,
): { readonly message: string; readonly next: string } | undefined {
  if (!(error instanceof UnreachableError) || error.meant === 'read') return undefined;
  return { message: 'The gateway did not answer.', next: AFTERWARDS[error.meant] };
}

const AFTERWARDS = {
  check: 'Try again: nothing was changed.',
  change: 'Look whether this was done before you do it again: the answer may have been lost on the way.',
} as const;
