import { type Egress, isTimeout } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { AzureSettings } from '../../operations/index.ts';
import { type Landed, SharedFlights } from '../shared-flight.ts';
import type { AzureCredential, OpenCredential } from './azure-credential.ts';
import type { OpenAzureTokens } from './azure-tokens.ts';
import { openCredential } from './open-credential.ts';
import { signInError } from './sign-in-error.ts';
import { tokenClaims } from './token-claims.ts';
import { createVariableTokens } from './variable-tokens.ts';

export interface AzureTokensOptions {
  readonly settings: AzureSettings;
  readonly egress: Egress;
  /** `ARM_MCP_AUTH_TOKEN` is read from it at every need. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly announce: (secret: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Shown to whoever has to sign in: one line, no secret but a code that lives for minutes. */
  readonly prompt?: (message: string) => void;
  /** In place of the one that the settings name. */
  readonly credential?: AzureCredential;
}

/** A token is not used in its last five minutes, nor in the last half of a shorter life. */
const EARLY_MS = 5 * 60_000;
/** A token that replaced a refused one is not itself replaced so soon: that is not what is wrong. */
const RENEWAL_PAUSE_MS = 30_000;
/** Nor is a person asked to sign in again who has just done so. */
const SIGN_IN_PAUSE_MS = 5 * 60_000;
const KEY = 'token';

/**
 * Tokens of one source, kept in memory and fetched once however many calls wait. A fetch goes on when its callers
 * have gone: what a person or the Azure CLI takes minutes for is there for the next call.
 */
export function createAzureTokens(options: AzureTokensOptions): OpenAzureTokens {
  const { settings, env, announce, now } = options;
  if (settings.authentication === 'envvar' && options.credential === undefined) {
    return createVariableTokens({ env, announce, now, scope: settings.scope });
  }
  const end = new AbortController();
  const kept = new SharedFlights<string>(now, 1);
  let opened: Promise<OpenCredential> | undefined;
  /** What the person who has to sign in was told, while nobody has. */
  let asked: string | undefined;
  let landed: { readonly value: string; readonly at: number; readonly isRenewal: boolean } | undefined;
  let renewing = false;

  const open = (): Promise<OpenCredential> => {
    if (options.credential !== undefined) return Promise.resolve({ credential: options.credential });
    opened ??= openCredential({ ...options, prompt: ask });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const ask = (message: string): void => {
    asked = message;
    options.prompt?.(message);
  };

  const fetchToken = async (): Promise<Landed<string>> => {
    const isRenewal = renewing;
    renewing = false;
    let source: OpenCredential | undefined;
    try {
      source = await open();
      const answer = await source.credential.getToken(settings.scope, { abortSignal: end.signal });
      if (answer === null || answer.token === '') throw new Error('The credential gave no token.');
      announce(answer.token);
      const at = now();
      landed = { value: answer.token, at, isRenewal };
      const early = Math.min(EARLY_MS, (answer.expiresOnTimestamp - at) / 2);
      return { value: answer.token, usableUntil: answer.expiresOnTimestamp - early };
    } catch (error) {
      throw signInError(error, { settings, env, failure: source?.failure?.() });
    } finally {
      asked = undefined;
    }
  };

  return {
    async token(signal) {
      signal.throwIfAborted();
      end.signal.throwIfAborted();
      const value = await whileWaiting(kept.get(KEY, end.signal, fetchToken), signal, () => asked);
      return { value, claims: () => tokenClaims(value) };
    },
    refused(value) {
      if (landed === undefined || landed.value !== value) return true;
      const age = now() - landed.at;
      const isPerson = settings.authentication === 'interactive';
      if (isPerson ? age < SIGN_IN_PAUSE_MS : landed.isRenewal && age < RENEWAL_PAUSE_MS) return false;
      kept.forgetValue(KEY, value);
      landed = undefined;
      renewing = true;
      // the library keeps tokens, too: a new credential has none
      void opened?.then(
        (old) => old.close?.(),
        () => undefined,
      );
      opened = undefined;
      return true;
    },
    close() {
      end.abort(new DOMException('The gateway is shutting down.', 'AbortError'));
      void opened?.then(
        (old) => old.close?.(),
        () => undefined,
      );
    },
  };
}

/** The flight's outcome, unless the caller leaves; whoever runs out of time learns how to sign in. */
async function whileWaiting<T>(
  flight: Promise<T>,
  signal: AbortSignal,
  asked: () => string | undefined,
): Promise<T> {
  const leave = Promise.withResolvers<never>();
  const onAbort = () => {
    const message = asked();
    leave.reject(
      message === undefined || !isTimeout(signal.reason)
        ? signal.reason
        : new ToolcribError('credentials_missing', `Nobody has signed in to Azure yet. ${message}`, {
            next: 'Sign in, then call again: the sign-in goes on meanwhile.',
          }),
    );
  };
  flight.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([flight, leave.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
