import type { CompileProcess } from '../../assembly/compiling/run-compile-process.ts';
import { requireTokenBeyondLoopback } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { LOCAL_PRINCIPAL } from '../../operations/index.ts';
import { narrowedTo } from '../../operations/narrowed-principal.ts';
import { openGateway } from '../open-gateway.ts';
import {
  checkNarrowing,
  narrowedAddress,
  narrowingOf,
  narrowingWords,
} from '../options/narrowing-options.ts';
import { settingsOfSources } from '../options/source-options.ts';
import {
  noteLaterProblems,
  noteProblems,
  overridesOf,
  type ServeOptions,
  showEventsUntil,
} from '../serving.ts';
import { aborted, type StopSignal, stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  if (options.stdio && options.remote === undefined && listeningOptions(options).length > 0) {
    throw new ToolcribError(
      'usage',
      'With --stdio nothing listens: leave out --port, --host and --token, or --stdio for a server over HTTP.',
    );
  }
  if (options.key !== undefined && options.remote === undefined) {
    throw new ToolcribError('usage', '--key is for a team gateway: name it with --remote.');
  }
  if (!options.stdio && narrowingWords(options).length > 0) {
    throw new ToolcribError(
      'usage',
      'Over HTTP each client says in its address what it wants no more of, such as /mcp?source=github&maxAccess=read: leave out --source and --max-access, or add --stdio.',
    );
  }
  using stop = stopSignal(options.remote === undefined);
  if (options.remote !== undefined) {
    const { remote, key, allowPrivate } = relayOptions(documents, options, options.remote);
    const { serveRemote } = await import('../remote/serve-remote.ts');
    return await serveRemote(
      {
        remote: narrowedAddress(remote, options),
        ...(key && { key }),
        ...(allowPrivate && { allowPrivate }),
      },
      terminal,
      stop.signal,
    );
  }
  if (options.stdio) return await serveStdio(documents, options, terminal, stop, compileProcess);
  const opened = await openGateway(documents, options, terminal, overridesOf(options));
  stop.started();
  const { gateway } = opened;
  try {
    noteProblems(gateway, terminal);
    // In a team keys and sign-in tokens are what lets callers in.
    if (gateway.configuration.auth.mode === 'local') requireTokenBeyondLoopback(gateway.configuration.server);
    const listening = await gateway.listen(gateway.configuration.server);
    // events open the store, which says by itself where it cannot be
    if (!terminal.live || options.json) noteLaterProblems(gateway, terminal);
    const { greet } = await import('../greeting.ts');
    const moved = options.port !== undefined;
    greet({ opened, url: listening.url, moved, documents, options }, terminal);
    await showEventsUntil(stop.signal, gateway, options, terminal);
    return 0;
  } finally {
    await gateway.close();
    terminal.leave?.();
  }
}

/** What was said of where to listen. */
function listeningOptions({ port, host, token }: ServeOptions): unknown[] {
  return [port, host, token].filter((given) => given !== undefined);
}

/** A relay has no sources of its own: options about them would be lost without a word. */
function relayOptions(documents: readonly string[], options: ServeOptions, remote: string) {
  const { key, allowPrivate } = options;
  const lost = [...documents, ...settingsOfSources(options), ...listeningOptions(options)];
  if (lost.length > 0) {
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
  stop: StopSignal,
  compileProcess: CompileProcess | undefined,
): Promise<number> {
  // a client has no terminal: a person typed this and would wait for nothing
  if (terminal.interactive) {
    const http = options.azure === undefined ? 'leave out `--stdio`' : 'add `--port 8787`';
    terminal.note(`Speaks MCP on standard input and output, for a client that starts it. For HTTP, ${http}.`);
  }
  const end = new AbortController();
  const signal = AbortSignal.any([stop.signal, end.signal]);
  const principal = narrowedTo(LOCAL_PRINCIPAL, narrowingOf(options));
  let serving: Promise<void> | undefined;
  const served = async (gateway: Gateway, ready?: Promise<void>): Promise<void> => {
    checkNarrowing(options, Object.keys(gateway.configuration.sources));
    await gateway.serveStdio({ principal, signal, ...(ready === undefined ? {} : { ready }) });
  };
  const begin = (gateway: Gateway, ready?: Promise<void>): Promise<void> => {
    serving ??= served(gateway, ready);
    serving.catch(() => undefined);
    return serving;
  };
  try {
    const { gateway } = await openGateway(documents, options, terminal, overridesOf(options), {
      whileStarting: (starting, listable) => void begin(starting, listable),
      ...(compileProcess === undefined ? {} : { compileProcess }),
    });
    stop.started();
    // where the cache served after all
    compileProcess?.release();
    try {
      noteProblems(gateway, terminal);
      await Promise.race([begin(gateway), aborted(stop.signal)]);
      return 0;
    } finally {
      await gateway.close();
    }
  } finally {
    end.abort();
    terminal.leave?.();
  }
}
