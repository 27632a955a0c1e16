import type { ToolcribError } from '../errors.ts';
import type { CallSteps } from './call-steps.ts';
import type { Connection } from './connection.ts';
import type { Json, JsonObject } from './json/json.ts';
import type { Operation } from './operation.ts';
import type { Principal } from './principal.ts';
import type { CompletedResult, InputRequest } from './result.ts';
import type { ShapedCall } from './shaping.ts';
import type { TraceFields } from './trace-context.ts';

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What the client's side of a call can do; everything is optional and safe to leave out. */
export interface CallChannel {
  /** MCP progress; dropped when the client sent no token. */
  progress?(progress: number, total?: number, message?: string): Promise<void>;
  /** Absent where the client hears no log messages. */
  log?(level: LogLevel, data: Json, logger?: string): Promise<void>;
  /** The least that it wants to hear, where it says so (MCP 2026-07-28, `logLevel`). */
  readonly logLevel?: LogLevel;
  /** What the client declared: `{ sampling: {}, elicitation: {…}, roots: {} }`. */
  readonly clientCapabilities?: JsonObject;
  /** Answers to an earlier InputRequiredResult of this call, by key. */
  readonly inputResponses?: JsonObject;
  /** The verified state of that earlier result. */
  readonly requestState?: Json;
  /** Asks the client at once, where a connection of an older revision stays open; the upstream's own questions. */
  ask?(request: InputRequest, signal: AbortSignal): Promise<Json>;
  /** Tells the client that a page which it was asked to open is done with, also when the call has long ended. */
  pageDone?(elicitationId: string): Promise<void>;
  /** Id of an approval that the caller was told of earlier (`_meta["toolcrib/approval"]`). Never in arguments. */
  readonly approval?: string;
  /** The caller shows approvals to its person in its own way: it is told of them and never asked by `elicitation`. */
  readonly decidesApprovals?: boolean;
  /** How long the caller waits for a person's decision, milliseconds; absent: as the policy says. */
  readonly waitMs?: number;
  /**
   * Makes a task of the call where its client follows tasks (MCP 2026-07-28, extension Tasks): its request is
   * answered at once, the call goes on. Resolves with whether it is one now. The message says what it waits for.
   */
  becomeTask?(message?: string): Promise<boolean>;
  /** What the call brings holds words of strangers from this source: told before it is answered. */
  brings?(source: string): void;
  /** Ends the SSE stream of this call early, where there is one (MCP 2025-11-25 polling). */
  closeStream?(): void;
}

export interface CallFacts {
  /** The approval that the call used up. */
  approval?: string;
  /** What its person made of the arguments: what is carried out instead. */
  edited?: JsonObject;
  /** Where everything that works for the call notes what it does. */
  readonly steps?: CallSteps;
}

/** One invocation on its way through the router. */
export interface Call extends TraceFields {
  /** Correlation id, 128 random bits in hex. */
  readonly id: string;
  readonly principal: Principal;
  /** The tool name as the client said it. */
  readonly tool: string;
  readonly operation: Operation;
  /** What was configured of its source when its operation was found: both are of one catalog. */
  readonly base?: Connection;
  /** The account it goes to, chosen when the call was authorised. */
  readonly connection?: Connection;
  readonly arguments: JsonObject;
  /** Milliseconds since the epoch; after it the call ends as `deadline_exceeded`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly channel: CallChannel;
  /** What several calls belong to: the client's own id (`_meta["toolcrib/run"]`), else its session. */
  readonly run?: string;
  /** The approval that this call uses up; set when a human agreed to it. */
  readonly approval?: string;
  /** Why what its caller has read makes a person's agreement needed. */
  readonly tainted?: string;
  /** Build the request, do not send it. */
  readonly dryRun: boolean;
  /** Calls of our own API that led here. */
  readonly depth: number;
  /** Inner layers write into it what the call's end event says. */
  readonly facts?: CallFacts;
  /** Its operation was made for this one request, and stands in no catalog. */
  readonly made?: true;
  /** Its answer is shaped before the caller sees it. */
  readonly shaped?: ShapedCall;
  /** Why it cannot be carried out, found when its tool was resolved; told once it is authorised. */
  readonly problem?: ToolcribError;
}

/** A tool that reaches several operations, once its arguments have chosen one. */
export interface ResolvedCall {
  readonly operation: Operation;
  readonly arguments: JsonObject;
  /** Another call that must succeed first, and completes the arguments. */
  readonly before?: {
    readonly operation: Operation;
    readonly arguments: JsonObject;
    complete(result: CompletedResult): JsonObject;
  };
  /** Its answer is shaped, inside the router. */
  readonly shaped?: ShapedCall;
  /** The operation's answer in the words of the tool; absent: as it is. */
  reshape?(result: CompletedResult): CompletedResult | Promise<CompletedResult>;
}
