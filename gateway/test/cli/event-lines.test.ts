import { expect, it } from 'vitest';
import { showEvent } from '../../src/cli/event-lines.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { Event } from '../../src/operations/index.ts';

function lineOf(event: object): string | undefined {
  const lines: string[] = [];
  const terminal = {
    live: true,
    colour: false,
    out: (line: string) => void lines.push(line),
  } as unknown as Terminal;
  showEvent({ time: '2026-11-29T12:18:33.412Z', ...event } as Event, {}, terminal);
  return lines[0];
}

it.each([
  [
    { type: 'call-completed', status: 200, durationMs: 12.4 },
    '12:18:33 ok   getPet (by call_endpoint) 200 12 ms',
  ],
  [{ type: 'call-completed', dryRun: true }, '12:18:33 dry  getPet (by call_endpoint)'],
  [{ type: 'call-failed', code: 'timeout' }, '12:18:33 fail getPet (by call_endpoint) timeout'],
  [
    { type: 'call-failed', code: 'approval_required' },
    '12:18:33 ask  getPet (by call_endpoint) waits for a person: toolcrib approvals',
  ],
  [{ type: 'call-started' }, undefined],
])('says which operation a tool for several came to: %j', (event, line) => {
  expect(lineOf({ tool: 'call_endpoint', operation: 'getPet', ...event })).toBe(line);
});

it('says the tool where it leads to one alone', () => {
  expect(lineOf({ type: 'call-completed', tool: 'pets_get_pet', operation: 'getPet' })).toBe(
    '12:18:33 ok   pets_get_pet',
  );
});
