import type { CompiledSource } from '../compiler/compiled-source.ts';
import {
  type Connection,
  canonicalHash,
  type Diagnostic,
  hashBytes,
  type Operation,
} from '../operations/index.ts';
import { compareText } from '../operations/text/compare-text.ts';
import type { Catalog, CatalogEntry, CatalogSource } from './catalog.ts';
import { uniquePrompts, uniqueResources } from './unique-names.ts';

/** One compiled source with what the configuration says about its account. */
export interface CatalogPart {
  readonly compiled: CompiledSource;
  readonly connection: Connection;
  readonly stale?: CatalogSource['stale'];
  /**
   * Ends the descriptions of operations of these connections (`facts.connector`), else of the operations of these ids;
   * what the lock holds stays without, so that signing in changes no definition.
   */
  readonly marks?: Readonly<Record<string, string>>;
  /** Its tools come while we run: they take no name from those of other sources, wherever it stands. */
  readonly yields?: boolean;
  /** Names of the gateway's own tools: one of these tools that is called so is not published. */
  readonly reserved?: ReadonlySet<string>;
  /** Set while operations can be listed but not yet read; rejects when they never can. */
  readonly details?: Promise<unknown>;
}

/**
 * Joins compiled sources into one snapshot. Where two sources claim a tool name the earlier keeps it and the
 * later one is shadowed, with a diagnostic: adding a source never renames or replaces a tool. Those that yield count as
 * the latest.
 */
export function buildCatalog(parts: readonly CatalogPart[], context: string): Catalog {
  const byName = new Map<string, CatalogEntry>();
  const diagnostics: Diagnostic[] = parts.flatMap((part) => part.compiled.diagnostics);
  for (const { compiled, marks, reserved } of yieldingLast(parts)) {
    for (const compiledTool of compiled.tools) {
      const { name } = compiledTool;
      if (reserved?.has(name)) {
        diagnostics.push(shadowedByUs(name, compiled.name));
        continue;
      }
      const first = byName.get(name);
      if (first === undefined) byName.set(name, marked(entryOf(compiledTool, compiled), marks));
      else diagnostics.push(shadowed(name, compiled.name, first.source));
    }
  }
  const entries = [...byName.values()].sort((a, b) => compareText(a.name, b.name));
  const connections = new Map(parts.map((part) => [part.compiled.name, part.connection]));
  const owned = <T extends object>(pick: (source: CompiledSource) => readonly T[]) =>
    yieldingLast(parts).flatMap(({ compiled }) =>
      pick(compiled).map((item) => ({ ...item, source: compiled.name })),
    );
  const resources = uniqueResources(owned((source) => source.resources));
  const prompts = uniquePrompts(owned((source) => source.prompts));
  diagnostics.push(...resources.diagnostics, ...prompts.diagnostics);
  let titles: ReadonlyMap<string, CatalogEntry> | undefined;
  /** Names with dots, as `n8n.Find order`, that one tool alone has for a title. */
  const titled = () => {
    titles ??= uniqueTitles(
      entries,
      new Set(parts.flatMap((part) => (part.yields ? part.compiled.name : []))),
    );
    return titles;
  };
  return Object.freeze({
    hash: hashBytes(
      [context, ...parts.map((p) => `${p.compiled.name} ${p.compiled.fingerprint}`)].join('\n'),
    ),
    entries,
    byTool: (name: string) => byName.get(name) ?? byName.get(name.replaceAll('.', '_')) ?? titled().get(name),
    resources: resources.items,
    resourceTemplates: owned((source) => source.resourceTemplates),
    prompts: prompts.items,
    skipped: parts.flatMap((part) => part.compiled.skipped),
    diagnostics,
    sources: parts.map(sourceOf),
    connection: (source: string) => connections.get(source),
  });
}

function yieldingLast(parts: readonly CatalogPart[]): readonly CatalogPart[] {
  return parts.toSorted((a, b) => Number(a.yields ?? false) - Number(b.yields ?? false));
}

/** One of a source that yields has a title only where no other has it: it cannot make a name mean nothing any more. */
function uniqueTitles(
  entries: readonly CatalogEntry[],
  yielding: ReadonlySet<string>,
): ReadonlyMap<string, CatalogEntry> {
  const dotted = entries.filter(({ facts }) => facts.title?.includes('.'));
  const byTitle = Map.groupBy(dotted, ({ facts }) => facts.title as string);
  return new Map(
    [...byTitle].flatMap(([title, all]) => {
      const lasting = all.filter(({ source }) => !yielding.has(source));
      const [entry, ...more] = lasting.length === 0 ? all : lasting;
      return more.length === 0 && entry ? [[title, entry] as const] : [];
    }),
  );
}

/** What the lock hashes: the definition a client sees and the request it leads to. */
export function definitionOf(entry: CatalogEntry): {
  tool: CatalogEntry['tool'];
  access: string;
  invocation: Operation['invocation'];
  endpoints?: readonly string[];
} {
  const { access, invocation } = entry.load();
  const endpoints = signInEndpoints(invocation, entry.securitySchemes);
  const tool = entry.definition ?? entry.tool;
  return { tool, access, invocation, ...(endpoints.length === 0 ? {} : { endpoints }) };
}

/** Addresses in the document at which tokens are asked for, or a person signs in. */
function signInEndpoints(
  invocation: Operation['invocation'],
  schemes: Connection['securitySchemes'],
): readonly string[] {
  if (invocation.kind !== 'http') return [];
  const names = new Set(invocation.security.flatMap((alternative) => Object.keys(alternative)));
  const urls = [...names].flatMap((name) => {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    if (scheme?.type === 'openIdConnect') return [scheme.url];
    if (scheme?.type !== 'oauth2') return [];
    const { tokenUrl, refreshUrl, authorizationCode: code } = scheme;
    return [tokenUrl, refreshUrl, code?.authorizationUrl, code?.tokenUrl, code?.refreshUrl];
  });
  return [...new Set(urls.filter((url) => url !== undefined))].sort(compareText);
}

function entryOf(
  compiled: CompiledSource['tools'][number],
  { name: source, securitySchemes }: CompiledSource,
): CatalogEntry {
  let hash: string | undefined;
  const entry: CatalogEntry = {
    name: compiled.name,
    facts: compiled.facts,
    source,
    operation: `${source}/${compiled.facts.id}`,
    json: compiled.json,
    ...(compiled.bytes === undefined ? {} : { bytes: compiled.bytes }),
    load: compiled.operation,
    securitySchemes,
    get tool() {
      return compiled.tool;
    },
    get hash() {
      hash ??= canonicalHash(definitionOf(entry));
      return hash;
    },
  };
  return entry;
}

/** The entry with a mark behind the first line of its description, where its connection has one. */
function marked(entry: CatalogEntry, marks: CatalogPart['marks']): CatalogEntry {
  const state = entry.facts.connector?.connection ?? entry.facts.id;
  const mark = marks && Object.hasOwn(marks, state) && marks[state];
  if (!mark) return entry;
  let tool: CatalogEntry['tool'] | undefined;
  let json: string | undefined;
  const withMark: CatalogEntry = {
    name: entry.name,
    facts: entry.facts,
    source: entry.source,
    operation: entry.operation,
    mark,
    load: entry.load,
    securitySchemes: entry.securitySchemes,
    json() {
      json ??= JSON.stringify(withMark.tool);
      return json;
    },
    get tool() {
      tool ??= { ...entry.tool, description: entry.tool.description.replace(/(?=\n|$)/, () => mark) };
      return tool;
    },
    get hash() {
      return entry.hash;
    },
    get definition() {
      return entry.tool;
    },
  };
  return withMark;
}

function shadowed(tool: string, source: string, by: string): Diagnostic {
  return {
    code: 'tool-shadowed',
    severity: 'warning',
    message: `Tool ${tool} of source ${source} is not published: source ${by} already has a tool of that name. Give one of them a prefix.`,
    source,
  };
}

function shadowedByUs(tool: string, source: string): Diagnostic {
  return {
    code: 'tool-shadowed',
    severity: 'warning',
    message: `Tool ${tool} of source ${source} is not published: a tool of the gateway itself is called so. Give it another name.`,
    source,
  };
}

function sourceOf({ compiled, stale }: CatalogPart): CatalogSource {
  return {
    name: compiled.name,
    kind: compiled.kind,
    fingerprint: compiled.fingerprint,
    operations: compiled.tools.length,
    ...(compiled.provider === undefined ? {} : { provider: compiled.provider }),
    ...(stale === undefined ? {} : { stale }),
  };
}
