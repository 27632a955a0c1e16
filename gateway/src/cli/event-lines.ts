import { calledName } from '../operations/called-name.ts';
import type { CallEvent, Event } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { type Paint, painter, type Terminal } from './terminal/terminal.ts';

/** An event as it comes: a line of JSON, or on a terminal a short line where it is worth one. */
export function showEvent(event: Event, options: { readonly json?: boolean }, terminal: Terminal): void {
  if (options.json) terminal.out(JSON.stringify(event));
  else if (terminal.live) {
    const line = eventLine(event, painter(terminal));
    if (line !== undefined) terminal.out(line);
  }
}

/** One short line; undefined for what is not worth one. */
function eventLine(event: Event, paint: Paint): string | undefined {
  const time = paint('dim', event.time.slice(11, 19));
  switch (event.type) {
    case 'call-completed':
    case 'call-failed':
      return `${time} ${endLine(event, paint)}`;
    case 'catalog-swapped':
      return `${time} ${paint('cyan', 'new ')} catalog: +${event.added.length} -${event.removed.length} ~${event.changed.length} tools`;
    case 'source-failed':
    case 'source-recovered':
    case 'tool-quarantined':
      return `${time} ${paint('yellow', 'note')} ${event.message}`;
    case 'dynamic_tool.reload': {
      const problem = skillProblem(event);
      return problem === undefined ? undefined : `${time} ${paint('yellow', 'note')} ${problem}`;
    }
    default:
      return undefined;
  }
}

/** How a call ended: the operation counts, whatever tool led to it. */
function endLine(
  { type, tool, operation, dryRun, code, status, durationMs }: CallEvent,
  paint: Paint,
): string {
  const called = calledName(tool, operation);
  if (type === 'call-completed')
    return `${dryRun ? 'dry ' : paint('green', 'ok  ')} ${called} ${facts(status, durationMs)}`.trimEnd();
  if (code === 'approval_required')
    return `${paint('yellow', 'ask ')} ${called} waits for a person: toolcrib approvals`;
  return `${paint('red', 'fail')} ${called} ${code ?? ''} ${facts(status, durationMs)}`.trimEnd();
}

/** What is wrong with a skill that was read again: whoever edits it looks at the terminal. */
export function skillProblem(event: Event): string | undefined {
  if (event.type !== 'dynamic_tool.reload' || event.status === 'ok') return undefined;
  return `Skill ${printable(event.skill_id, 64)}: ${printable(event.message ?? 'It could not be read.', 500)}`;
}

function facts(status: number | undefined, durationMs: number | undefined): string {
  return [
    ...(status === undefined ? [] : [`${status}`]),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs)} ms`]),
  ].join(' ');
}
