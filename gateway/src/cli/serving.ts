import type { Catalog } from '../catalog/catalog.ts';
import type { ConfigurationOverrides } from '../config/index.ts';
import { leavesOpen } from '../doctor/idle-settings.ts';
import { withoutSchemes } from '../doctor/unused-credentials.ts';
import type { Gateway } from '../gateway.ts';
import type { PlainReference } from '../operations/index.ts';
import { diagnosticPlace } from './diagnostic-place.ts';
import { showEvent, skillProblem } from './event-lines.ts';
import type { NarrowingOptions } from './options/narrowing-options.ts';
import type { SourceOptions } from './options/source-options.ts';
import { aborted } from './stop-signal.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ServeOptions extends SourceOptions, NarrowingOptions {
  readonly stdio?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly token?: PlainReference;
  /** Relays this team gateway instead of serving sources. */
  readonly remote?: string;
  readonly key?: PlainReference;
  readonly watch: boolean;
}

/**
 * Shows what happens, line by line, until it is asked to stop or whoever reads has gone. Open calls finish in both
 * cases, and lines that find no room on a disk end nothing.
 */
export async function showEventsUntil(
  stop: AbortSignal,
  gateway: Gateway,
  options: Pick<ServeOptions, 'json'>,
  terminal: Terminal,
): Promise<void> {
  const live = terminal.live && !options.json;
  if (live) terminal.out('\nStop with Ctrl-C. Events:');
  const unread = new AbortController();
  let isTold = false;
  terminal.whenLost?.(({ code, message }) => {
    if (code === 'EPIPE') unread.abort();
    else if (!isTold) terminal.note(`Standard output cannot be written: ${message}. Events are not shown.`);
    isTold = true;
  });
  const unsubscribe = gateway.onEvent((event) => {
    if (terminal.isUnread?.() !== true) showEvent(event, options, terminal);
  });
  await aborted(AbortSignal.any([stop, unread.signal]));
  unsubscribe();
  if (live) terminal.note('Stopping; running calls may finish.');
}

export function overridesOf({ stdio, host, port, token, watch }: ServeOptions): ConfigurationOverrides {
  return {
    ...(stdio ? { listening: false } : {}),
    ...(watch ? {} : { watch }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
  };
}

/**
 * Standard output belongs to MCP in stdio mode, so what is wrong always goes to standard error. Where nothing became a
 * tool, warnings say why. Calls that lead nowhere are no error of a source, which has its tools. Nor are credentials that
 * go nowhere: its calls would be refused, and say so. Of a rule that excludes nothing no call would tell.
 */
export function noteProblems(gateway: Gateway, terminal: Terminal): void {
  const { catalog, topologies = [] } = gateway.view();
  const isEmpty = catalog.entries.length === 0;
  const errors = gateway
    .diagnostics()
    .filter(
      (diagnostic) =>
        diagnostic.severity === 'error' ||
        diagnostic.code === 'server-unusable' ||
        leavesOpen(diagnostic) ||
        (isEmpty && diagnostic.severity === 'warning'),
    );
  const isOneOfSeveral = Object.keys(gateway.configuration.sources).length > 1;
  for (const error of errors.slice(0, 5)) {
    const { code, message, next } = error;
    const place = diagnosticPlace(error, isOneOfSeveral);
    terminal.note(`${code}: ${message}${place === '' ? '' : ` (${place})`}`);
    if (next !== undefined) terminal.note(`  next: ${next}`);
  }
  if (errors.length > 5) terminal.note(`… and ${errors.length - 5} more; \`toolcrib compile\` shows all.`);
  for (const source of withoutSchemes(catalog)) {
    terminal.note(
      `credentials-unused: The credentials of ${source} are never sent: its document describes no way to. \`toolcrib doctor\` says what to add.`,
    );
  }
  for (const { warning } of topologies) if (warning !== undefined) terminal.note(`topology: ${warning}`);
  noteWithheld(catalog, terminal);
}

/** What a client misses without a word: its list has no tools that are withheld. */
function noteWithheld(catalog: Catalog, terminal: Terminal): void {
  const withheld = catalog.entries.filter(({ quarantined }) => quarantined).map(({ name }) => name);
  if (withheld.length === 0) return;
  const named = withheld.slice(0, MOST_NAMED).join(', ');
  const more = withheld.length > MOST_NAMED ? ` and ${withheld.length - MOST_NAMED} more` : '';
  terminal.note(
    `tool-quarantined: Withheld until somebody accepts the changed definition: ${named}${more}. \`toolcrib compile\` shows what changed, \`toolcrib compile --accept\` accepts it.`,
  );
}

const MOST_NAMED = 5;
const LATER: ReadonlySet<string> = new Set(['source-failed', 'source-recovered', 'tool-quarantined']);

/**
 * What becomes of sources from now on, on standard error; a terminal has it among its events. What failed at the start
 * is noted already, and its event comes when the store is open.
 */
export function noteLaterProblems(
  gateway: Pick<Gateway, 'diagnostics' | 'onEvent'>,
  terminal: Terminal,
): void {
  const noted = new Set(
    gateway
      .diagnostics()
      .filter(({ code }) => code === 'source-failed')
      .map(({ message }) => message),
  );
  gateway.onEvent((event) => {
    const skill = skillProblem(event);
    if (skill !== undefined) terminal.note(`${event.type}: ${skill}`);
    if (!LATER.has(event.type) || !('message' in event)) return;
    if (event.type === 'source-recovered') noted.clear();
    if (!noted.delete(event.message)) terminal.note(`${event.type}: ${event.message}`);
  });
}
