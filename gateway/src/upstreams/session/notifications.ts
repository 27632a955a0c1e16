import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type JsonObject, type LogLevel } from '../../operations/index.ts';
import type { OpenedPages } from '../opened-pages.ts';
import type { UpstreamChange } from '../upstreams.ts';
import type { CallsInFlight } from './calls-in-flight.ts';

export interface NotificationListeners {
  onChange(change: UpstreamChange): void;
  readonly pages: Pick<OpenedPages, 'done'>;
}

/** Log messages go to whom they may concern, changes to the listeners; false for every other message. */
export function takeNotification(
  message: JSONRPCMessage,
  calls: CallsInFlight,
  { onChange, pages }: NotificationListeners,
): boolean {
  if (!('method' in message) || 'id' in message) return false;
  switch (message.method) {
    case 'notifications/message':
      tellLog(isObject(message.params) ? message.params : {}, calls);
      return true;
    case 'notifications/tools/list_changed':
      onChange('tools');
      return true;
    case 'notifications/resources/list_changed':
      onChange('resources');
      return true;
    case 'notifications/prompts/list_changed':
      onChange('prompts');
      return true;
    case 'notifications/resources/updated': {
      const uri = message.params?.['uri'];
      if (typeof uri === 'string') onChange({ resource: uri });
      return true;
    }
    case 'notifications/elicitation/complete':
      pages.done(message.params?.['elicitationId']);
      return true;
    default:
      return false;
  }
}

const LEVELS: ReadonlySet<unknown> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

function tellLog(params: JsonObject, calls: CallsInFlight): void {
  const { level, data = null, logger } = params;
  if (!LEVELS.has(level)) return;
  for (const { channel } of calls.audience())
    channel
      .log?.(level as LogLevel, data, typeof logger === 'string' ? logger : undefined)
      .catch(() => undefined);
}
