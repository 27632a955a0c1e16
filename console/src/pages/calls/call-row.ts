import type { Access } from '../../../../gateway/src/operations/index.ts';

export type CallState = 'running' | 'waiting' | 'completed' | 'asked' | 'failed';

/** A call as the list shows it: its start and its end in one. */
export interface CallRow {
  readonly call: string;
  /** Of its first event that is known: the order of the list. */
  readonly sequence: number;
  readonly state: CallState;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly tool: string;
  readonly operation: string;
  readonly source: string;
  readonly principal: string;
  readonly access: Access;
  /** Nothing was sent: the request was only built. */
  readonly dryRun?: true;
  readonly durationMs?: number;
  readonly code?: string;
  /** What it answered, why it failed, or what it says it is doing. */
  readonly text?: string;
}
