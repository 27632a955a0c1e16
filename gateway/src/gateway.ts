import { join } from 'node:path';
import { announceSwap } from './assembly/announce-swap.ts';
import { compileConfiguredSource, partOf } from './assembly/compile-configured-source.ts';
import { SELF_ORIGIN } from './assembly/connections.ts';
import { lazyEgress } from './assembly/lazy-egress.ts';
import { createLockReview } from './assembly/lock-review.ts';
import { SelfService, selfDocument } from './assembly/self-service.ts';
import { createSourceReader } from './assembly/source-reader.ts';
import { createViews } from './assembly/views.ts';
import { SourceWatch } from './assembly/watch-sources.ts';
import type { CatalogPart } from './catalog/build.ts';
import { CompileCache } from './catalog/compile-cache.ts';
import { LiveCatalog } from './catalog/live-catalog.ts';
import type { Configuration, SourceConfiguration } from './config/configuration.ts';
import type { Egress } from './egress/egress.ts';
import { createEventLog } from './events/event-log.ts';
import type { CallRequest, Change, GatewayCore, Listening } from './gateway-types.ts';
import { canonicalHash, type Diagnostic, LOCAL_PRINCIPAL } from './operations/index.ts';
import type { FunctionSource } from './sources/function/define.ts';
import type { Logger } from './telemetry/logger.ts';
import { TOPOLOGIES } from './topology/registry.ts';
import { VERSION } from './version.ts';

/** What an embedder may pass beside the configuration. */
export interface GatewayOptions {
  /** In-process functions, by source name; a name that the configuration lacks becomes a source without prefix. */
  readonly functions?: Readonly<Record<string, FunctionSource>>;
  /** Replaces the egress door; for tests. */
  readonly egress?: Egress;
  /** Where faults of the gateway itself go; default: standard error, redacted. */
  readonly logger?: Logger;
  /** Called when a large document has gone to a process of its own: the time for what else must be loaded. */
  readonly whileCompiling?: () => void;
}

/** URIs of stored outputs. */
const ARTIFACTS = 'toolcrib://artifacts/';

export interface Gateway extends GatewayCore {
  readonly configuration: Configuration;
  /** A stored full output by its id; undefined when there is none. */
  artifact(id: string): Promise<{ readonly mimeType: string; readonly bytes: Uint8Array } | undefined>;
  /** Compile, policy and lock findings of the current catalog. */
  diagnostics(): readonly Diagnostic[];
  /** Describes one source, or all, again and swaps the catalog. */
  refresh(source?: string): Promise<void>;
  /** Accepts changed definitions into the lock: one tool, or all. Names the tools accepted. */
  accept(tool?: string): Promise<readonly string[]>;
  /** MCP at /mcp, the HTTP API at /api/v1, health routes: a web-standard handler for embedding. */
  fetch(request: Request): Promise<Response>;
  listen(address?: { host?: string; port?: number }): Promise<Listening>;
  /** Serves MCP on standard input and output until the client goes away. */
  serveStdio(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Composes every room around one configuration and resolves when the catalog is there. Rejects with
 * ToolcribError when no source at all could be read; a single failing source costs only its own tools.
 */
export async function createGateway(
  configuration: Configuration,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const events = createEventLog();
  const { announce, onChange } = changeNotices();
  const functions = once(async () => {
    const { createFunctionRegistry } = await import('./sources/function/registry.ts');
    return createFunctionRegistry(options.functions ?? {}, announce);
  });
  const self = new SelfService();
  const egress =
    options.egress ??
    lazyEgress({
      allow: configuration.egress.allow,
      local: { [SELF_ORIGIN]: (request, outgoing) => self.exchange(request, outgoing.context) },
    });
  const sources = withFunctions(configuration.sources, options.functions ?? {});
  const watch = new SourceWatch((source) => void catalog.refresh(source).catch(() => undefined));
  const cache = configuration.cache
    ? new CompileCache(join(configuration.stateDirectory, 'cache'))
    : undefined;
  const compile = sourceCompiler(configuration, options, sources, egress, watch, cache);
  const lock = createLockReview(configuration.lock, (event) => events.append(event));
  const catalog = new LiveCatalog({
    sources: Object.keys(sources),
    context: contextOf(configuration, sources),
    compile,
    review: lock.review,
    record: (event) => events.append(event),
    changed: (changes, swapped) => announceSwap(changes, swapped, (event) => events.append(event), announce),
  });
  const onion = once(async () => {
    const { assembleOnion } = await import('./assembly/onion.ts');
    return assembleOnion({
      configuration,
      catalog,
      egress,
      functions: await functions(),
      record: (event) => events.append(event),
      ...(options.logger === undefined ? {} : { logger: options.logger }),
    });
  });
  const topology = TOPOLOGIES[configuration.topology]!;
  const views = createViews(topology);
  let server: ReturnType<typeof startServer> | undefined;
  const startServer = async () => {
    const { createHttpServer } = await import('./server/http/index.ts');
    return createHttpServer(gateway, configuration.server, {
      onError: (error) => options.logger?.error({ err: error }, 'A fault that no client sees.'),
    });
  };
  const httpServer = () => {
    server ??= startServer();
    return server;
  };

  const gateway: Gateway = {
    name: configuration.name,
    version: VERSION,
    configuration,
    view: (principal = LOCAL_PRINCIPAL) => views(catalog.current, principal),
    call: async (request) => (await onion()).router.call(request),
    async readResource(uri, request) {
      if (!uri.startsWith(ARTIFACTS)) return (await functions()).readResource(uri, functionRequest(request));
      const { readArtifact } = await import('./assembly/read-artifact.ts');
      return readArtifact(uri, (await onion()).artifacts);
    },
    artifact: async (id) => (await onion()).artifacts.get(id),
    getPrompt: async (name, args, request) =>
      (await functions()).getPrompt(name, args, functionRequest(request)),
    complete: async (reference, argument, value) => (await functions()).complete(reference, argument, value),
    onChange,
    onEvent: (listener) => events.subscribe(listener),
    events: (after) => events.list(after),
    diagnostics: () => catalog.current.diagnostics,
    refresh: (source) => catalog.refresh(source),
    async accept(tool) {
      const accepted = await lock.accept(catalog.current, tool);
      await catalog.review();
      return accepted;
    },
    fetch: async (request) => (await httpServer()).fetch(request),
    listen: async (address) => (await httpServer()).listen(address),
    async serveStdio() {
      const { serveStdio } = await import('./server/mcp/stdio.ts');
      await serveStdio(gateway);
    },
    async close() {
      watch.close();
      await (await server)?.close();
      await catalog.close();
      await cache?.settled();
      await egress.close();
    },
  };
  self.connect(httpServer);
  try {
    await catalog.start();
  } catch (error) {
    await gateway.close();
    throw error;
  }
  return gateway;
}

/** Everything but the documents that decides what the tools look like. */
function contextOf(
  { output, schemaProfile }: Configuration,
  sources: Readonly<Record<string, SourceConfiguration>>,
): string {
  const shaping = Object.entries(sources).map(([name, { prefix, access, include, exclude }]) => ({
    name,
    prefix,
    access,
    include,
    exclude,
  }));
  return canonicalHash({ version: VERSION, output, schemaProfile, shaping });
}

/** Reads and compiles one configured source, from the cache where it can. */
function sourceCompiler(
  configuration: Configuration,
  options: GatewayOptions,
  sources: Readonly<Record<string, SourceConfiguration>>,
  egress: Egress,
  watch: SourceWatch,
  cache: CompileCache | undefined,
): (name: string, signal: AbortSignal) => Promise<CatalogPart> {
  const { baseDirectory, output, schemaProfile } = configuration;
  const reader = createSourceReader(egress, selfDocument);
  return async (name, signal) => {
    const source = sources[name]!;
    const { credentials: _credentials, headers: _headers, ...settings } = source;
    const { compiled, inputs } = await compileConfiguredSource({
      key: { version: VERSION, name, source: settings, output, schemaProfile, baseDirectory },
      describe: async (recording) => {
        const { describeFunctionSource, describeSource } = await import('./sources/registry.ts');
        return source.kind === 'function'
          ? describeFunctionSource(name, options.functions?.[name])
          : describeSource(source.kind, source.settings, { name, baseDirectory, reader: recording, signal });
      },
      reader,
      allow: configuration.egress.allow,
      signal,
      ...(cache === undefined ? {} : { cache }),
      ...(options.whileCompiling === undefined ? {} : { whileCompiling: options.whileCompiling }),
    });
    if (configuration.watch) watch.follow(name, inputs);
    return partOf(compiled, source);
  };
}

function withFunctions(
  sources: Configuration['sources'],
  functions: Readonly<Record<string, FunctionSource>>,
): Readonly<Record<string, SourceConfiguration>> {
  const added = Object.keys(functions).filter((name) => !Object.hasOwn(sources, name));
  const plain: SourceConfiguration = {
    kind: 'function',
    settings: {},
    prefix: 'none',
    access: [],
    include: [],
    exclude: [],
  };
  return { ...sources, ...Object.fromEntries(added.map((name) => [name, plain])) };
}

/** Made by the first caller, shared by all. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function changeNotices() {
  const listeners = new Set<(change: Change) => void>();
  return {
    announce(change: Change): void {
      for (const listener of listeners) listener(change);
    },
    onChange(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function functionRequest({ signal, channel }: Omit<CallRequest, 'tool' | 'arguments'>) {
  return {
    id: crypto.randomUUID().replaceAll('-', ''),
    signal: signal ?? new AbortController().signal,
    channel: channel ?? {},
  };
}
