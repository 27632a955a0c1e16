import type { DynamicToolEvent, Event, JsonObject } from '../operations/index.ts';

interface RunEventBase {
  /** Position in the log. */
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly time: string;
}

interface OfCall {
  /** Id of the call; the same in all its events. */
  readonly correlation_id: string;
  readonly run_id?: string;
  readonly tool_name: string;
}

interface OfApproval {
  readonly approval_id: string;
  readonly tool_name: string;
  readonly state: string;
  readonly correlation_id?: string;
  readonly decided_by?: string;
  readonly channel?: string;
  readonly message?: string;
}

/** An event as agent back ends like to read it: names in capitals, members with underscores. */
export type RunEvent = RunEventBase &
  (
    | (OfCall & { readonly type: 'TOOL_CALL_STARTED'; readonly input: JsonObject })
    | (OfCall & {
        readonly type: 'TOOL_CALL_COMPLETED';
        readonly summary: string;
        readonly output_artifact_id?: string;
        readonly duration_ms: number;
      })
    | (OfCall & {
        readonly type: 'TOOL_CALL_FAILED';
        readonly error_code: string;
        readonly error_message: string;
        readonly duration_ms: number;
      })
    | (OfCall & { readonly type: 'SUBAGENT_ACTION'; readonly text: string })
    | (OfApproval & {
        readonly type: 'APPROVAL_REQUESTED' | 'APPROVAL_DECIDED' | 'APPROVAL_USED' | 'APPROVAL_VOID';
      })
    | {
        readonly type: 'CATALOG_SWAPPED';
        readonly catalog: string;
        readonly added: readonly string[];
        readonly removed: readonly string[];
        readonly changed: readonly string[];
      }
    | {
        /** `SOURCE_CHANGED`, `TOOL_QUARANTINED`, `UPSTREAM_FAILED` …: our name in capitals. */
        readonly type: `SOURCE_${string}` | `TOOL_QUARANTINED` | `UPSTREAM_${string}`;
        readonly source: string;
        readonly message: string;
        readonly tool_name?: string;
      }
    | (Omit<DynamicToolEvent, 'call' | 'run' | 'principal' | 'organisation'> & {
        readonly correlation_id?: string;
        readonly run_id?: string;
      })
    | {
        readonly type:
          | `${'ORGANISATION' | 'USER' | 'KEY' | 'ACCESS' | 'CONNECTION' | 'FEATURE'}_CHANGED`
          | 'SESSION_OPENED'
          | 'SESSION_CLOSED';
        readonly organisation: string;
        readonly subject: string;
        readonly change: string;
      }
  );

/** The event in the words of run events; nothing is in it that the event has not. */
export function toRunEvent(event: Event): RunEvent {
  const base = { sequence: event.sequence, time: event.time };
  switch (event.type) {
    case 'call-started':
      return { ...base, type: 'TOOL_CALL_STARTED', ...ofCall(event), input: event.input ?? {} };
    case 'call-completed':
      return {
        ...base,
        type: 'TOOL_CALL_COMPLETED',
        ...ofCall(event),
        summary: event.summary ?? '',
        ...(event.artifact === undefined ? {} : { output_artifact_id: event.artifact }),
        duration_ms: event.durationMs ?? 0,
      };
    case 'call-failed':
      return {
        ...base,
        type: 'TOOL_CALL_FAILED',
        ...ofCall(event),
        error_code: event.code ?? 'internal',
        error_message: event.message ?? '',
        duration_ms: event.durationMs ?? 0,
      };
    case 'call-progress':
      return { ...base, type: 'SUBAGENT_ACTION', ...ofCall(event), text: event.message };
    case 'approval-requested':
    case 'approval-decided':
    case 'approval-used':
    case 'approval-void':
      return {
        ...base,
        type: capitals(event.type),
        approval_id: event.approval,
        tool_name: event.tool,
        state: event.state,
        ...(event.call === undefined ? {} : { correlation_id: event.call }),
        ...(event.decidedBy === undefined ? {} : { decided_by: event.decidedBy }),
        ...(event.channel === undefined ? {} : { channel: event.channel }),
        ...(event.message === undefined ? {} : { message: event.message }),
      };
    case 'catalog-swapped': {
      const { catalog, added, removed, changed } = event;
      return { ...base, type: 'CATALOG_SWAPPED', catalog, added, removed, changed };
    }
    case 'organisation-changed':
    case 'user-changed':
    case 'key-changed':
    case 'access-changed':
    case 'connection-changed':
    case 'feature-changed':
    case 'session-opened':
    case 'session-closed': {
      const { organisation, subject, change } = event;
      return { ...base, type: capitals(event.type), organisation, subject, change };
    }
    case 'dynamic_tool.compile':
    case 'dynamic_tool.reload':
    case 'dynamic_tool.call':
    case 'dynamic_tool.retry':
    case 'dynamic_tool.failed':
    case 'dynamic_tool.degraded': {
      const { call, run, principal: _who, organisation: _whose, ...members } = event;
      return {
        ...members,
        ...(call === undefined ? {} : { correlation_id: call }),
        ...(run === undefined ? {} : { run_id: run }),
      };
    }
    default:
      return {
        ...base,
        type: capitals(event.type),
        source: event.source,
        message: event.message,
        ...('tool' in event && event.tool !== undefined ? { tool_name: event.tool } : {}),
      };
  }
}

function ofCall(event: { readonly call: string; readonly tool: string; readonly run?: string }): OfCall {
  const { call, tool, run } = event;
  return { correlation_id: call, ...(run === undefined ? {} : { run_id: run }), tool_name: tool };
}

type Capitals<T extends string> = T extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Capitals<Tail>}`
  : Uppercase<T>;

function capitals<T extends string>(type: T): Capitals<T> {
  return type.toUpperCase().replaceAll('-', '_') as Capitals<T>;
}
