import { describe, expect, expectTypeOf, it } from 'vitest';
import { type RunEvent, toRunEvent } from '../../src/events/run-event.ts';
import type { Event, EventBody } from '../../src/operations/index.ts';
import { callEnded, callStarted } from '../store/support/records.ts';

const AT = { sequence: 7, time: '2026-01-02T03:04:05.006Z' };
const at = (body: EventBody): Event => ({ ...body, ...AT });

describe('run events', () => {
  it.each<[EventBody, Omit<RunEvent, 'sequence' | 'time'> & Record<string, unknown>]>([
    [
      callStarted('c1', { input: { id: 1 }, run: 'r1' }),
      {
        type: 'TOOL_CALL_STARTED',
        correlation_id: 'c1',
        run_id: 'r1',
        tool_name: 'greenhouse_list_candidates',
        input: { id: 1 },
      },
    ],
    [
      callEnded('c1', { summary: 'array of 25', artifact: 'a1' }),
      {
        type: 'TOOL_CALL_COMPLETED',
        correlation_id: 'c1',
        tool_name: 'greenhouse_list_candidates',
        summary: 'array of 25',
        output_artifact_id: 'a1',
        duration_ms: 12.5,
      },
    ],
    [
      callEnded('c1', { type: 'call-failed', code: 'upstream_status', message: 'GET / answered 500.' }),
      {
        type: 'TOOL_CALL_FAILED',
        correlation_id: 'c1',
        tool_name: 'greenhouse_list_candidates',
        error_code: 'upstream_status',
        error_message: 'GET / answered 500.',
        duration_ms: 12.5,
      },
    ],
    [
      {
        type: 'call-progress',
        call: 'c1',
        principal: 'ann',
        tool: 't',
        source: 's',
        message: 'Reading page 2',
      },
      { type: 'SUBAGENT_ACTION', correlation_id: 'c1', tool_name: 't', text: 'Reading page 2' },
    ],
    [
      {
        type: 'approval-decided',
        approval: 'p1',
        principal: 'ann',
        tool: 't',
        source: 's',
        operation: 'o',
        state: 'approved',
        decidedBy: 'bob',
        channel: 'cli',
        call: 'c1',
      },
      {
        type: 'APPROVAL_DECIDED',
        approval_id: 'p1',
        tool_name: 't',
        state: 'approved',
        correlation_id: 'c1',
        decided_by: 'bob',
        channel: 'cli',
      },
    ],
    [
      {
        type: 'approval-void',
        approval: 'p1',
        principal: 'ann',
        tool: 't',
        source: 's',
        operation: 'o',
        state: 'stale',
        message: 'Void: its definition changed.',
      },
      {
        type: 'APPROVAL_VOID',
        approval_id: 'p1',
        tool_name: 't',
        state: 'stale',
        message: 'Void: its definition changed.',
      },
    ],
    [
      {
        type: 'dynamic_tool.call',
        source: 's',
        skill_id: 'k',
        latency_ms: 1,
        status: 'ok',
        call: 'c1',
        run: 'r1',
        principal: 'ann',
        organisation: 'acme',
      },
      {
        type: 'dynamic_tool.call',
        source: 's',
        skill_id: 'k',
        latency_ms: 1,
        status: 'ok',
        correlation_id: 'c1',
        run_id: 'r1',
      },
    ],
    [
      { type: 'tool-quarantined', source: 's', tool: 't', message: 'Its description changed.' },
      { type: 'TOOL_QUARANTINED', source: 's', tool_name: 't', message: 'Its description changed.' },
    ],
    [
      { type: 'session-closed', organisation: 'acme', principal: 'ann', subject: 's', change: 'signed out' },
      { type: 'SESSION_CLOSED', organisation: 'acme', subject: 's', change: 'signed out' },
    ],
    [
      { type: 'source-changed', source: 's', message: '12 tools' },
      { type: 'SOURCE_CHANGED', source: 's', message: '12 tools' },
    ],
    [
      { type: 'upstream-failed', source: 's', message: 'It exited.', retryInMs: 100 },
      { type: 'UPSTREAM_FAILED', source: 's', message: 'It exited.' },
    ],
    [
      { type: 'connection-changed', organisation: 'acme', principal: 'ann', subject: 'c', change: 'created' },
      { type: 'CONNECTION_CHANGED', organisation: 'acme', subject: 'c', change: 'created' },
    ],
    [
      { type: 'catalog-swapped', catalog: 'h', sources: ['s'], added: ['a'], removed: [], changed: [] },
      { type: 'CATALOG_SWAPPED', catalog: 'h', added: ['a'], removed: [], changed: [] },
    ],
  ])('%o', (body, expected) => {
    expect(toRunEvent(at(body))).toEqual({ ...AT, ...expected });
  });

  it('say all that their type has, also where the event does not', () => {
    const { durationMs: _, ...ended } = callEnded('c1');
    expect(toRunEvent(at(callStarted('c1')))).toHaveProperty('input', {});
    expect(toRunEvent(at(ended))).toMatchObject({ summary: '', duration_ms: 0 });
    expect(toRunEvent(at({ ...ended, type: 'call-failed' }))).toMatchObject({
      error_code: 'internal',
      error_message: '',
      duration_ms: 0,
    });
  });

  it('are told apart by their type', () => {
    const event = toRunEvent(at(callEnded('c1')));
    if (event.type === 'TOOL_CALL_COMPLETED') expectTypeOf(event.duration_ms).toEqualTypeOf<number>();
    expect(event.type).toBe('TOOL_CALL_COMPLETED');
  });
});
