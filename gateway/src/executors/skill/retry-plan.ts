import type { ErrorCode } from '../../errors.ts';
import { backoffBefore, type Operation, type SkillRetry } from '../../operations/index.ts';
import type { FailedAttempt } from './attempt.ts';

/**
 * What is the caller's, the operator's or our own affair: another attempt would meet the same, the tool is no worse for
 * it, and whoever reads it must learn what it is.
 */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'arguments_invalid',
  'template_value_missing',
  'skill_forbidden',
  'skill_invalid',
  'skill_unknown',
  'sandbox_unavailable',
  'configuration_invalid',
  'credentials_missing',
  'path_blocked',
  'egress_blocked',
  'cancelled',
  'internal',
]);

/** The failure reaches the caller under its own code, at once. */
export function keepsItsCode(code: ErrorCode): boolean {
  return OWN_CODES.has(code);
}

/** May be attempted again after it was carried out. What a program does is not known: it has to be declared. */
export function isRepeatable({ access, safety, limits }: Operation): boolean {
  return (access === 'read' || safety.idempotent) && limits?.repeat !== false;
}

export interface RetryQuestion {
  readonly failed: FailedAttempt;
  /** The one that failed; the first is 1. */
  readonly attempt: number;
  readonly retry: SkillRetry;
  readonly repeatable: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of the whole call, milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Milliseconds to wait before the next attempt; undefined where none is made. What may have happened is done again only
 * where that is known to be harmless. Without jitter: the same failures take the same time, as manifests promise.
 */
export function pauseBefore(question: RetryQuestion): number | undefined {
  const { failed, attempt, retry, repeatable, now, deadline } = question;
  if (attempt >= retry.maxAttempts || failed.final === true || keepsItsCode(failed.error.code))
    return undefined;
  if (failed.ran !== 'no' && !repeatable) return undefined;
  const pause = Math.max(backoffBefore(attempt + 1, retry), failed.retryAfterMs ?? 0);
  return now + pause < deadline ? pause : undefined;
}

/** Nobody knows whether it was done, and doing it again could do it twice. An answer that says "failed" is known. */
export function isUnknown({ error, ran }: FailedAttempt, repeatable: boolean): boolean {
  return ran === 'maybe' && !repeatable && error.code !== 'upstream_status';
}

const REFUSED_AS_SENT = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/** It says something about the tool, not about what it was asked: a 404 is no reason to leave a service alone. */
export function countsAgainstTool({ error }: FailedAttempt): boolean {
  return error.status === undefined || error.code !== 'upstream_status' || !REFUSED_AS_SENT(error.status);
}
