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
  readonly principal: string;
  readonly organisation?: string;
  /** Id of the connection record, where the call goes to a stored one. */
  readonly account?: string;
  readonly tool: string;
  readonly operation: string;
  readonly source: string;
  readonly access: Access;
  readonly durationMs?: number;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
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
  readonly type: 'source-failed' | 'source-recovered' | 'tool-quarantined';
  readonly source: string;
  readonly message: string;
  readonly tool?: string;
}

/** Something about organisations, users, keys, levels or connections was changed; names ids, never secrets. */
export interface AdminEvent {
  readonly type:
    | 'organisation-changed'
    | 'user-changed'
    | 'key-changed'
    | 'access-changed'
    | 'connection-changed';
  readonly organisation: string;
  /** Who changed it. */
  readonly principal: string;
  /** Id of what was changed. */
  readonly subject: string;
  /** `created`, `revoked`, `level ats: read-only`, … */
  readonly change: string;
}

export type EventBody = CallEvent | CatalogEvent | SourceEvent | AdminEvent;

/** A committed fact. */
export type Event = EventBase & EventBody;
