import type { CatalogPart } from '../../catalog/build.ts';
import type { CompileCache, CompileInput } from '../../catalog/compile-cache.ts';
import type { CompiledSource } from '../../compiler/compiled-source.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import type { HintReader } from '../../hints/index.ts';
import { canonicalHash, type JsonObject } from '../../operations/index.ts';
import { programStamp } from '../../program-stamp.ts';
import type { FunctionSource } from '../../sources/function/define.ts';
import { settingsOfSource } from '../../sources/openapi/source-settings.ts';
import { refreshIntervalOf } from '../../sources/refresh-interval.ts';
import type { SourceKind } from '../../sources/source-kind.ts';
import { OWN_TOOL_NAMES } from '../../topology/own-names.ts';
import { VERSION } from '../../version.ts';
import type { ConnectorRooms } from '../connectors/connector-rooms.ts';
import { selfDocument } from '../self-service.ts';
import type { SkillRooms } from '../skills/skill-rooms.ts';
import type { UpstreamRoom } from '../upstreams/upstream-room.ts';
import { compileConfiguredSource, partOf } from './compile-configured-source.ts';
import { type CompileKey, fixedParameters } from './compile-key.ts';
import type { CompileProcess } from './run-compile-process.ts';
import { sourceDoor } from './source-door.ts';
import { createSourceReader, type ReadSecret } from './source-reader.ts';
import type { SourceWatch } from './watch-sources.ts';

/** Everything but the documents that decides what the tools look like. */
export function contextOf({ output, schemaProfile, sources }: Configuration): string {
  const shaping = Object.entries(sources).map(([name, source]) => {
    const { prefix, access, costs, include, exclude, hints, permissions, features } = source;
    return JSON.parse(
      JSON.stringify({ name, prefix, access, costs, include, exclude, hints, permissions, features }),
    ) as JsonObject;
  });
  return canonicalHash({ version: VERSION, output: published(output), schemaProfile, shaping });
}

/** What of `output` shapes definitions. */
function published({ strict, schemas }: Configuration['output']) {
  return { strict, schemas };
}

export interface SourceCompilerOptions {
  /** Kinds that the embedder brought. */
  readonly sourceKinds?: ReadonlyArray<SourceKind<unknown>>;
  /** Readers of hints that the embedder brought. */
  readonly hintReaders?: readonly HintReader[];
  /** Takes the code of a source of tool packages. */
  readonly register: (source: string, functions: FunctionSource) => void | Promise<void>;
  /** What the embedder passed, by source name. */
  readonly functions?: Readonly<Record<string, FunctionSource>>;
  /** One that was started ahead. */
  readonly compileProcess?: CompileProcess;
  /** Called when what comes next is done by another process. */
  readonly busyElsewhere: () => void;
  /** For addresses that want a credential. */
  readonly readSecret: ReadSecret;
  /** Lists an upstream MCP server. */
  readonly describeUpstream: UpstreamRoom['describe'];
  /** What is known of Azure's connections. */
  readonly connectors: Pick<ConnectorRooms, 'prepare' | 'marks'>;
  /** What is known of skills. */
  readonly skills: Pick<SkillRooms, 'prepare' | 'marks'>;
}

export interface SourceCompiler {
  /** Reads and compiles one configured source, from the cache where it can. */
  compile(name: string, signal: AbortSignal): Promise<CatalogPart>;
  /** A compiled part with the settings of now; undefined where they decide about its tools. */
  reconnect(name: string, part: CatalogPart): CatalogPart | undefined;
}

export function sourceCompiler(
  /** As it counts now. */
  current: () => Configuration,
  {
    functions,
    compileProcess,
    connectors,
    hintReaders,
    busyElsewhere,
    describeUpstream,
    readSecret,
    register,
    skills,
    sourceKinds,
  }: SourceCompilerOptions,
  egress: Egress,
  watch: SourceWatch,
  cache: CompileCache | undefined,
): SourceCompiler {
  const keys = new WeakMap<CompiledSource, CompileKey>();
  const compile: SourceCompiler['compile'] = async (name, signal) => {
    const configuration = current();
    const source = configuration.sources[name]!;
    const key = keyOf(name, source, configuration);
    const { baseDirectory } = key;
    const door = sourceDoor(egress, name, source, readSecret);
    const reader = createSourceReader(door, selfDocument, readSecret);
    let stale: CatalogPart['stale'];
    let snapshot: string | undefined;
    // the room that writes a snapshot says itself when there is a new one
    const follow = (inputs: readonly CompileInput[]) => {
      if (configuration.watch) watch.follow(name, live === undefined ? inputs : []);
    };
    let isAway = false;
    const failed = (inputs: readonly CompileInput[]) => {
      isAway = inputs.some(isUnreadAddress);
      follow(inputs);
    };
    const live = source.kind === 'azure' ? connectors : source.kind === 'skills' ? skills : undefined;
    if (live !== undefined) {
      const preparing = live.prepare(name, signal);
      busyElsewhere();
      snapshot = await preparing;
    }
    const compiling = compileConfiguredSource({
      key,
      describe: async (recording) => {
        if (source.kind === 'mcp') {
          const described = await describeUpstream(name, source, signal);
          ({ stale } = described);
          return described.description;
        }
        const registry = await import('../../sources/registry.ts');
        if (source.kind === 'function') return registry.describeFunctionSource(name, functions?.[name]);
        const brought = hintReaders === undefined ? {} : { hintReaders };
        const fixed = { fixedParameters: fixedParameters(key) };
        const context = { name, baseDirectory, reader: recording, signal, ...fixed, ...brought };
        if (source.kind === 'azure') return registry.describeAzureSource(source.settings, snapshot, context);
        if (source.kind === 'skills') return registry.describeSkillSource(source.settings, snapshot, context);
        return source.kind === 'package'
          ? registry.describePackageSource(source.settings, context, (code) => register(name, code))
          : registry.describeSource(source.kind, settingsOfSource(source), context, sourceKinds);
      },
      reader,
      snapshot,
      egress: configuration.egress,
      signal,
      failed,
      // no cache holds the code that a package or an embedder brings, and no other process has it
      ...(cache === undefined || source.kind === 'package' || hintReaders !== undefined ? {} : { cache }),
      busyElsewhere,
      here: hintReaders !== undefined,
      ...(compileProcess === undefined ? {} : { compileProcess }),
    });
    const compiled = await compiling.finally(() => {
      const interval = refreshIntervalOf(source.kind, source.settings) ?? (isAway ? AWAY_MS : undefined);
      if (configuration.watch) watch.again(name, interval);
    });
    follow(compiled.inputs);
    const part = partOf(compiled, source);
    keys.set(part.compiled, key);
    const marks = live?.marks(name);
    return {
      ...part,
      ...(stale === undefined ? {} : { stale }),
      ...(live === undefined ? {} : { yields: true, reserved: OWN_TOOL_NAMES }),
      ...(marks === undefined ? {} : { marks }),
    };
  };
  return {
    compile,
    reconnect(name, part) {
      const configuration = current();
      const source = configuration.sources[name];
      if (source === undefined) return undefined;
      const key = keys.get(part.compiled);
      if (key === undefined || canonicalHash(key) !== canonicalHash(keyOf(name, source, configuration)))
        return undefined;
      return { ...part, ...partOf(part, source) };
    },
  };
}

/** Nothing tells when what stands at an address can be read: it is asked again after this, milliseconds. */
const AWAY_MS = 30_000;

function isUnreadAddress({ location, hash }: CompileInput): boolean {
  return hash === undefined && /^(?:authorized:)?https?:/i.test(location);
}

function keyOf(
  name: string,
  source: SourceConfiguration,
  { output, schemaProfile, baseDirectory }: Configuration,
): CompileKey {
  const fixed = Object.keys(source.headers ?? {}).map((header) => header.toLowerCase());
  return {
    version: programStamp(),
    name,
    source: compiledBy(source),
    output: published(output),
    schemaProfile,
    baseDirectory,
    ...(fixed.length === 0 ? {} : { fixedHeaders: fixed.sort() }),
  };
}

/** What of a source decides about its tools; the rest is read when they are listed and called. */
function compiledBy(source: SourceConfiguration): CompileKey['source'] {
  const {
    credentials: _credentials,
    headers: _headers,
    topology: _topology,
    shaping: _shaping,
    ...rest
  } = source;
  return rest;
}

/** Functions that an embedder passed under a name that the configuration lacks become a source. */
export function withFunctions(
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
