import type { Egress } from '../egress/index.ts';
import type { CallChannel, JsonObject, JsonSchema, Principal, Result } from '../operations/index.ts';

/** Which model, and how far it may go; `chat` of the configuration. */
export interface ChatSettings {
  /** Of an OpenAI-compatible API, without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  /** Comes first in every conversation. */
  readonly system?: string;
  /** Answers with tools in one conversation. */
  readonly maxRounds: number;
  /** Of each answer. */
  readonly maxTokens?: number;
}

/** A tool as the model is told of it. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Changes nothing: may run beside others. */
  readonly readOnly: boolean;
}

/** What a principal may call now, both already filtered. */
export interface ChatTools {
  readonly static: readonly ChatTool[];
  /** Of skills: of the selected one, or of all. */
  readonly dynamic: readonly ChatTool[];
}

/** Which skill counts, and why. */
export interface ChatSkill {
  readonly skill?: string;
  /** Its SKILL.md without the front matter. */
  readonly body?: string;
  readonly reason: string;
}

/** One call, for the gateway's router. */
export interface ChatCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly principal: Principal;
  /** The effective skill. */
  readonly skill?: string;
  /** The session. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly depth: number;
  readonly channel: CallChannel;
}

export interface ChatOptions {
  /** Asked for at each conversation; undefined: there is no chat. */
  readonly configuration: () => ChatSettings | undefined;
  readonly egress: Pick<Egress, 'fetch'>;
  /** Of the endpoint; undefined: it needs none. Throws `credentials_missing`. */
  readonly apiKey: () => Promise<string | undefined>;
  /** What is there now: skills are freshened first. */
  readonly tools: (principal: Principal, skill: string | undefined, session: string) => Promise<ChatTools>;
  /** Every tool call goes through it. */
  readonly call: (call: ChatCall) => Promise<Result>;
  /** Throws `skill_forbidden`, `skill_unknown`. */
  readonly effectiveSkill: (
    requested: string | undefined,
    principal: Principal,
    session: string,
  ) => ChatSkill | Promise<ChatSkill>;
  /** Where a person decides about an approval of this principal; undefined: nowhere, or this principal may not. */
  readonly approvalLink?: (approval: string, principal: Principal) => Promise<string | undefined>;
  /** Waits before a repetition, milliseconds; replaceable for tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}
