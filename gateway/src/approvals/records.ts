import type {
  Approval,
  ApprovalChannel,
  ApprovalState,
  JsonObject,
  StandingApproval,
} from '../operations/index.ts';

/** An approval as it is kept. */
export interface StoredApproval extends Approval {
  /** What the call belongs to; `` for none. */
  readonly run: string;
  /** What a person wrote instead of the arguments; gone when the call has ended. */
  readonly edited?: JsonObject;
  /** How often that call went on after a question to its client. */
  readonly rounds: number;
  readonly toldAt?: number;
}

/** Which call is asked about: equal calls of one run share an approval that is open. */
export interface CallKey {
  readonly principal: string;
  readonly organisation: string | undefined;
  readonly run: string;
  readonly tool: string;
  /** What a tool of several operations came to: equal arguments mean something else to each. */
  readonly source: string;
  readonly operation: string;
  readonly argumentsHash: string;
}

export interface Decided {
  readonly state: 'approved' | 'denied';
  readonly at: number;
  readonly by: string;
  readonly channel: ApprovalChannel;
  readonly note?: string;
  readonly edited?: JsonObject;
}

/** Whose approvals; empty: everybody's. */
export interface ApprovalScope {
  /** Absent: everybody's; null: those of no organisation. */
  readonly organisation?: string | null;
  readonly principal?: string;
  /** Absent: those of every source. */
  readonly sources?: readonly string[];
}

export interface ApprovalFilter extends ApprovalScope {
  /** The tool's name. */
  readonly tool?: string;
  /** One of those of the scope. */
  readonly source?: string;
  readonly states?: readonly ApprovalState[];
  /** Only what stands behind this place of the list. */
  readonly behind?: { readonly createdAt: number; readonly id: string };
  /** Newest first; at most so many. */
  readonly limit: number;
}

/** How long after its expiry a call that waits for its client may go on, milliseconds. */
export const PAUSE_MS = 60 * 60 * 1000;

/** What a standing approval must fit. */
export interface StandingKey {
  readonly principal: string;
  readonly organisation: string | undefined;
  readonly tool: string;
  readonly definition: string;
  readonly argumentsHash: string;
}

/** Whose agreement to which skill, in whatever version. */
export interface SkillKey {
  readonly principal: string;
  readonly organisation: string | undefined;
  readonly source: string;
  readonly skill: string;
}

/** Undefined for what is about no skill. */
export function skillKeyOf(
  about: Pick<StandingApproval, 'principal' | 'organisation' | 'source' | 'skill'>,
): SkillKey | undefined {
  const { principal, organisation, source, skill } = about;
  return skill && { principal, organisation, source, skill: skill.skill };
}

export function isSameSkill(a: SkillKey | undefined, b: SkillKey): boolean {
  return (
    a !== undefined &&
    a.principal === b.principal &&
    a.organisation === b.organisation &&
    a.source === b.source &&
    a.skill === b.skill
  );
}

/**
 * Where approvals are kept. Every change of state is one compare-and-set: it happens from the states named, and only
 * one of several processes sees its answer. Answers are the approval after the change; undefined: it did not happen.
 */
export interface ApprovalRecords {
  insert(approval: StoredApproval): Promise<void>;
  get(id: string): Promise<StoredApproval | undefined>;
  /** Newest first. */
  list(filter: ApprovalFilter): Promise<readonly StoredApproval[]>;
  /** How many wait for a person now. */
  countPending(whose: ApprovalScope, now: number): Promise<number>;
  /** Open ones, and ended ones of which the caller was not told, created after `since`; newest first. */
  findFor(key: CallKey, since: number): Promise<readonly StoredApproval[]>;
  /**
   * From `pending`, before its expiry; a standing approval comes with it or not at all. One of a skill takes the place of
   * earlier ones of that skill.
   */
  decide(id: string, decided: Decided, standing?: StandingApproval): Promise<StoredApproval | undefined>;
  /** From `approved`, before its expiry. */
  use(id: string, call: string, now: number): Promise<StoredApproval | undefined>;
  /** An `executing` one whose call goes on, from this round to the next. */
  goOn(id: string, round: number, call: string): Promise<StoredApproval | undefined>;
  /** An `executing` one whose call has put a question to its client. */
  pause(id: string): Promise<StoredApproval | undefined>;
  /** From `executing`. */
  finish(id: string, state: 'executed' | 'failed'): Promise<StoredApproval | undefined>;
  /** From `pending` or `approved`, to an end without a call. */
  end(
    id: string,
    from: readonly ApprovalState[],
    state: 'stale' | 'expired' | 'denied',
  ): Promise<StoredApproval | undefined>;
  /** True for whoever tells first. */
  tell(id: string, now: number): Promise<boolean>;
  /** Ends those whose time is over, and `executing` ones whose call has ended elsewhere. Answers with them. */
  sweep(now: number): Promise<readonly StoredApproval[]>;
  /** Deletes what was created before. */
  prune(before: number): Promise<number>;
  /** Of a tool; agreements to skills are no such. */
  findStanding(key: StandingKey): Promise<StandingApproval | undefined>;
  /** Agreements to a skill. */
  findAgreements(key: SkillKey): Promise<readonly StandingApproval[]>;
  listStanding(filter: ApprovalScope & Pick<ApprovalFilter, 'limit'>): Promise<readonly StandingApproval[]>;
  getStanding(id: string): Promise<StandingApproval | undefined>;
  /** An agreement to a skill goes with every other to the same skill: two that were given at once may both stand. */
  revokeStanding(id: string): Promise<boolean>;
  /** A secret of this name that all processes share; made when first asked for. 32 bytes. */
  signingKey(name: string): Promise<Uint8Array>;
  /** Something changed, here or in another process. */
  onChange(listener: () => void): () => void;
}
