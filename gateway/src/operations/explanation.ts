import type { StandingScope } from './approval.ts';
import type { Access } from './operation.ts';

/** One factor of whether a principal may use an operation. */
export interface PolicyCheck {
  readonly check:
    | 'dangerous'
    | 'credential'
    | 'admin-level'
    | 'user-level'
    | 'connection'
    | 'access'
    | 'roles'
    | 'permissions'
    | 'feature'
    | 'skill'
    | 'quarantine'
    | 'blocklist';
  /** What is there. */
  readonly value: string;
  /** What it takes. */
  readonly needed: string;
  readonly passes: boolean;
  /** Who or what would change it. */
  readonly change: string;
}

export interface Explanation {
  /** True when every check passes: the tool is listed. */
  readonly visible: boolean;
  /** False for what is not visible, and for what is listed although its account is not connected. */
  readonly callable: boolean;
  readonly checks: readonly PolicyCheck[];
}

/** A person must agree, or the policy refuses whoever agrees. */
export type CallAgreement =
  | { readonly kind: 'asks'; readonly reason: string; readonly standing: StandingScope }
  | { readonly kind: 'refuses'; readonly reason: string };

/** What `toolcrib explain` and its route answer. */
export interface ToolExplanation extends Explanation {
  readonly tool: string;
  readonly principal: string;
  readonly operation: {
    readonly id: string;
    readonly source: string;
    readonly access: Access;
    /** `GET /candidates/{id}`, or the function's name. */
    readonly target: string;
  };
  /** Absent: nobody is asked, or it depends on the call; also of what is not visible. */
  readonly approval?: CallAgreement;
}
