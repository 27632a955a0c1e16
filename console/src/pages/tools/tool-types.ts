import type { Access, PolicyCheck, Tool } from '../../../../gateway/src/operations/index.ts';
import type { JsonObject } from '../../components/json/json-values.ts';

/** What `GET /api/v1/operations` answers with for one operation. */
export interface OperationRow {
  readonly tool: string;
  readonly operation: string;
  readonly source: string;
  readonly access: Access;
  readonly state: 'listed' | 'reachable' | 'hidden';
  readonly title?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly deprecated?: boolean;
  readonly destructive: boolean;
  readonly through?: string;
  readonly gate?: string;
  readonly hidden?: Omit<PolicyCheck, 'passes'>;
}

export interface OperationPage {
  readonly operations: readonly OperationRow[];
  readonly counts: Readonly<Record<'all' | 'listed' | 'reachable' | 'hidden' | 'gated', number>>;
  readonly sources: readonly string[];
  readonly next?: string;
}

/** A hit of `GET /api/v1/search`. */
export interface SearchHit {
  readonly tool: string;
  readonly listed: boolean;
  readonly operation: string;
  readonly source: string;
  readonly access: Access;
  readonly description: string;
  readonly method?: string;
  readonly path?: string;
  readonly score: number;
}

/** What `GET /api/v1/tools/{name}` answers. */
export interface ToolDetail {
  readonly tool: Tool;
  readonly operation?: {
    readonly id: string;
    readonly source: string;
    readonly access: Access;
    readonly tags: readonly string[];
    readonly http?: { readonly method: string; readonly path: string };
    readonly deprecated?: boolean;
    readonly cost?: { readonly usd?: number; readonly typicalMs?: number };
  };
  readonly hash?: string;
  readonly listed: boolean;
  readonly example: {
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly made: readonly string[];
  };
  readonly approval?: { readonly kind: 'asks' | 'refuses'; readonly reason: string };
  readonly tokens?: number;
}

/** One thing that a tool asks its caller (MCP, elicitation). */
export interface Question {
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a call answers whose tool asks something before it goes on. */
export interface CallAsks {
  readonly inputRequests: Readonly<Record<string, Question>>;
  readonly requestState?: string;
}

/** A person's answer to one question (MCP, ElicitResult). */
export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

export interface Answers {
  readonly inputResponses: Readonly<Record<string, QuestionAnswer>>;
  readonly requestState?: string | undefined;
}

/** What a call that ended well answers. */
export interface CallAnswer {
  readonly content: ReadonlyArray<Readonly<Record<string, unknown>> & { readonly type: string }>;
  readonly structured?: unknown;
  readonly warnings?: readonly string[];
  /** HTTP status of the upstream. */
  readonly status?: number;
}
