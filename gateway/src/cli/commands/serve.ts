import type { CompileProcess } from '../../assembly/run-compile-process.ts';
import type { ConfigurationOverrides } from '../../config/index.ts';
import { type Configuration, requireTokenBeyondLoopback } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { Diagnostic, Event, SecretReference } from '../../operations/index.ts';
import { invocation, shellLine, sourceWords } from '../command-line.ts';
import { exampleCall } from '../example-call.ts';
import { type OpenedGateway, openGateway } from '../open-gateway.ts';
import { QUICKSTART_CALL } from '../quickstart.ts';
import { type SourceOptions, settingsOfSources } from '../source-options.ts';
import { aborted, stopSignal } from '../stop-signal.ts';
import { json, type Paint, painter, type Terminal } from '../terminal.ts';

export interface ServeOptions extends SourceOptions {
  readonly stdio?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly token?: SecretReference;
  /** Relays this team gateway instead of serving sources. */
  readonly remote?: string;
  readonly key?: SecretReference;
  readonly watch: boolean;
}

/**
 * Serves until the client goes away (stdio) or a signal asks to stop (HTTP); running calls may finish.
 * `compileProcess` was started ahead, for a server on standard input and output.
 */
export async function serve(
  documents: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
  compileProcess?: CompileProcess,
): Promise<number> {
  if (options.stdio && documents.includes('-')) {
    throw new ToolcribError(
      'usage',
      'With --stdio, standard input belongs to MCP; a document cannot come from it.',
    );
  }
  if (options.key !== undefined && options.remote === undefined) {
    throw new ToolcribError('usage', '--key is for a team gateway: name it with --remote.');
  }
  using stop = stopSignal();
  if (options.remote !== undefined) {
    const { remote, key, allowPrivate } = relayOptions(documents, options, options.remote);
    const { serveRemote } = await import('../remote/serve-remote.ts');
    return await serveRemote(
      { remote, ...(key && { key }), ...(allowPrivate && { allowPrivate }) },
      terminal,
      stop.signal,
    );
  }
  if (options.stdio) return await serveStdio(documents, options, terminal, stop.signal, compileProcess);
  const opened = await openGateway(documents, options, terminal, overridesOf(options));
  const { gateway } = opened;
  try {
    noteProblems(gateway.diagnostics(), terminal);
    // In a team keys and sign-in tokens are what lets callers in.
    if (gateway.configuration.auth.mode === 'local') requireTokenBeyondLoopback(gateway.configuration.server);
    const listening = await gateway.listen(gateway.configuration.server);
    greet(listening.url, opened, documents, options, terminal);
    const unsubscribe = gateway.onEvent((event) => showEvent(event, options, terminal));
    await aborted(stop.signal);
    unsubscribe();
    if (terminal.live && !options.json) terminal.note('Stopping; running calls may finish.');
    await listening.close();
    return 0;
  } finally {
    await gateway.close();
  }
}

/** A relay has no sources of its own: options about them would be lost without a word. */
function relayOptions(documents: readonly string[], options: ServeOptions, remote: string) {
  const { key, allowPrivate, port, host, token } = options;
  const lost = [...settingsOfSources(options), ...[port, host, token].filter((given) => given !== undefined)];
  if (documents.length > 0 || lost.length > 0) {
    throw new ToolcribError(
      'usage',
      'With --remote nothing is served from here: leave out documents and every option but --stdio, --key and --allow-private.',
    );
  }
  if (!options.stdio)
    throw new ToolcribError(
      'usage',
      'With --remote, add --stdio: the relay is for a client on this machine.',
    );
  return { remote, key, allowPrivate };
}

/** Loads the MCP library and shakes hands while a large source is read or compiled elsewhere. */
async function serveStdio(
  documents: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
  stop: AbortSignal,
  compileProcess: CompileProcess | undefined,
): Promise<number> {
  // a client has no terminal: a person typed this and would wait for nothing
  if (terminal.interactive) {
    const http = options.azure === undefined ? 'leave out `--stdio`' : 'add `--port 8787`';
    terminal.note(`Speaks MCP on standard input and output, for a client that starts it. For HTTP, ${http}.`);
  }
  const end = new AbortController();
  const signal = AbortSignal.any([stop, end.signal]);
  let serving: Promise<void> | undefined;
  const begin = (gateway: Gateway, ready?: Promise<void>): Promise<void> => {
    serving ??= gateway.serveStdio({ signal, ...(ready === undefined ? {} : { ready }) });
    serving.catch(() => undefined);
    return serving;
  };
  try {
    const { gateway } = await openGateway(documents, options, terminal, overridesOf(options), {
      whileStarting: (starting, listable) => void begin(starting, listable),
      ...(compileProcess === undefined ? {} : { compileProcess }),
    });
    // where the cache served after all
    compileProcess?.release();
    try {
      noteProblems(gateway.diagnostics(), terminal);
      await Promise.race([begin(gateway), aborted(stop)]);
      return 0;
    } finally {
      await gateway.close();
    }
  } finally {
    end.abort();
  }
}

function overridesOf({ stdio, host, port, token, watch }: ServeOptions): ConfigurationOverrides {
  return {
    ...(stdio ? { listening: false } : {}),
    ...(watch ? {} : { watch }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
  };
}

/** Standard output belongs to MCP in stdio mode, so what is wrong always goes to standard error. */
function noteProblems(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const { code, message, pointer, location } of errors.slice(0, 5)) {
    const place = [location, pointer].filter((part) => part !== undefined).join(' ');
    terminal.note(`${code}: ${message}${place === '' ? '' : ` (${place})`}`);
  }
  if (errors.length > 5) terminal.note(`… and ${errors.length - 5} more; \`toolcrib compile\` shows all.`);
}

function greet(
  url: string,
  { gateway, origin }: OpenedGateway,
  documents: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
): void {
  const { server, auth } = gateway.configuration;
  const reachable = reachableAddress(url);
  const mcp = new URL('/mcp', reachable).href;
  const entry = clientEntry(gateway.configuration, mcp);
  const { tools, catalog, topologies = [] } = gateway.view();
  const words = exampleOf(origin, tools);
  const call =
    words && shellLine([...invocation(terminal), 'call', ...sourceWords(documents, options), ...words]);
  const withKey = `curl -H "Authorization: Bearer $TOOLCRIB_API_KEY" ${new URL('/api/v1/tools', reachable)}`;
  const attempt = auth.mode === 'team' ? withKey : call;
  if (options.json) {
    terminal.out(
      JSON.stringify({ type: 'listening', url, mcp, tools: tools.length, client: entry, try: attempt }),
    );
    return;
  }
  const paint = painter(terminal);
  const sources = catalog.sources.map(({ name, operations }) => `${name} ${operations}`).join(', ');
  const shapes = [...new Set(topologies.map(({ took }) => took))].filter((one) => one !== 'flat');
  const over = `${catalog.entries.length} operations (${sources})`;
  const what = shapes.length === 0 ? `tools (${sources})` : `tools (${shapes.join(', ')}) for ${over}`;
  terminal.out(`${paint('bold', `${gateway.name} ${gateway.version}`)} serves ${tools.length} ${what}`);
  terminal.out('');
  terminal.out(`  MCP       ${paint('cyan', mcp)}`);
  terminal.out(`  HTTP API  ${new URL('/api/v1/openapi.json', reachable).href}`);
  if (auth.mode === 'team')
    terminal.out(
      '  Callers send `Authorization: Bearer` with an API key; `toolcrib admin bootstrap` makes the first, `admin key add` more.',
    );
  else if (server.token !== undefined)
    terminal.out('  Callers send `Authorization: Bearer` with the token you set.');
  terminal.out('');
  const writes = origin === 'azure' ? '' : ' (or let `toolcrib connect CLIENT` write it)';
  terminal.out(`Entry for an MCP client${writes}:`);
  terminal.out(indent(json(entry)));
  if (attempt !== undefined) {
    terminal.out('');
    terminal.out('Try a call:');
    terminal.out(`  ${attempt}`);
  }
  if (terminal.live) terminal.out('\nStop with Ctrl-C. Events:');
}

/** Undefined where no other command leads to the same sources, or there is nothing harmless to call. */
function exampleOf(origin: OpenedGateway['origin'], tools: Parameters<typeof exampleCall>[0]) {
  if (origin === 'azure') return undefined;
  return origin === 'quickstart' ? QUICKSTART_CALL.split(' ') : exampleCall(tools);
}

/** An address of all interfaces is none to connect to: from this machine it is localhost. */
function reachableAddress(url: string): string {
  const address = new URL(url);
  if (['0.0.0.0', '[::]'].includes(address.hostname)) address.hostname = 'localhost';
  return address.href;
}

/** The token itself stays out: the reader puts it where the placeholder stands. */
function clientEntry({ name, server, auth }: Configuration, url: string): object {
  const open = server.token === undefined && auth.mode === 'local';
  const headers = open ? {} : { headers: { Authorization: 'Bearer <token>' } };
  return { mcpServers: { [name]: { type: 'http', url, ...headers } } };
}

function showEvent(event: Event, options: ServeOptions, terminal: Terminal): void {
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
      return `${time} ${paint('green', 'ok  ')} ${event.tool} ${facts(event.status, event.durationMs)}`.trimEnd();
    case 'call-failed':
      return `${time} ${paint('red', 'fail')} ${event.tool} ${event.code ?? ''} ${facts(event.status, event.durationMs)}`.trimEnd();
    case 'catalog-swapped':
      return `${time} ${paint('cyan', 'new ')} catalog: +${event.added.length} -${event.removed.length} ~${event.changed.length} tools`;
    case 'source-failed':
    case 'source-recovered':
    case 'tool-quarantined':
      return `${time} ${paint('yellow', 'note')} ${event.message}`;
    default:
      return undefined;
  }
}

function facts(status: number | undefined, durationMs: number | undefined): string {
  return [
    ...(status === undefined ? [] : [`${status}`]),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs)} ms`]),
  ].join(' ');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
