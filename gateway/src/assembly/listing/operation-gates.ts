import { needsApproval } from '../../approvals/index.ts';
import type { ApprovalNeed } from '../../approvals/policy.ts';
import type { CatalogEntry } from '../../catalog/catalog.ts';
import { isToolcribError } from '../../errors.ts';
import type { ApprovalPolicy, Call, CallAgreement, Operation, Principal } from '../../operations/index.ts';

type Needs = (call: Pick<Call, 'tool' | 'operation' | 'principal'>) => ApprovalNeed | undefined;

/** Whether a person must agree to a call; also where the mode of skills refuses it whoever agrees. */
export function agreementTo(
  needs: Needs,
  tool: string,
  operation: Operation,
  principal: Principal,
): CallAgreement | undefined {
  try {
    const need = needs({ tool, operation, principal });
    return need && { kind: 'asks', reason: need.reason, standing: need.standing };
  } catch (error) {
    if (isToolcribError(error)) return { kind: 'refuses', reason: error.message };
    throw error;
  }
}

/** The same for a list: from an operation's facts where they settle it, so that most operations are not read. */
export function gateOf(
  entry: CatalogEntry,
  kind: string | undefined,
  policy: ApprovalPolicy,
  roles: readonly string[],
  whole: (entry: CatalogEntry) => CallAgreement | undefined,
): string | undefined {
  if (!isSettled(entry, kind, policy)) return whole(entry)?.reason;
  const { facts, name } = entry;
  const operation = { ...facts, description: '', input: {}, invocation: NOTHING } as Operation;
  return needsApproval(policy, { tool: name, operation, roles })?.reason;
}

const NOTHING: Operation['invocation'] = Object.freeze({ kind: 'function', function: '' });

/** What facts do not hold: hints, what a skill brought, confirmations of connectors, what was dangerous once. */
function isSettled({ facts }: CatalogEntry, kind: string | undefined, policy: ApprovalPolicy): boolean {
  if (facts.skill !== undefined || facts.hinted === true || kind === 'azure') return false;
  return facts.access !== 'delete' || policy.delete === 'ask';
}
