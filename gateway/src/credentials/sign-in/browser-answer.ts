import { createHash, timingSafeEqual } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { type AskedSignIn, newSignIn } from './asked-sign-in.ts';
import { listenForAnswer } from './loopback-listener.ts';

/**
 * Shows the address to a person, or opens it in their browser. `offer` takes the address that a browser on another
 * machine ended at, where nothing listens: false where it is no answer to this sign-in.
 */
export type ShowAddress = (url: string, offer: (address: string) => boolean) => void | Promise<void>;

export interface BrowserSignIn {
  /** Registered at the provider; absent: 127.0.0.1 on a random port. */
  readonly redirectUri?: string | undefined;
  readonly address: (asked: AskedSignIn) => string | Promise<string>;
  readonly onUrl: ShowAddress;
  readonly announce: (secret: string) => void;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

export interface BrowserAnswer {
  readonly parameters: URLSearchParams;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Sends a person to an authorization server and waits for the answer that has our state (RFC 8252). */
export async function askByBrowser({
  redirectUri: wanted,
  address,
  onUrl,
  announce,
  signal,
}: BrowserSignIn): Promise<BrowserAnswer> {
  const listener = await listenForAnswer(wanted);
  try {
    const { redirectUri } = listener;
    const { state, verifier, challenge } = newSignIn();
    announce(verifier);
    const answered = listener.answer((given) => isEqual(given, state), signal);
    answered.catch(() => {});
    await onUrl(await address({ redirectUri, state, challenge }), listener.offer);
    return { parameters: await answered, redirectUri, verifier };
  } finally {
    await listener.close();
  }
}

/**
 * RFC 9207: an answer that names another issuer, or none where it must, is not used, not even its error. `next`: what to
 * do where the sign-in was refused.
 */
export function codeOf(
  answer: URLSearchParams,
  name: string,
  issuer?: { readonly is: string; readonly mustBeNamed: boolean },
  next = `Sign in again: \`toolcrib login ${name}\`.`,
): string {
  const iss = answer.get('iss');
  if (issuer !== undefined && (iss === null ? issuer.mustBeNamed : iss !== issuer.is)) {
    const message = `The answer to the sign-in to "${name}" does not come from ${printable(issuer.is, 300)}.`;
    throw new ToolcribError('credentials_refused', message, {
      next: 'Nothing of it was used. Sign in again; if it stays so, ask whoever runs the authorization server.',
    });
  }
  const code = answer.get('code');
  if (code !== null && code !== '') return code;
  const said = [answer.get('error'), answer.get('error_description')].filter((word) => word !== null);
  const why = printable(said.join(': '), 300) || 'without a reason';
  throw new ToolcribError('authorization_required', `The sign-in to "${name}" was refused: ${why}.`, {
    next,
  });
}

/** Why a sign-in came to nothing once its signal had ended. */
export function endedSignIn(name: string, { reason }: AbortSignal, cause: unknown): ToolcribError {
  const isLate = (reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
  return isLate
    ? new ToolcribError('authorization_required', `Nobody signed in to "${name}" in time.`, {
        next: `Sign in: \`toolcrib login ${name}\`.`,
        cause,
      })
    : new ToolcribError('cancelled', `The sign-in to "${name}" was given up.`, { cause });
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}
