import type { ApprovalState } from './approval.ts';
import type { CallStep } from './call-steps.ts';
import type { JsonObject } from './json/json.ts';
import type { Access } from './operation.ts';

interface EventBase {
  /** Increases by one for each event of this process. */
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly time: string;
}

export interface CallEvent {
  readonly type: 'call-started' | 'call-completed' | 'call-failed';
  readonly call: string;
  readonly run?: string;
  /** Arguments of a start, secrets redacted, long texts cut; of an end: those that a person put in their place. */
  readonly input?: JsonObject;
  /** One line about the output of a completed call; never the output. */
  readonly summary?: string;
  /** Id of the stored full output. */
  readonly artifact?: string;
  /** The approval that was used up. */
  readonly approval?: string;
  /** Trace id of the caller's W3C trace context. */
  readonly trace?: string;
  readonly principal: string;
  readonly organisation?: string;
  /** Id of the connection record, where the call goes to a stored one. */
  readonly account?: string;
  readonly tool: string;
  readonly operation: string;
  readonly source: string;
  readonly access: Access;
  /** Nothing was sent: the request was only built. */
  readonly dryRun?: true;
  readonly durationMs?: number;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  /** What to do about a failure. */
  readonly next?: string;
  /** Of an end: what the gateway did for the call, in the order in which it began. */
  readonly steps?: readonly CallStep[];
  /** Steps in between that are not in `steps`, where there were too many. */
  readonly stepsLeftOut?: number;
}

export interface CatalogEvent {
  readonly type: 'catalog-swapped';
  readonly catalog: string;
  readonly sources: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface SourceEvent {
  readonly type:
    | 'source-failed'
    | 'source-recovered'
    | 'source-added'
    | 'source-changed'
    | 'source-removed'
    | 'tool-quarantined';
  readonly source: string;
  readonly message: string;
  readonly tool?: string;
}

/** Something about organisations, users, keys, levels, connections, features or sessions was changed; names ids, never secrets. */
export interface AdminEvent {
  readonly type:
    | 'organisation-changed'
    | 'user-changed'
    | 'key-changed'
    | 'access-changed'
    | 'connection-changed'
    | 'feature-changed'
    | 'session-opened'
    | 'session-closed';
  readonly organisation: string;
  /** Who changed it. */
  readonly principal: string;
  /** Id of what was changed. */
  readonly subject: string;
  /** `created`, `revoked`, `level ats: read-only`, … */
  readonly change: string;
}

/** What a call is doing, in words for people; not every client listens. */
export interface ProgressEvent {
  readonly type: 'call-progress';
  readonly call: string;
  readonly run?: string;
  readonly principal: string;
  readonly organisation?: string;
  readonly tool: string;
  readonly source: string;
  readonly message: string;
  readonly progress?: number;
  readonly total?: number;
}

/** A human decision was asked for, taken, used, or became void. */
export interface ApprovalEvent {
  readonly type: 'approval-requested' | 'approval-decided' | 'approval-used' | 'approval-void';
  readonly approval: string;
  /** Whose call it is. */
  readonly principal: string;
  readonly organisation?: string;
  readonly tool: string;
  readonly source: string;
  readonly operation: string;
  readonly state: ApprovalState;
  /** Who decided, and through which channel. */
  readonly decidedBy?: string;
  readonly channel?: string;
  /** Call that asked, or that used it. */
  readonly call?: string;
  readonly message?: string;
}

/** The process of an upstream server, or the connection to it. */
export interface UpstreamEvent {
  readonly type: 'upstream-started' | 'upstream-stopped' | 'upstream-failed' | 'upstream-unasked';
  readonly source: string;
  readonly message: string;
  /** Milliseconds until the next attempt. */
  readonly retryInMs?: number;
}

/** What became of a tool that a skill brought; named as platforms with such tools know them. */
export interface DynamicToolEvent {
  readonly type:
    | 'dynamic_tool.compile'
    | 'dynamic_tool.reload'
    | 'dynamic_tool.call'
    | 'dynamic_tool.retry'
    | 'dynamic_tool.failed'
    | 'dynamic_tool.degraded';
  readonly source: string;
  readonly skill_id: string;
  /** Absent for the whole skill. */
  readonly tool_name?: string;
  readonly executor?: 'script' | 'http';
  /** The first is 1. */
  readonly attempt?: number;
  readonly latency_ms: number;
  /** `ok`, `failed`; of compiles `ok`, `partial`, `failed`; of `degraded` also `paused` and `recovered`. */
  readonly status: 'ok' | 'partial' | 'failed' | 'paused' | 'recovered';
  readonly error_code?: string;
  readonly message?: string;
  /** The call, whose it is, and what it belongs to. */
  readonly call?: string;
  readonly run?: string;
  readonly principal?: string;
  readonly organisation?: string;
}

export type EventBody =
  | CallEvent
  | CatalogEvent
  | SourceEvent
  | AdminEvent
  | ProgressEvent
  | ApprovalEvent
  | UpstreamEvent
  | DynamicToolEvent;

/** A committed fact. */
export type Event = EventBase & EventBody;
