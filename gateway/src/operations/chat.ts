import type { ErrorCode } from '../errors.ts';
import type { ApprovalCard } from './approval.ts';
import type { JsonObject } from './json/json.ts';
import type { Principal } from './principal.ts';

/** A call as the model wrote it. */
export interface ChatToolCall {
  /** The model's id for it; unique within one answer. */
  readonly id: string;
  /** The name that the model was shown. */
  readonly name: string;
  /** JSON text, as it came; may be none. */
  readonly arguments: string;
  /** What some models want back with the call, unread. */
  readonly signature?: string;
}

/** One turn of a conversation. Calls and `tool` turns come from earlier answers of ours, never from outside. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly calls?: readonly ChatToolCall[];
      readonly reasoning?: string;
    }
  | { readonly role: 'tool'; readonly call: string; readonly tool: string; readonly content: string };

/** Tokens of all answers of one conversation; a number is absent where no endpoint told it. */
export interface ChatUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

/** A call waits for a person. */
export interface ChatApprovalAsked {
  readonly type: 'approval.required';
  /** Id of the approval. */
  readonly id: string;
  /** The model's id of the call that asks. */
  readonly call: string;
  readonly tool: string;
  readonly card?: ApprovalCard;
  /** ISO 8601. */
  readonly expires_at?: string;
  /** Where a person decides; whoever has it can. Never shown to the model. */
  readonly link?: string;
}

/** How an answer came to its end; `rounds`: the last one had to do without tools. */
export type ChatFinish = 'stop' | 'length' | 'content_filter' | 'rounds' | 'other';

/** What happens in a conversation, in order: `start` first, `done` or `error` last. */
export type ChatEvent =
  | {
      readonly type: 'start';
      /** What the calls belong to, and what goes on with a later request of the same session. */
      readonly session: string;
      readonly model: string;
      readonly skill?: string;
      /** Why this skill, or none. */
      readonly reason: string;
      readonly tools: { readonly static: number; readonly dynamic: number };
      /** Tools of skills that another tool of their name stands before. */
      readonly shadowed: readonly string[];
    }
  | {
      /** Before each answer of the model; the first is 1. */
      readonly type: 'round';
      readonly round: number;
      readonly of: number;
      /** No tools are offered any more: the model answers with what it has. */
      readonly final: boolean;
    }
  | { readonly type: 'message.delta'; readonly text: string }
  | {
      readonly type: 'tool.call';
      readonly id: string;
      readonly name: string;
      /** The text itself where it is no JSON object. */
      readonly arguments: JsonObject | string;
      /** A skill brought it. */
      readonly dynamic: boolean;
    }
  | ChatApprovalAsked
  | {
      readonly type: 'tool.result';
      readonly id: string;
      readonly name: string;
      readonly dynamic: boolean;
      readonly status: 'ok' | 'failed';
      readonly latency_ms: number;
      readonly error_code?: ErrorCode;
      readonly message?: string;
      /** It failed for good, and the conversation goes on with the others. */
      readonly degraded?: true;
    }
  | {
      readonly type: 'done';
      /** Of the last answer. */
      readonly text: string;
      readonly usage: ChatUsage;
      readonly rounds: number;
      readonly finish_reason: ChatFinish;
      /** What was said since the request, for going on in this process. */
      readonly messages: readonly ChatMessage[];
    }
  | {
      readonly type: 'error';
      readonly code: ErrorCode;
      readonly message: string;
      readonly next: string;
      readonly usage: ChatUsage;
      readonly rounds: number;
      /** The whole rounds until then. */
      readonly messages: readonly ChatMessage[];
    };

export interface ChatRequest {
  /** At least one. */
  readonly messages: readonly ChatMessage[];
  /** The skill that is asked for; absent: the role's. */
  readonly skill_id?: string;
  /** In place of the configured one. */
  readonly model?: string;
  readonly principal: Principal;
  /** The caller went away: everything ends. */
  readonly signal: AbortSignal;
  /** The process is about to end: calls under way finish, no further answer is asked for. */
  readonly stop?: AbortSignal;
  /** Answers with tools; never more than configured. */
  readonly maxRounds?: number;
  /** Absent: a new one. */
  readonly session?: string;
  /** Calls through our own API that led here. */
  readonly depth?: number;
  /** How long a call waits for a person, milliseconds; 0: not at all; absent: as the policy says. */
  readonly approvalWaitMs?: number;
  /** Asks the person who is there; `open`: nobody decided, and the model is told so. In place of waiting. */
  readonly approval?: (asked: ChatApprovalAsked) => Promise<'decided' | 'open'>;
}

/** Conversations of a model with the gateway's tools. */
export interface Chat {
  /**
   * One conversation until the model's last answer. Rejects with `chat_unavailable`, `request_invalid`,
   * `skill_forbidden`, `skill_unknown` before the first event; what fails later is an `error` event. Whoever stops
   * reading ends it.
   */
  run(request: ChatRequest): AsyncIterable<ChatEvent>;
}
