import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { boundedMilliseconds } from '../bounded-milliseconds.ts';
import type { ApprovalsConfiguration } from '../configuration.ts';
import type { ConfigurationFile } from '../schema/configuration-file.ts';

const MINUTE = 60_000;
const SHORTEST = 1000;
const LONGEST = 24 * 60 * MINUTE;
const LONGEST_WAIT = 10 * MINUTE;

/** What is asked where the configuration says nothing: whatever deletes, and nothing else. */
export const DEFAULT_APPROVALS: ApprovalsConfiguration = Object.freeze({
  write: 'allow',
  delete: 'ask',
  rules: Object.freeze([]),
  expiresMs: 10 * MINUTE,
  waitMs: 0,
  elicitation: 'form',
  approvers: Object.freeze(['admin']),
});

type ApprovalsFile = NonNullable<NonNullable<ConfigurationFile['policy']>['approvals']>;

/** Links begin where people reach the server, unless they say otherwise. Throws `configuration_invalid`. */
export function approvalsConfiguration(
  given: ApprovalsFile | undefined,
  publicUrl?: string,
): ApprovalsConfiguration {
  if (given === undefined && publicUrl === undefined) return DEFAULT_APPROVALS;
  const { expires, wait, url = publicUrl, rules, ...rest } = given ?? {};
  return {
    ...DEFAULT_APPROVALS,
    // whoever holds a caller's credential can answer for the client: where roles are named, they decide
    ...(rest.approvers === undefined ? {} : { elicitation: 'off' as const }),
    ...withoutAbsent(rest),
    ...(rules === undefined
      ? {}
      : { rules: rules.map((rule) => withoutAbsent(rule) as typeof rule) as never }),
    ...(expires === undefined ? {} : { expiresMs: bounded('expires', expires, SHORTEST, LONGEST) }),
    ...(wait === undefined ? {} : { waitMs: bounded('wait', wait, 0, LONGEST_WAIT) }),
    ...(url === undefined ? {} : { url: trimEndOf(url, '/') }),
  };
}

function withoutAbsent<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

function bounded(name: string, given: string | number, least: number, most: number): number {
  return boundedMilliseconds(given, ['policy', 'approvals', name], least, most);
}
