import type { CallEvent, Event } from '../../../../gateway/src/operations/index.ts';
import type { CallRow, CallState } from './call-row.ts';
import { ASKED_CODE, type CallFilters, fitting, NO_FILTERS } from './filters.ts';

/** Calls kept; the oldest are forgotten, and can be read again. */
export const MOST_CALLS = 10_000;
/** Forgotten at once, so that not every call moves the whole list. */
const SPARE = 500;

/**
 * The calls that a page knows, from events in any order; the same event twice changes nothing. What cannot fit the
 * filters, whatever their `state`, is not kept: it would take the place of calls that do.
 */
export class CallLog {
  /** Goes up with every change. */
  version = 0;
  /** Some were forgotten: what is older has to be read again from here. */
  forgottenBefore: number | undefined;
  readonly #rows = new Map<string, CallRow>();
  /** Ids, oldest first. */
  #order: string[] = [];
  readonly #approvals = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  readonly #fits: (row: CallRow) => boolean;
  /** Of a call that goes on: text and code may come with its end. */
  readonly #mayFit: (row: CallRow) => boolean;

  constructor(filters: CallFilters = NO_FILTERS) {
    this.#fits = fitting({ ...filters, state: '' });
    this.#mayFit = fitting({ ...filters, state: '', q: '', code: '' });
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Calls that go on, as far as is known. */
  get hasRunning(): boolean {
    return this.#rows.values().some(({ state }) => state === 'running');
  }

  readonly onChange = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  };

  get(call: string): CallRow | undefined {
    return this.#rows.get(call);
  }

  apply(events: readonly Event[]): void {
    let sorted = true;
    let changed = false;
    for (const event of events) {
      const call = this.#callOf(event);
      if (call === undefined) continue;
      const known = this.#rows.get(call);
      const row = joined(known, event);
      if (row === undefined || row === known) continue;
      if (!(isOver(row) ? this.#fits : this.#mayFit)(row)) {
        if (known !== undefined) this.#remove(call);
        changed ||= known !== undefined;
        continue;
      }
      changed = true;
      this.#rows.set(call, row);
      if (known === undefined) {
        const last = this.#order.at(-1);
        if (last !== undefined && this.#rows.get(last)!.sequence > row.sequence) sorted = false;
        this.#order.push(call);
      } else if (known.sequence !== row.sequence) sorted = false;
    }
    if (!changed) return;
    if (!sorted)
      this.#order.sort((one, other) => this.#rows.get(one)!.sequence - this.#rows.get(other)!.sequence);
    if (this.#order.length > MOST_CALLS + SPARE) this.#forget(this.#order.length - MOST_CALLS);
    if (this.#approvals.size > this.#rows.size + SPARE) this.#forgetApprovals();
    this.version++;
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Newest first. */
  rows(filters: CallFilters): readonly CallRow[] {
    const found: CallRow[] = [];
    const fits = fitting(filters);
    for (let index = this.#order.length - 1; index >= 0; index--) {
      const row = this.#rows.get(this.#order[index]!)!;
      if (fits(row)) found.push(row);
    }
    return found;
  }

  #callOf(event: Event): string | undefined {
    if (!('approval' in event) || event.type.startsWith('call-'))
      return 'call' in event ? event.call : undefined;
    if (event.approval !== undefined && event.call !== undefined)
      this.#approvals.set(event.approval, event.call);
    return event.call ?? this.#approvals.get(event.approval ?? '');
  }

  #remove(call: string): void {
    this.#rows.delete(call);
    // it has mostly come as one of the last
    this.#order.splice(this.#order.lastIndexOf(call), 1);
  }

  #forget(count: number): void {
    for (const call of this.#order.splice(0, count)) this.#rows.delete(call);
    this.forgottenBefore = this.#rows.get(this.#order[0]!)?.sequence;
  }

  #forgetApprovals(): void {
    for (const [approval, call] of this.#approvals)
      if (!this.#rows.has(call)) this.#approvals.delete(approval);
  }
}

/** The row with what this event says; the row itself where that is nothing. */
function joined(row: CallRow | undefined, event: Event): CallRow | undefined {
  switch (event.type) {
    case 'call-started':
      if (row === undefined) return { ...whatOf(event), state: 'running', startedAt: event.time };
      return { ...row, sequence: Math.min(row.sequence, event.sequence), startedAt: event.time };
    case 'call-completed':
    case 'call-failed': {
      if (row !== undefined && isOver(row)) return row;
      const text = event.type === 'call-failed' ? event.message : event.summary;
      return {
        ...(row ?? { ...whatOf(event), startedAt: startOf(event) }),
        state: endOf(event),
        ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
        ...(event.code === undefined ? {} : { code: event.code }),
        text: text ?? '',
      };
    }
    case 'call-progress':
      return row === undefined || isOver(row) ? row : { ...row, text: event.message };
    case 'approval-requested':
    case 'approval-decided':
    case 'approval-used':
    case 'approval-void': {
      if (row === undefined || isOver(row)) return row;
      const state = event.type === 'approval-requested' ? 'waiting' : 'running';
      return state === row.state ? row : { ...row, state };
    }
    default:
      return row;
  }
}

function whatOf(event: Event & CallEvent) {
  const { call, sequence, tool, operation, source, principal, access, dryRun } = event;
  return { call, sequence, tool, operation, source, principal, access, ...(dryRun ? { dryRun } : {}) };
}

function startOf({ time, durationMs = 0 }: Event & CallEvent): string {
  return new Date(Date.parse(time) - durationMs).toISOString();
}

/** A call that only asked a person has not failed: it is made again once they agreed. */
function endOf({ type, code }: CallEvent): CallState {
  if (type === 'call-completed') return 'completed';
  return code === ASKED_CODE ? 'asked' : 'failed';
}

function isOver({ state }: CallRow): boolean {
  return state !== 'running' && state !== 'waiting';
}
