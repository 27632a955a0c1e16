import type { JsonObject } from './json/json.ts';
import type { Access } from './operation.ts';
import type { SkillAgreement } from './skill/skill-agreement.ts';

/**
 * `pending` waits for a human; `approved` waits for its call; `executing` was used up and the call is under way;
 * `executed` and `failed` are ends of that call; `denied`, `expired` and `stale` lead to no call.
 */
export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'executing'
  | 'executed'
  | 'failed'
  | 'denied'
  | 'expired'
  | 'stale';

/** Through what a human was asked and answered. Never a tool argument. */
export type ApprovalChannel = 'console' | 'cli' | 'http' | 'link' | 'elicitation';

/** What a human sees: an approval card. */
export interface ApprovalCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly metadata: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly variant: 'default' | 'destructive';
  readonly labels: { readonly approve: string; readonly reject: string };
  /** What became of it, once it is decided. */
  readonly receipt?: { readonly outcome: ApprovalState; readonly summary: string; readonly at: string };
}

/** A pending or taken human decision, bound to one call. */
export interface Approval {
  /** 128 random bits in hex. */
  readonly id: string;
  readonly state: ApprovalState;
  readonly principal: string;
  readonly organisation?: string;
  readonly tool: string;
  readonly source: string;
  readonly operation: string;
  readonly access: Access;
  /** Hash of the tool's definition when it was asked for. */
  readonly definition: string;
  /** `sha256:` over the canonical JSON of the arguments. */
  readonly argumentsHash: string;
  /** Hash of the policy that asked. */
  readonly policy: string;
  /** Arguments for people: secrets redacted, long texts cut. */
  readonly preview: JsonObject;
  /** Why it was asked, in one sentence. */
  readonly reason: string;
  /** What an agreement from then on would cover: the tool, these very arguments, nothing, or the skill. */
  readonly standing: StandingScope;
  /** The skill whose tool is called, where that is a reason to ask. */
  readonly skill?: SkillAgreement;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt?: number;
  readonly decidedBy?: string;
  readonly channel?: ApprovalChannel;
  /** What the person said who refused. */
  readonly note?: string;
  /** Call that asked. */
  readonly call: string;
  /** Call that used it up. */
  readonly usedBy?: string;
}

/**
 * `arguments`: for what destroys; `never`: for what was dangerous until its operator enabled it; `skill`: every approval
 * holds for the tools of that skill in that version.
 */
export type StandingScope = 'tool' | 'arguments' | 'never' | 'skill';

/** A decision that holds until it is revoked: one tool in one definition or one version of a skill, for one principal. */
export interface StandingApproval {
  /** 128 random bits in hex. */
  readonly id: string;
  readonly principal: string;
  readonly organisation?: string;
  readonly tool: string;
  readonly source: string;
  readonly operation: string;
  readonly definition: string;
  /** Present: for calls with these arguments only. */
  readonly argumentsHash?: string;
  /** Present: for every tool of this skill that it names, and not for `tool` alone. */
  readonly skill?: SkillAgreement;
  /** The approval that it was given with. */
  readonly approval: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly channel: ApprovalChannel;
}

/** What a human decided. Whatever cannot be read as one of these is a rejection. */
export type ApprovalDecision =
  | { readonly decision: 'approve' }
  | { readonly decision: 'edit'; readonly arguments: JsonObject }
  | { readonly decision: 'reject'; readonly reason?: string }
  | { readonly decision: 'approve_always' };

/** Picks calls; every part that is given must match. */
export interface ApprovalRule {
  readonly access?: Access;
  readonly source?: string;
  /** Operation id, or `office365.*` for all that begin so. */
  readonly operation?: string;
  readonly tag?: string;
  /** A role of whoever calls. */
  readonly role?: string;
  /** A vendor hint of the operation that is set (neither absent, false, null, nor empty). */
  readonly hint?: string;
  /** Name of the tool. */
  readonly tool?: string;
  readonly action: 'ask' | 'allow';
}

/** Which calls a person must agree to, and who that person may be. */
export interface ApprovalPolicy {
  /** What no rule speaks of. */
  readonly write: 'ask' | 'allow';
  readonly delete: 'ask' | 'allow';
  readonly rules: readonly ApprovalRule[];
  /** Milliseconds that a question stays open and an answer good. */
  readonly expiresMs: number;
  /** Milliseconds that a call waits for a decision where its client cannot ask a person. */
  readonly waitMs: number;
  /** How a client that can ask a person is asked to. */
  readonly elicitation: 'form' | 'url' | 'off';
  /** Roles that decide for others of their organisation. */
  readonly approvers: readonly string[];
}
