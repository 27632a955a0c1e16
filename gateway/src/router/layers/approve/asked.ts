import type { ApprovalGate } from '../../../approvals/gate.ts';
import type { ApprovalNeed } from '../../../approvals/policy.ts';
import type { CallKey, StoredApproval } from '../../../approvals/records.ts';
import { type Call, canonicalHash, type JsonObject } from '../../../operations/index.ts';
import type { Next } from '../../compose.ts';
import type { DefinitionOf } from './definition.ts';

export interface ApproveOptions {
  /** Whether a person must agree, and why. */
  readonly needs: (call: Call) => ApprovalNeed | undefined;
  readonly approvals: ApprovalGate;
  /** Throws what is known to keep the call from being carried out: nobody is asked to agree to it then. */
  readonly ready?: (call: Call) => Promise<void>;
  /** The same call with what its principal may do now. Throws what authorising throws. */
  readonly reauthorise: (call: Call) => Promise<Call>;
  /** Throws `arguments_invalid`. */
  readonly validate: (args: JsonObject, call: Call) => void;
  /** Where the page of a link is served, e.g. `https://tools.acme.com`; undefined: nowhere. */
  readonly linkBase?: () => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** One call on its way through the layer. */
export interface Asked extends ApproveOptions {
  readonly call: Call;
  readonly next: Next;
  readonly need: ApprovalNeed | undefined;
  readonly began: number;
  readonly now: () => number;
  readonly definitionOf: DefinitionOf;
  readonly definition: string;
  readonly key: CallKey;
}

export function keyOf({ principal, run, tool, operation, arguments: args }: Call): CallKey {
  return {
    principal: principal.id,
    organisation: principal.organisation,
    run: run ?? '',
    tool,
    source: operation.source,
    operation: operation.id,
    argumentsHash: canonicalHash(args),
  };
}

export async function isStanding({ approvals, key, definition, need }: Asked): Promise<boolean> {
  if (need === undefined || need.standing === 'never') return false;
  if (need.standing === 'skill') return need.skill !== undefined && approvals.agreed(key, need.skill);
  const standing = await approvals.standing({ ...key, definition });
  return standing !== undefined && (need.standing === 'tool' || standing.argumentsHash !== undefined);
}

/** Why an approval no longer fits the tool or the policy; undefined: it does. */
export function changeSince(at: Asked, approval: StoredApproval, definition: string): string | undefined {
  if (definition !== approval.definition) return 'the tool or its account changed';
  return at.approvals.policyHash() === approval.policy ? undefined : 'the policy changed';
}

export function isCallers({ principal, organisation }: StoredApproval, { key }: Asked): boolean {
  return principal === key.principal && organisation === key.organisation;
}

export function fitsCall({ tool, argumentsHash }: StoredApproval, { key }: Asked): boolean {
  return tool === key.tool && argumentsHash === key.argumentsHash;
}
