import { ToolcribError } from '../errors.ts';
import type { Approval, ApprovalDecision, JsonObject } from '../operations/index.ts';
import { checkDecider, type Decider, deciderName, unknownApproval } from './deciders.ts';
import type { GateParts } from './gate.ts';
import type { ApprovalRecords, StoredApproval } from './records.ts';
import { checkPending, publicApproval, type ShownApproval } from './shown-approval.ts';
import { answerOthers, standingFor } from './standing.ts';

interface DecideParts {
  readonly records: ApprovalRecords;
  /** Roles that decide for their organisation. */
  readonly approvers: () => readonly string[];
  readonly note: GateParts['note'];
  /** With what time has made of it. */
  readonly current: (approval: StoredApproval) => Promise<StoredApproval>;
  /** By id, likewise. Throws `approval_unknown`. */
  readonly find: (id: string) => Promise<StoredApproval>;
  /** Throws `arguments_invalid`. */
  readonly checkEdit: ((approval: Approval, args: JsonObject) => void | Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type Decide = (id: string, decision: ApprovalDecision, by: Decider) => Promise<ShownApproval>;

/** What `Approvals.decide` does: one decision counts, once, of somebody who may take it. */
export function createDecide({
  records,
  approvers,
  note,
  current,
  find,
  checkEdit,
  now,
}: DecideParts): Decide {
  return async (id, decision, by) => {
    const approval = await records.get(id);
    if (approval === undefined) throw unknownApproval(id);
    checkDecider(approval, by, approvers());
    checkPending(await current(approval));
    if (decision.decision === 'edit') await checkEdit?.(publicApproval(approval), decision.arguments);
    const { id: name, channel } = deciderName(by);
    const at = now();
    const standing = standingFor(approval, decision, { by: name, channel, at });
    const decided = await records.decide(
      id,
      {
        state: decision.decision === 'reject' ? 'denied' : 'approved',
        at,
        by: name,
        channel,
        ...(decision.decision === 'edit' ? { edited: decision.arguments } : {}),
        ...(decision.decision === 'reject' && decision.reason !== undefined ? { note: decision.reason } : {}),
      },
      standing,
    );
    if (decided === undefined) {
      checkPending(await find(id));
      throw new ToolcribError('approval_decided', `Approval ${id} was decided by somebody else.`);
    }
    const isOnce = decision.decision === 'approve_always' && standing === undefined;
    const words = WORDS[isOnce ? 'approve' : decision.decision];
    const message = standing?.skill === undefined ? words : AGREED;
    await note('approval-decided', decided, { message });
    if (standing?.skill !== undefined) {
      for (const other of await answerOthers(records, standing, standing.skill)) {
        await note('approval-decided', other, { message: 'Approved with its skill.' });
      }
    }
    return publicApproval(decided);
  };
}

const WORDS = Object.freeze({
  approve: 'Approved.',
  edit: 'Approved with other arguments.',
  reject: 'Rejected.',
  approve_always: 'Approved from now on.',
});

const AGREED = 'Approved, and every later call of tools of this skill in this version.';
