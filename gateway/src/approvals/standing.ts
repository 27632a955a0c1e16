import { randomBytes } from 'node:crypto';
import {
  type ApprovalDecision,
  covers,
  type SkillAgreement,
  type SkillConcern,
  type StandingApproval,
} from '../operations/index.ts';
import {
  type ApprovalRecords,
  isSameSkill,
  type SkillKey,
  type StoredApproval,
  skillKeyOf,
} from './records.ts';

/** Open questions of one caller that one agreement can answer; more than one caller can have open. */
const MOST_OPEN = 1000;

/**
 * What a decision leaves behind for later calls; undefined: nothing. About a skill every approval does, since that is
 * what its card asks for; one with other arguments was about that call alone.
 */
export function standingFor(
  approval: StoredApproval,
  { decision }: ApprovalDecision,
  { by, channel, at }: { by: string; channel: StandingApproval['channel']; at: number },
): StandingApproval | undefined {
  const { standing, skill } = approval;
  const agrees = decision === 'approve_always' || (standing === 'skill' && decision === 'approve');
  if (!agrees || standing === 'never' || (standing === 'skill' && skill === undefined)) return undefined;
  const { principal, organisation, tool, source, operation, definition, argumentsHash, id } = approval;
  return {
    id: randomBytes(16).toString('hex'),
    principal,
    ...(organisation === undefined ? {} : { organisation }),
    tool,
    source,
    operation,
    definition,
    ...(standing === 'arguments' ? { argumentsHash } : {}),
    ...(standing === 'skill' && skill !== undefined ? { skill } : {}),
    approval: id,
    createdAt: at,
    createdBy: by,
    channel,
  };
}

/** Approves what the same caller was asked for meanwhile, and the agreement covers. Answers with them. */
export async function answerOthers(
  records: ApprovalRecords,
  { createdAt: at, createdBy: by, channel, ...standing }: StandingApproval,
  agreement: SkillAgreement,
): Promise<readonly StoredApproval[]> {
  const answered: StoredApproval[] = [];
  for (const one of await ofSkill(records, standing, 'pending')) {
    const concern = askedConcern(one);
    if (concern === undefined || !covers(agreement, concern)) continue;
    const decided = await records.decide(one.id, { state: 'approved', at, by, channel });
    if (decided !== undefined) answered.push(decided);
  }
  return answered;
}

/** What a standing approval that is revoked has approved and nobody used yet leads to no call. Answers with those. */
export async function endApproved(
  records: ApprovalRecords,
  standing: StandingApproval,
): Promise<readonly StoredApproval[]> {
  const approved = await ofSkill(records, standing, 'approved');
  const ids = new Set([standing.approval, ...approved.map(({ id }) => id)]);
  const ended: StoredApproval[] = [];
  for (const id of ids) {
    const one = await records.end(id, ['approved'], 'stale');
    if (one !== undefined) ended.push(one);
  }
  return ended;
}

/** The caller's questions in that state of which the skill is the only reason. */
async function ofSkill(
  records: ApprovalRecords,
  standing: Pick<StandingApproval, 'principal' | 'organisation' | 'source' | 'skill'>,
  state: 'pending' | 'approved',
): Promise<readonly StoredApproval[]> {
  const key: SkillKey | undefined = skillKeyOf(standing);
  if (key === undefined) return [];
  const { principal, organisation = null } = standing;
  const found = await records.list({ principal, organisation, states: [state], limit: MOST_OPEN });
  return found.filter((one) => one.standing === 'skill' && isSameSkill(skillKeyOf(one), key));
}

/** The call that was asked about, as the person saw it. */
function askedConcern({ skill, operation }: StoredApproval): SkillConcern | undefined {
  const own = skill?.tools.find((tool) => tool.operation === operation);
  if (skill === undefined || own === undefined) return undefined;
  const { version, isolated } = skill;
  return { skill: skill.skill, version, isolated, own };
}
