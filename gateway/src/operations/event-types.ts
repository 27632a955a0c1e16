import type { Event } from './event.ts';
import { didYouMean } from './text/nearest-name.ts';

const TYPES: Readonly<Record<Event['type'], true>> = {
  'call-started': true,
  'call-completed': true,
  'call-failed': true,
  'call-progress': true,
  'approval-requested': true,
  'approval-decided': true,
  'approval-used': true,
  'approval-void': true,
  'catalog-swapped': true,
  'tool-quarantined': true,
  'source-added': true,
  'source-changed': true,
  'source-removed': true,
  'source-failed': true,
  'source-recovered': true,
  'upstream-started': true,
  'upstream-stopped': true,
  'upstream-failed': true,
  'upstream-unasked': true,
  'organisation-changed': true,
  'user-changed': true,
  'key-changed': true,
  'access-changed': true,
  'connection-changed': true,
  'feature-changed': true,
  'session-opened': true,
  'session-closed': true,
  'dynamic_tool.compile': true,
  'dynamic_tool.reload': true,
  'dynamic_tool.call': true,
  'dynamic_tool.retry': true,
  'dynamic_tool.failed': true,
  'dynamic_tool.degraded': true,
};

/** Every type that an event can have. */
export const EVENT_TYPES = Object.keys(TYPES) as readonly Event['type'][];

/** What is wrong with this type: nothing would ever be found by it. Undefined for one that there is. */
export function unknownEventType(type: string): string | undefined {
  if (Object.hasOwn(TYPES, type)) return undefined;
  return `There is no event type "${type}".${didYouMean(type, EVENT_TYPES)}`;
}
