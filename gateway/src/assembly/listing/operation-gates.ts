import { needsApproval } from '../../approvals/index.ts';
import type { ApprovalNeed } from '../../approvals/policy.ts';
import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { DEFAULT_APPROVALS } from '../../config/settings/approvals.ts';
import { isToolcribError } from '../../errors.ts';
import type {
  ApprovalPolicy,
  Call,
  CallAgreement,
  Grants,
  Operation,
  Principal,
} from '../../operations/index.ts';

type Needs = (call: Pick<Call, 'tool' | 'operation' | 'principal'>) => ApprovalNeed | undefined;

/** Whether a person must agree to a call; also where the mode of skills refuses it whoever agrees. */
export function agreementTo(
  needs: Needs,
  tool: string,
  operation: Operation,
  principal: Principal,
): CallAgreement | undefined {
  try {
    return asking(needs({ tool, operation, principal }));
  } catch (error) {
    if (isToolcribError(error)) return { kind: 'refuses', reason: error.message };
    throw error;
  }
}

/** The same for a list: from an operation's facts where they settle it, so that most operations are not read. */
export function createGates(
  current: Catalog,
  { policy: { approvals = DEFAULT_APPROVALS } }: Configuration,
  { principal, roles }: Grants,
  needs: Needs,
): (entry: CatalogEntry) => CallAgreement | undefined {
  const kinds = new Map(current.sources.map(({ name, kind }) => [name, kind]));
  return (entry) => {
    const { facts, name } = entry;
    if (!isSettled(entry, kinds.get(entry.source), approvals))
      return agreementTo(needs, name, entry.load(), principal);
    const operation = { ...facts, description: '', input: {}, invocation: NOTHING } as Operation;
    return asking(needsApproval(approvals, { tool: name, operation, roles }));
  };
}

function asking(need: ApprovalNeed | undefined): CallAgreement | undefined {
  return need && { kind: 'asks', reason: need.reason, standing: need.standing };
}

const NOTHING: Operation['invocation'] = Object.freeze({ kind: 'function', function: '' });

/** What facts do not hold: hints, what a skill brought, confirmations of connectors, what was dangerous once. */
function isSettled({ facts }: CatalogEntry, kind: string | undefined, policy: ApprovalPolicy): boolean {
  if (facts.skill !== undefined || facts.hinted === true || kind === 'azure') return false;
  return facts.access !== 'delete' || policy.delete === 'ask';
}
