import type { CredentialProvider } from '../../credentials/credential-provider.ts';
import type { Egress, EgressResponse, OutgoingRequest } from '../../egress/index.ts';
import { isSecretHeader } from '../../operations/http/secret-header.ts';
import type { Call, Connection, Operation } from '../../operations/index.ts';
import { signsIn } from '../../results/signs-in.ts';
import type { ExecuteContext, Executor, HttpAnswer } from '../executor.ts';
import { buildRequest } from './build-request.ts';
import { credentialKind, logsIn } from './credential-kind.ts';
import { endedNote, isSessionEnded, withEndedSession } from './ended-session.ts';
import { isSignedOut, type Led, ledElsewhere } from './led-elsewhere.ts';
import { lostMethod } from './lost-method.ts';
import { noteAttempts } from './note-attempt.ts';
import { redactRequest } from './redact-request.ts';
import { isReading, type RetriedResponse, type RetryCall, withRetry } from './retry.ts';
import { notSignedIn } from './sign-in-page.ts';
import { isUnended, soFar, UNENDED } from './unended-answer.ts';
import { unsentBody } from './unsent-body.ts';

export interface HttpExecutorOptions {
  readonly egress: Egress;
  readonly credentials: CredentialProvider;
  /** Looks at the address before anything is sent. Throws `path_blocked`. */
  readonly guard?: (url: string, connection: Connection, operation: Operation) => void;
  /**
   * Waits until the limits of provider and operation let one more request go; undefined where there is none. What it resolves to
   * is called when the answer is there. Throws `rate_limited`.
   */
  readonly admit?: (
    connection: Connection,
    signal: AbortSignal,
    deadline: number,
    operation: Operation,
  ) => Promise<() => void> | undefined;
  /** Waits between attempts; default 250 ms doubling, 20 s at most. */
  readonly retry?: { readonly baseDelayMs: number; readonly maxDelayMs: number };
}

const DEFAULT_RETRY = { baseDelayMs: 250, maxDelayMs: 20_000 };

/** Carries out HTTP operations: build, authorise, send with retries; a refusal gets one try with fresh credentials. */
export function createHttpExecutor(options: HttpExecutorOptions): Executor {
  const { credentials, guard } = options;
  /** Without credentials, and what they are to be. */
  const planned = (call: Call, connection: Connection) => {
    const { operation } = call;
    const security = operation.invocation.kind === 'http' ? operation.invocation.security : [];
    const { socketPath, named } = connection;
    const plain = {
      ...buildRequest(operation, call.arguments, connection),
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(named === undefined ? {} : { named }),
      context: contextOf(call),
    };
    guard?.(plain.url, connection, operation);
    return { plain, security };
  };
  return {
    async ready(call, { connection, signal }) {
      const { plain, security } = planned(call, connection);
      await credentials.plan(plain, connection, security, signal);
    },
    async execute(call, context) {
      const { connection, signal } = context;
      const { plain, security } = planned(call, connection);
      const authorise = async () => {
        const started = performance.now();
        const authorised = call.dryRun
          ? await credentials.plan(plain, connection, security, signal)
          : await credentials.authorize(plain, connection, security, signal, context.deadline);
        if (authorised !== plain)
          call.facts?.steps?.note('credentials', started, 'passed', { kind: credentialKind(connection) });
        return authorised;
      };
      const request = await authorise();
      if (call.dryRun) return { kind: 'request', request: redactRequest(plain, request) };
      const first = await send(request, call, context, options);
      const { status } = first.response;
      const led = ledElsewhere(request.url, first.response, call.operation);
      const isRefused =
        status === 401 ||
        isSessionEnded(first.response) ||
        (logsIn(connection) && isSignedOut(led, call.operation));
      const isRenewed = isRefused && security.length > 0 && credentials.refused(connection, request);
      if (!isRenewed || !mayRepeat(first.response, call.operation)) {
        assertAnswered(led, call.operation, connection, isRenewed);
        const raw = rawResult(first, first.attempts, call.operation, connection, led, isRenewed);
        if (raw.status < 400) return raw;
        return {
          ...raw,
          ...(raw.sessionEnded ? {} : unsentBody(call.operation, plain, raw.status)),
          ...(isAnonymous(plain, request) ? { anonymous: true } : {}),
          ...(isRenewed ? { renewed: true } : {}),
        };
      }
      const again = await authorise();
      const second = await send(again, call, context, options, first.history);
      const ledAgain = ledElsewhere(again.url, second.response, call.operation);
      assertAnswered(ledAgain, call.operation, connection, false);
      return rawResult(second, first.attempts + second.attempts, call.operation, connection, ledAgain, false);
    },
  };
}

/**
 * Whether what was refused goes again with a fresh credential. What is refused by a 401 was not carried out (RFC 9110
 * §15.5.2), or by another 4xx that the operator has described, so that a write may; one that was given a password may
 * be of that, and accounts are locked by wrong ones. A write that was redirected may have happened, whatever the page
 * that it led to refuses, and so may one whose answer is a 2xx or 5xx, whatever it says. The next call has the fresh
 * credential in any case.
 */
function mayRepeat(response: EgressResponse, operation: Operation): boolean {
  const { status, afterRedirect } = response;
  const isEnded = isSessionEnded(response);
  if (status !== 401 && !isEnded) return operation.access === 'read';
  if (signsIn(operation)) return false;
  if (status >= 400 && status < 500 && !afterRedirect) return true;
  return operation.access === 'read' && !(isEnded && operation.limits?.repeat === false);
}

/** Throws `credentials_refused`: a page to sign in at is no answer, and a write that led there would pass for done. */
function assertAnswered(
  { redirectedTo, isSignInPage }: Led,
  operation: Operation,
  { accountOwner }: Connection,
  isRenewed: boolean,
): void {
  if (redirectedTo === undefined || !isSignInPage) return;
  throw notSignedIn(operation, { redirectedTo, accountOwner, isRenewed });
}

/** For destinations within this process: who calls, through which source, and how many calls of our own API lead there. */
function contextOf({ principal, operation, depth }: Call) {
  return { principal, source: operation.source, depth: depth + 1 };
}

/** Sends, and gives back nothing that holds the credential: services repeat requests in answers and complaints. */
async function send(
  request: OutgoingRequest,
  call: Call,
  context: ExecuteContext,
  options: HttpExecutorOptions,
  before?: RetriedResponse['history'],
): Promise<RetriedResponse> {
  const { credentials } = options;
  const { connection } = context;
  try {
    const retried = await sendWithRetry(request, call, context, options, before);
    const response = credentials.concealAnswer?.(retried.response, request, connection);
    return response === undefined ? retried : { ...retried, response };
  } catch (error) {
    throw credentials.concealError?.(error, request, connection) ?? error;
  }
}

function sendWithRetry(
  request: OutgoingRequest,
  call: Call,
  { connection, signal, deadline }: ExecuteContext,
  { egress, credentials, admit, retry = DEFAULT_RETRY }: HttpExecutorOptions,
  before?: RetriedResponse['history'],
): Promise<RetriedResponse> {
  const { limits } = connection;
  const own = call.operation.limits;
  const remaining = () => Math.max(1, deadline - Date.now());
  const timeoutMs = own?.timeoutMs ?? limits.timeoutMs;
  const maxBytes = Math.min(own?.maxOutputBytes ?? limits.maxBytes, limits.maxBytes);
  const retried = retryCall(request, call.operation);
  const sent = async () => {
    const response = await egress.request(
      request,
      { timeoutMs: Math.min(timeoutMs, remaining()), maxBytes, maxRedirects: limits.maxRedirects },
      signal,
    );
    return credentials.saysEnded?.(response, request) ? withEndedSession(response) : response;
  };
  const attempt = () => {
    const answered = sent();
    return isReading(retried) ? answered.catch(soFar) : answered;
  };
  const admitted = async () => {
    const asked = performance.now();
    const answered = await admit!(connection, signal, deadline, call.operation);
    call.facts?.steps?.note('rate', asked, 'passed', undefined, 1);
    try {
      return await attempt();
    } finally {
      answered?.();
    }
  };
  return withRetry(
    admit === undefined || (connection.rateLimit === undefined && own?.rate === undefined)
      ? attempt
      : admitted,
    retried,
    { ...retry, maxAttempts: own?.maxAttempts ?? limits.maxAttempts, deadlineMs: remaining() },
    signal,
    noteAttempts(call),
    before,
  );
}

/**
 * What the operation is decides, not its method: a POST that searches may be repeated, a GET that deletes may not. What
 * says that each call has its own effect is no reading, whatever its access.
 */
function retryCall(request: OutgoingRequest, operation: Operation): RetryCall {
  const once = operation.limits?.repeat === false;
  const key = request.headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
  return {
    method: request.method,
    readOnly: operation.access === 'read' && !once,
    idempotent: operation.safety.idempotent && !once,
    ...(key && !once ? { idempotencyKey: key } : {}),
  };
}

/** Headers of the connection may carry what the document does not ask for. */
function isAnonymous(plain: OutgoingRequest, request: OutgoingRequest): boolean {
  return request === plain && !plain.headers.some(([name]) => isSecretHeader(name));
}

function rawResult(
  { response, outcome }: RetriedResponse,
  attempts: number,
  operation: Operation,
  { accountOwner }: Connection,
  led: Led,
  isRenewed: boolean,
): HttpAnswer {
  const { status, headers, body, url } = response;
  const lost = lostMethod(response);
  const warnings = [...(led.warnings ?? []), ...(lost.warnings ?? [])];
  const noted = warnings.length === 0 ? {} : { warnings };
  const cutOff = isUnended(response) ? { warnings: [UNENDED, ...warnings] } : {};
  const ended = isSessionEnded(response)
    ? { sessionEnded: true as const, warnings: [...warnings, endedNote(operation, isRenewed)] }
    : {};
  const unknown = outcome === 'unknown_outcome' ? { unknownOutcome: true } : {};
  const owner = accountOwner === undefined ? {} : { accountOwner };
  const told = { ...lost, ...led, ...noted, ...cutOff, ...ended, ...unknown, ...owner };
  return { kind: 'http', status, headers, body, url, attempts, ...told };
}
