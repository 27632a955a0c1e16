import { calledName } from '../operations/called-name.ts';
import type { Approval, ApprovalCard, ApprovalState, Json, StandingScope } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { SKILL_KEYS, skillRows, skillTitle } from './skill-card.ts';

const MOST_ARGUMENTS = 40;
const TEXT_LENGTH = 500;
/** Why it is asked, and what is not shown. */
const REASON_LENGTH = 1000;
const OWN_KEYS: ReadonlySet<string> = new Set(
  ['operation', 'access', 'caller', 'expires', '…', ...SKILL_KEYS].map(lookOf),
);

/** Agreements that are about nothing grave by themselves. */
const MILD: ReadonlySet<StandingScope> = new Set(['tool', 'skill']);

/** An approval for a person: what would happen, why it is asked, and what became of it. */
export function cardOf(approval: Approval): ApprovalCard {
  const { id, tool, source, operation, access, principal, preview, reason, expiresAt } = approval;
  const destroys = access === 'delete' || access === 'dangerous' || approval.standing === 'arguments';
  const grave = destroys || !MILD.has(approval.standing);
  const called = calledName(tool, operation);
  const shown = Object.entries(preview).slice(0, MOST_ARGUMENTS);
  const left = Object.keys(preview).length - shown.length;
  const receipt = receiptOf(approval);
  return {
    id,
    title: `${destroys ? 'Destructive call' : 'Call'}: ${printable(called, 200)}${skillTitle(approval)}`,
    description: printable(`${principal} wants to call ${called}. ${reason}`, REASON_LENGTH),
    metadata: [
      ...skillRows(approval),
      ...shown.map(([name, value]) => ({ key: argumentKey(name), value: valueText(value) })),
      ...(left > 0 ? [{ key: '…', value: `${left} more arguments` }] : []),
      { key: 'operation', value: printable(`${source}/${operation}`, 200) },
      { key: 'access', value: access },
      { key: 'caller', value: printable(callerText(approval), 200) },
      { key: 'expires', value: new Date(expiresAt).toISOString() },
    ],
    variant: grave ? 'destructive' : 'default',
    labels: { approve: approveLabel(approval, grave), reject: 'Reject' },
    ...(receipt === undefined ? {} : { receipt }),
  };
}

function approveLabel({ standing }: Approval, grave: boolean): string {
  if (standing === 'skill') return 'Agree to the skill';
  return grave ? 'Approve this call' : 'Approve';
}

const SUMMARIES: Readonly<Partial<Record<ApprovalState, string>>> = Object.freeze({
  approved:
    'Approved: the same call goes through once, unless its tool, the policy or what its caller may do changed.',
  executing: 'Approved; the call is under way.',
  executed: 'Approved and carried out.',
  failed: 'Approved; the call failed.',
  denied: 'Rejected.',
  expired: 'Nobody decided in time, or the call did not come back in time.',
  stale: 'Void: the tool, its arguments or the policy changed.',
});

function receiptOf(approval: Approval): ApprovalCard['receipt'] {
  const summary = SUMMARIES[approval.state];
  if (summary === undefined) return undefined;
  const by = approval.decidedBy === undefined ? '' : ` Decided by ${deciderOf(approval)}.`;
  const note = approval.note === undefined ? '' : ` Reason: ${approval.note}`;
  return {
    outcome: approval.state,
    summary: printable(`${summary}${by}${note}`, TEXT_LENGTH),
    at: new Date(approval.decidedAt ?? approval.expiresAt).toISOString(),
  };
}

/** Whoever has a link has no other name. */
function deciderOf({ decidedBy, channel }: Approval): string {
  return decidedBy === channel ? `${channel}` : `${decidedBy} (${channel})`;
}

/** An argument must not pass for what the gateway itself says: letters of other scripts look like ours. */
function argumentKey(name: string): string {
  const plain = printable(name, 64);
  const isAlike = /[^ -~]/.test(plain) || OWN_KEYS.has(lookOf(plain));
  return isAlike ? `argument "${plain}"` : plain;
}

/** Equal for names that are easily taken for each other. */
function lookOf(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return letters.replace(/[i1]/g, 'l').replaceAll('0', 'o').replaceAll('5', 's').replaceAll('rn', 'm');
}

function valueText(value: Json): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value), TEXT_LENGTH);
}

function callerText({ principal, organisation }: Approval): string {
  return organisation === undefined ? principal : `${principal} (${organisation})`;
}
