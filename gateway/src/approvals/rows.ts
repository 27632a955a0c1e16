import type { Insertable, Selectable } from 'kysely';
import type {
  Access,
  ApprovalChannel,
  ApprovalState,
  JsonObject,
  SkillAgreement,
  StandingApproval,
  StandingScope,
} from '../operations/index.ts';
import type { ApprovalTable, StandingApprovalTable } from '../store/tables.ts';
import type { StoredApproval } from './records.ts';

export function rowOf(approval: StoredApproval): Insertable<ApprovalTable> {
  return {
    id: approval.id,
    state: approval.state,
    principal_id: approval.principal,
    organisation_id: approval.organisation ?? null,
    run: approval.run,
    tool: approval.tool,
    source: approval.source,
    operation: approval.operation,
    access: approval.access,
    definition: approval.definition,
    arguments_hash: approval.argumentsHash,
    policy: approval.policy,
    preview: JSON.stringify(approval.preview),
    reason: approval.reason,
    standing: approval.standing,
    agreement: approval.skill === undefined ? null : JSON.stringify(approval.skill),
    call_id: approval.call,
    created_at: approval.createdAt,
    expires_at: approval.expiresAt,
    decided_at: approval.decidedAt ?? null,
    decided_by: approval.decidedBy ?? null,
    channel: approval.channel ?? null,
    note: approval.note ?? null,
    edited: approval.edited === undefined ? null : JSON.stringify(approval.edited),
    used_call: approval.usedBy ?? null,
    rounds: approval.rounds,
    told_at: approval.toldAt ?? null,
  };
}

/** PostgreSQL answers with 64-bit integers as numbers or texts, by its driver's settings. */
export function approvalOf(row: Selectable<ApprovalTable>): StoredApproval {
  return Object.freeze({
    id: row.id,
    state: row.state as ApprovalState,
    principal: row.principal_id,
    ...(row.organisation_id === null ? {} : { organisation: row.organisation_id }),
    run: row.run,
    tool: row.tool,
    source: row.source,
    operation: row.operation,
    access: row.access as Access,
    definition: row.definition,
    argumentsHash: row.arguments_hash,
    policy: row.policy,
    preview: JSON.parse(row.preview) as JsonObject,
    reason: row.reason,
    standing: row.standing as StandingScope,
    ...(row.agreement === null ? {} : { skill: agreementIn(row.agreement) }),
    call: row.call_id,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    ...(row.decided_at === null ? {} : { decidedAt: Number(row.decided_at) }),
    ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
    ...(row.channel === null ? {} : { channel: row.channel as ApprovalChannel }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.edited === null ? {} : { edited: JSON.parse(row.edited) as JsonObject }),
    ...(row.used_call === null ? {} : { usedBy: row.used_call }),
    rounds: Number(row.rounds),
    ...(row.told_at === null ? {} : { toldAt: Number(row.told_at) }),
  });
}

export function standingRowOf(standing: StandingApproval): Insertable<StandingApprovalTable> {
  return {
    id: standing.id,
    principal_id: standing.principal,
    organisation_id: standing.organisation ?? null,
    tool: standing.tool,
    source: standing.source,
    operation: standing.operation,
    definition: standing.definition,
    arguments_hash: standing.argumentsHash ?? null,
    skill: standing.skill?.skill ?? null,
    agreement: standing.skill === undefined ? null : JSON.stringify(standing.skill),
    approval_id: standing.approval,
    created_at: standing.createdAt,
    created_by: standing.createdBy,
    channel: standing.channel,
  };
}

export function standingOf(row: Selectable<StandingApprovalTable>): StandingApproval {
  return Object.freeze({
    id: row.id,
    principal: row.principal_id,
    ...(row.organisation_id === null ? {} : { organisation: row.organisation_id }),
    tool: row.tool,
    source: row.source,
    operation: row.operation,
    definition: row.definition,
    ...(row.arguments_hash === null ? {} : { argumentsHash: row.arguments_hash }),
    ...(row.agreement === null ? {} : { skill: agreementIn(row.agreement) }),
    approval: row.approval_id,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
    channel: row.channel as ApprovalChannel,
  });
}

function agreementIn(text: string): SkillAgreement {
  return Object.freeze(JSON.parse(text) as SkillAgreement);
}
