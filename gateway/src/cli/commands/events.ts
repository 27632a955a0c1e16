import type { Configuration } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { EventLog, EventQuery } from '../../events/event-log.ts';
import { calledName } from '../../operations/called-name.ts';
import { EVENT_TYPES, unknownEventType } from '../../operations/event-types.ts';
import type { CallEvent, Event } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import type { Store } from '../../store/store.ts';
import { noneIn } from '../elsewhere.ts';
import { openEventStore } from '../event-store.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { stopSignal } from '../stop-signal.ts';
import { storeOf } from '../store-of.ts';
import { showTable } from '../terminal/table.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

export interface EventsOptions extends SourceOptions {
  readonly follow?: boolean;
  readonly limit?: number;
  readonly after?: number;
  readonly type?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly principal?: string;
  readonly call?: string;
  readonly run?: string;
  readonly asRun?: boolean;
  readonly webhooks?: boolean;
}

/** Events of the store, whichever process wrote them; `signal` ends `--follow`, else Ctrl-C does. */
export async function events(
  options: EventsOptions,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<number> {
  const query = queryOf(options);
  const configuration = await configured(options, terminal);
  await using opened = await openEventStore(configuration.store);
  if (options.webhooks) {
    const named = new Set(configuration.webhooks.map(({ name }) => name));
    return await showWebhooks(opened.store, named, options, terminal);
  }
  const log = opened.events;
  const found = await log.list(options.after, { ...query, limit: options.limit ?? 50 });
  const show = await printer(options, terminal);
  if (options.json && !options.follow) terminal.out(json({ events: found.map(show.shape) }));
  else for (const event of found) show.line(event);
  if (options.follow) await follow(log, found, options, show.line, signal);
  else if (found.length === 0 && !options.json) terminal.note(noneIn(configuration, options, terminal));
  return 0;
}

async function follow(
  log: EventLog,
  shown: readonly Event[],
  options: EventsOptions,
  line: (event: Event) => void,
  given: AbortSignal | undefined,
): Promise<void> {
  const { matches } = await import('../../events/event-log.ts');
  const wanted = matches(queryOf(options));
  using stop = stopSignal();
  const signal = given ?? stop.signal;
  const after = shown.at(-1)?.sequence ?? options.after;
  for await (const event of log.follow(signal, after)) if (wanted(event)) line(event);
}

function queryOf({ type, tool, source, principal, call, run }: EventsOptions): EventQuery {
  const members = Object.entries({ tool, source, principal, call, run }).filter(
    ([, value]) => value !== undefined,
  );
  const types = type?.split(',').map((one) => typeNamed(one.trim()));
  return { ...Object.fromEntries(members), ...(types === undefined ? {} : { type: types }) };
}

function typeNamed(type: string): Event['type'] {
  const unknown = unknownEventType(type);
  if (unknown === undefined) return type as Event['type'];
  throw new ToolcribError('usage', unknown, { next: `Name one of ${EVENT_TYPES.join(', ')}.` });
}

async function printer(options: EventsOptions, terminal: Terminal) {
  const { toRunEvent } = await import('../../events/run-event.ts');
  const paint = painter(terminal);
  const shape = (event: Event) => (options.asRun ? toRunEvent(event) : event);
  return {
    shape,
    line(event: Event) {
      if (options.json) return terminal.out(JSON.stringify(shape(event)));
      const { sequence, time } = event;
      const { type } = shape(event);
      const colour = /fail|void/.test(event.type) ? 'red' : 'cyan';
      terminal.out(
        `${paint('dim', `${sequence} ${time}`)} ${paint(colour, type)} ${printable(tellOf(event))}`,
      );
    },
  };
}

/** What an event says, on one line. */
function tellOf(event: Event): string {
  switch (event.type) {
    case 'call-started':
      return `${toolOf(event)} ${JSON.stringify(event.input ?? {})}`;
    case 'call-completed':
      return `${toolOf(event)} ${event.durationMs} ms, ${event.summary ?? ''}${event.artifact ? ` (artifact ${event.artifact})` : ''}`;
    case 'call-failed':
      return `${toolOf(event)} ${event.durationMs} ms, ${event.code}: ${event.message}`;
    case 'approval-requested':
    case 'approval-decided':
    case 'approval-used':
    case 'approval-void':
      return `${calledName(event.tool, event.operation)} ${event.state} ${event.approval}${event.decidedBy ? ` by ${event.decidedBy}` : ''}`;
    case 'catalog-swapped':
      return `+${event.added.length} −${event.removed.length} ~${event.changed.length}`;
    case 'dynamic_tool.compile':
    case 'dynamic_tool.reload':
    case 'dynamic_tool.call':
    case 'dynamic_tool.retry':
    case 'dynamic_tool.failed':
    case 'dynamic_tool.degraded':
      return [
        [event.skill_id, event.tool_name].filter((part) => part !== undefined).join('/'),
        `${event.status} ${event.latency_ms} ms`,
        event.attempt === undefined ? '' : `attempt ${event.attempt}`,
        event.error_code ?? '',
        event.message ?? '',
      ]
        .filter((part) => part !== '')
        .join(', ');
    default:
      return 'message' in event ? `${event.source} ${event.message}` : `${event.subject} ${event.change}`;
  }
}

/** What was only shown is not taken for done. */
function toolOf({ tool, operation, dryRun }: CallEvent): string {
  const called = calledName(tool, operation);
  return dryRun === true ? `${called} (dry run)` : called;
}

/** The store keeps what was configured once: a webhook without a name is another one when its URL changes. */
async function showWebhooks(
  store: Store,
  named: ReadonlySet<string>,
  options: EventsOptions,
  terminal: Terminal,
): Promise<number> {
  const { webhookStates } = await import('../../events/webhooks/webhook-states.ts');
  const states = await webhookStates(store);
  const webhooks = states.map((state) => ({ ...state, configured: named.has(state.name) }));
  if (options.json) terminal.out(json({ webhooks }));
  else
    showTable(
      webhooks,
      [
        ['WEBHOOK', ({ name }) => name],
        ['STATE', ({ state, configured }) => (configured ? state : 'not configured')],
        ['BEHIND', ({ behind }) => String(behind)],
        ['ATTEMPTS', ({ attempts }) => String(attempts)],
        ['SET ASIDE', ({ deadLetters }) => String(deadLetters)],
        ['LAST ERROR', ({ error }) => error],
      ],
      terminal,
    );
  return 0;
}

async function configured(
  options: SourceOptions,
  terminal: Terminal,
): Promise<Configuration & { readonly store: string }> {
  const { configuration } = await resolveConfiguration(options.spec ?? [], options, terminal, {
    listening: false,
  });
  const store = storeOf(
    configuration,
    'The configuration says store: none; events are in memory only.',
    'Ask the running gateway: GET /api/v1/events.',
  );
  return { ...configuration, store };
}
