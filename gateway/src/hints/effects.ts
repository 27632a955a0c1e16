import type { JsonObject, Limits } from '../operations/index.ts';
import { hintText } from './clean.ts';
import type { OperationHints } from './hints.ts';
import { readHints } from './read-hints.ts';

/** Strategies under which the same call again cannot help. */
const NO_RETRY: ReadonlySet<string> = new Set(['none', 'no_retry', 'manual_refresh', 'regenerate_token']);
/** A rate of more calls holds nothing back; a window is a day at the longest, seconds. */
const MOST_CALLS = 10_000;
const LONGEST_WINDOW = 86_400;
const REASON_LENGTH = 200;

/** What of a limit follows from hints. Only ever stricter: advice of strangers lowers nothing. */
export function limitsOfHints({ idempotent, rateLimit, retryStrategy }: OperationHints): Limits {
  const { limit, windowSeconds } = rateLimit ?? {};
  const bounded =
    limit !== undefined &&
    limit >= 1 &&
    limit <= MOST_CALLS &&
    windowSeconds !== undefined &&
    windowSeconds > 0;
  return {
    ...(retryStrategy !== undefined && NO_RETRY.has(retryStrategy.toLowerCase()) ? { maxAttempts: 1 } : {}),
    ...(idempotent === false ? { repeat: false as const } : {}),
    ...(bounded
      ? {
          rate: {
            calls: Math.floor(limit),
            windowMs: Math.ceil(Math.min(windowSeconds, LONGEST_WINDOW) * 1000),
          },
        }
      : {}),
  };
}

/** Whether hints ask for a person, and why: one clean sentence for people. */
export function confirmationOf(hints: JsonObject | undefined): { readonly reason?: string } | undefined {
  if (hints === undefined || !Object.hasOwn(hints, 'requires_confirmation')) return undefined;
  const { requiresConfirmation, confirmationReason } = readHints(hints);
  if (requiresConfirmation !== true) return undefined;
  return confirmationReason === undefined ? {} : { reason: hintText(confirmationReason, REASON_LENGTH) };
}

/** What the operator adds wins, except that a wish for caution, from either side, stays. */
export function mergeHints(own: JsonObject | undefined, added: JsonObject): JsonObject {
  const merged: JsonObject = { ...own, ...added };
  if (own === undefined) return merged;
  const { idempotent, requiresConfirmation } = readHints(own);
  if (requiresConfirmation === true) merged['requires_confirmation'] = true;
  if (idempotent === false) merged['idempotent'] = false;
  return merged;
}
