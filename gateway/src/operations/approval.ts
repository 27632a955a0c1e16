import type { JsonObject } from './json.ts';
import type { Access } from './operation.ts';

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
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt?: number;
  readonly decidedBy?: string;
  readonly channel?: ApprovalChannel;
  /** Call that asked. */
  readonly call: string;
}

/** What a human decided. Whatever cannot be read as one of these is a rejection. */
export type ApprovalDecision =
  | { readonly decision: 'approve' }
  | { readonly decision: 'edit'; readonly arguments: JsonObject }
  | { readonly decision: 'reject'; readonly reason?: string }
  | { readonly decision: 'approve_always' };
