import type { ErrorCode } from '../errors.ts';
import type { Explanation, Grants, PolicyCheck } from '../operations/index.ts';
import type { Factor, OperationState, PolicyFacts, Question } from './factor.ts';
import { FACTORS } from './factors.ts';

export type { Explanation, PolicyCheck } from '../operations/index.ts';
export type { OperationState, PolicyFacts } from './factor.ts';

/**
 * Every check that decides whether a principal sees and may call an operation, with its values. Listing,
 * authorisation at call time and `toolcrib explain` all ask the same factors.
 */
export function explain(operation: PolicyFacts, grants: Grants, state: OperationState = {}): Explanation {
  const question = ask(operation, grants, state);
  const checks = FACTORS.filter((factor) => factor.applies?.(question) ?? true).map((factor) =>
    checkOf(factor, question),
  );
  const visible = checks.every((check) => check.passes);
  return { visible, callable: visible && isConnected(question), checks };
}

/** Whether a tool is listed. */
export function isVisible(operation: PolicyFacts, grants: Grants, state: OperationState = {}): boolean {
  return firstFailure(ask(operation, grants, state)) === undefined;
}

/** Why a call is refused. */
export interface Refusal {
  readonly code: Extract<
    ErrorCode,
    'tool_forbidden' | 'tool_quarantined' | 'connection_missing' | 'path_blocked'
  >;
  /** One sentence: the first check that does not pass. */
  readonly reason: string;
}

/** Why a call is refused, with its error code; undefined when it is allowed. Made for every call: no texts unless refused. */
export function refuse(
  operation: PolicyFacts,
  grants: Grants,
  state: OperationState = {},
): Refusal | undefined {
  const question = ask(operation, grants, state);
  const factor = firstFailure(question);
  if (factor !== undefined) {
    return {
      code: CODES[factor.check] ?? 'tool_forbidden',
      reason: describeCheck(checkOf(factor, question)),
    };
  }
  if (isConnected(question)) return undefined;
  const value = question.grant?.connection ?? 'missing';
  return { code: 'connection_missing', reason: `connection: needs connected, has ${value}` };
}

/** One check in one sentence, e.g. `admin-level: needs read-write, has read-only`. */
export function describeCheck({ check, value, needed }: PolicyCheck): string {
  return `${check}: needs ${needed}, has ${value}`;
}

const CODES: Partial<Record<PolicyCheck['check'], Refusal['code']>> = Object.freeze({
  quarantine: 'tool_quarantined',
  connection: 'connection_missing',
  blocklist: 'path_blocked',
});

function ask(operation: PolicyFacts, grants: Grants, state: OperationState): Question {
  return { operation, grants, grant: grants.source(operation.source), state };
}

function firstFailure(question: Question): Factor | undefined {
  for (const factor of FACTORS) {
    if (factor.applies !== undefined && !factor.applies(question)) continue;
    if (!factor.passes(question)) return factor;
  }
  return undefined;
}

function isConnected({ grant }: Question): boolean {
  return grant?.connection === 'connected';
}

function checkOf(factor: Factor, question: Question): PolicyCheck {
  const { check } = factor;
  return {
    check,
    value: factor.value(question),
    needed: factor.needed(question),
    passes: factor.passes(question),
    change: factor.change(question),
  };
}
