import type { OutgoingRequest } from '../egress/egress.ts';
import type {
  Call,
  CallError,
  Connection,
  ContentBlock,
  InputRequiredResult,
  Json,
  JsonObject,
} from '../operations/index.ts';

export interface ExecuteContext {
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** What an HTTP service answered. */
export interface HttpAnswer {
  readonly kind: 'http';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly url: string;
  readonly attempts: number;
  /** The path that redirects led to, with its origin where that is another one; absent: none did. */
  readonly redirectedTo?: string;
  /** The answer is an error, yet a write may have been carried out. */
  readonly unknownOutcome?: boolean;
  /** The request of a failed answer carried no credential. */
  readonly anonymous?: true;
  /** By this answer the service says what others say by a 401. */
  readonly sessionEnded?: true;
  /** It was refused, and not sent again: the next call has a fresh credential. */
  readonly renewed?: true;
  /** Whose connected account the request went out for; absent: the configuration's own. */
  readonly accountOwner?: 'organisation' | 'user';
  /** For the caller, beside a successful answer. */
  readonly warnings?: readonly string[];
  /** What would have been right, beside a failed answer: a sentence for its text, members for its details. */
  readonly advice?: {
    readonly text: string;
    readonly details: JsonObject;
    /** What to do, in place of what the status alone says. */
    readonly next?: string;
  };
}

/** What came back, before it becomes a Result. */
export type RawResult =
  | HttpAnswer
  | {
      readonly kind: 'value';
      readonly content?: readonly ContentBlock[];
      readonly structured?: Json;
      readonly failed?: boolean;
      readonly meta?: JsonObject;
      /** Why it failed, where that is not what its content says. */
      readonly error?: Pick<CallError, 'code' | 'message' | 'next'>;
      /** For the caller, beside the answer. */
      readonly warnings?: readonly string[];
    }
  | { readonly kind: 'request'; readonly request: OutgoingRequest }
  | InputRequiredResult;

/** Carries out a call that has passed every check. Throws ToolcribError. */
export interface Executor {
  execute(call: Call, context: ExecuteContext): Promise<RawResult>;
  /**
   * Before a person is asked to agree to the call: throws what `execute` would throw for what is known to be missing
   * without anything being sent, such as a credential. `execute` checks it again.
   */
  ready?(call: Call, context: Pick<ExecuteContext, 'connection' | 'signal'>): Promise<void>;
}
