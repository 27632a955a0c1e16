import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { TopologyReport, View } from '../../gateway-core.ts';
import type { Grants, PublishedTool, TopologyName, TopologyOptions } from '../../operations/index.ts';
import { once } from '../../operations/work/once.ts';
import { deriveVisibility } from '../../policy/visibility.ts';
import { parseSkillUri } from '../../sources/skill/resources.ts';
import { type GenericTool, genericTools } from '../../topology/generic/generic-tools.ts';
import {
  isTopologyTool,
  type OperationSet,
  type Topology,
  type TopologyTool,
} from '../../topology/topology.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { SelectedSkills } from '../skills/skill-selection.ts';
import type { GenericData } from './generic-data.ts';
import { genericProviders, replacedSources } from './generic-providers.ts';
import { operationSet, type SearchSet } from './operation-set.ts';
import { shapedTool } from './shaped-tool.ts';

/** A view with those of its tools that reach several operations. */
export interface ComputedView extends View {
  readonly own: ReadonlyMap<string, GenericTool | TopologyTool>;
  readonly topologies: readonly TopologyReport[];
  /** An operation that the caller may use and that is no tool of its own here, as the tool that it would be; by key. */
  readonly findable: Findable;
}

type Findable = (operation: string) => PublishedTool | undefined;

export interface ViewParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  /** As many as are loaded. */
  readonly topologies: () => Readonly<Record<string, Topology>>;
  readonly generic: () => GenericData | undefined;
  readonly search: (catalog: Catalog) => SearchSet;
  /** As they count now; one object as long as they stay the same. */
  readonly options: () => TopologyOptions;
  /** Takes the richest topology that fits. */
  readonly auto: Choose;
}

/** Publishes a set by the richest topology that fits the budget. */
type Choose = (
  set: Parameters<Topology['publish']>[0],
  options: TopologyOptions,
) => Omit<TopologyReport, 'asked' | 'sources'> & { readonly tools: readonly PublishedTool[] };

export interface Seen {
  readonly catalog: Catalog;
  readonly grants: Grants;
  readonly choose: (source: string) => TopologyName;
  /** Undefined: there are no skills. */
  readonly skill: SelectedSkills | undefined;
}

export function computeView(parts: ViewParts, seen: Seen): ComputedView {
  const { catalog, grants, skill } = seen;
  const { visible: permitted } = deriveVisibility(catalog.entries, grants);
  const visible = skill === undefined ? permitted : permitted.filter(skill.shows);
  const data = parts.generic();
  const providers =
    data === undefined || grants.tools === 'dynamic' ? [] : genericProviders(catalog, visible, data);
  const generic = data === undefined ? [] : genericTools(data.categories, providers);
  const replaced = grants.tools === 'static' ? new Set(replacedSources(generic, providers)) : undefined;
  const entries = replaced === undefined ? visible : visible.filter(({ source }) => !replaced.has(source));
  const { tools, topologies, findable } = published(parts, seen, entries);
  const own = new Map<string, GenericTool | TopologyTool>();
  // what a skill brought takes no name from the gateway's own tools
  const isFree = (name: string) => {
    const entry = catalog.byTool(name);
    return entry === undefined || entry.facts.skill !== undefined;
  };
  for (const tool of generic) if (isFree(tool.name)) own.set(tool.name, tool);
  for (const tool of tools) if (isTopologyTool(tool)) own.set(tool.name, tool);
  const useSkill = skill?.tool(catalog, grants);
  if (useSkill !== undefined && isFree(useSkill.name)) own.set(useSkill.name, useSkill);
  const listed = new Map<string, PublishedTool>(tools.map((tool) => [tool.name, tool]));
  for (const [name, tool] of own) listed.set(name, tool);
  const readable = readableSources(grants);
  const ofReadable = ({ source }: { readonly source: string }) => readable(source);
  const ofSkills = skillSources(catalog);
  const mayRead = (source: string, id: string | undefined) =>
    skill === undefined || !ofSkills.has(source) || (id !== undefined && skill.mayRead(id));
  return {
    catalog,
    tools: own.size === 0 ? tools : [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    own,
    topologies,
    findable,
    resources: catalog.resources.filter(
      (one) => readable(one.source) && mayRead(one.source, parseSkillUri(one.uri)?.skill),
    ),
    resourceTemplates: catalog.resourceTemplates.filter(ofReadable),
    prompts: catalog.prompts.filter(
      (one) => readable(one.source) && mayRead(one.source, one.original ?? one.name),
    ),
  };
}

function skillSources({ sources }: Catalog): ReadonlySet<string> {
  return new Set(sources.filter(({ kind }) => kind === 'skills').map(({ name }) => name));
}

/** The view of somebody who has found operations and keeps them; what else it is made of is shared. */
export function withFound(view: ComputedView, operations: readonly string[]): ComputedView {
  const found = operations.flatMap((operation) => view.findable(operation) ?? []);
  if (found.length === 0) return view;
  return { ...view, tools: [...view.tools, ...found].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Sources of one topology are published together; pinned operations stay direct tools everywhere. */
function published(
  parts: ViewParts,
  { catalog, grants, choose }: Seen,
  entries: readonly CatalogEntry[],
): Pick<ComputedView, 'tools' | 'topologies' | 'findable'> {
  const options = parts.options();
  const groups = grouped(entries, choose);
  const search = parts.search(catalog);
  const direct = new Set(options.pinned);
  const hidden: CatalogEntry[] = [];
  const isDirect = ({ operation, name, facts }: CatalogEntry) =>
    direct.has(operation) || direct.has(name) || direct.has(facts.id);
  const tools = new Map<string, PublishedTool>();
  const topologies: TopologyReport[] = [];
  const [only] = groups.size === 1 ? groups.keys() : [];
  const isShaped = shapedSources(parts.configuration());
  if (only === 'flat' && isShaped === undefined) {
    const shown = new Set(entries.map(({ source }) => source));
    const sources = catalog.sources.flatMap(({ name }) => (shown.has(name) ? [name] : []));
    return {
      tools: entries,
      topologies: [{ asked: only, took: only, considered: [], sources }],
      findable: () => undefined,
    };
  }
  // an operation of another group that is called as an own tool would take its place
  const others = groups.size > 1 ? entries.map(({ name }) => name) : [];
  const setOf = (members: readonly CatalogEntry[], taken: ReadonlySet<string>) =>
    operationSet(members, catalog.sources, grants, search, taken);
  for (const { took, asked, members, considered, warning, tools: given } of decided(parts, groups, setOf)) {
    const set = setOf(members, new Set([...tools.keys(), ...others]));
    const sources = set.sources.map((source) => source.name);
    topologies.push({ asked, took, considered, sources, ...(warning === undefined ? {} : { warning }) });
    const topology = parts.topologies()[took]!;
    const made = given ?? topology.publish(set, options);
    for (const tool of made) tools.set(tool.name, isShaped === undefined ? tool : asShaped(tool, isShaped));
    if (took === 'flat') continue;
    for (const entry of members) {
      if (tools.has(entry.name)) continue;
      if (isDirect(entry)) tools.set(entry.name, isShaped === undefined ? entry : asShaped(entry, isShaped));
      else if (topology.keepsFound) hidden.push(entry);
    }
  }
  const findable = findableOf(hidden, tools);
  return {
    tools: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    topologies,
    findable: (operation) => {
      const entry = findable(operation);
      return entry === undefined || isShaped === undefined ? entry : asShaped(entry, isShaped);
    },
  };
}

/** Indexed when somebody has found something. */
function findableOf(
  hidden: readonly CatalogEntry[],
  listed: ReadonlyMap<string, PublishedTool>,
): (operation: string) => CatalogEntry | undefined {
  const byKey = once(() => new Map(hidden.map((entry) => [entry.operation, entry])));
  return (operation) => {
    const entry = byKey().get(operation);
    return entry === undefined || listed.has(entry.name) ? undefined : entry;
  };
}

interface Decided extends Pick<TopologyReport, 'asked' | 'took' | 'considered' | 'warning'> {
  readonly members: readonly CatalogEntry[];
  /** Published already, for these members alone. */
  readonly tools?: readonly PublishedTool[];
}

/** What `auto` takes joins the sources that ask for the same: one set of tools reaches them all. */
function decided(
  { auto, options, topologies }: ViewParts,
  groups: ReadonlyMap<TopologyName, readonly CatalogEntry[]>,
  setOf: (members: readonly CatalogEntry[], taken: ReadonlySet<string>) => OperationSet,
): readonly Decided[] {
  const found = [...groups].map(([asked, members]): Decided => {
    if (asked !== 'auto' && topologies()[asked] !== undefined)
      return { asked, took: asked, considered: [], members };
    const { tools, ...choice } = auto(setOf(members, new Set()), options());
    return { asked, ...choice, members, ...(groups.size === 1 ? { tools } : {}) };
  });
  return [...Map.groupBy(found, ({ took }) => took).values()].map(([first, ...more]) => {
    if (more.length === 0) return first!;
    const members = [first!, ...more].flatMap((one) => one.members);
    const chosen = [first!, ...more].find(({ asked }) => asked === 'auto') ?? first!;
    return { ...chosen, members: members.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}

/** Whether the configuration wants answers of a source's direct tools shaped; undefined: of none. */
function shapedSources({ sources, surface }: Configuration): ((source: string) => boolean) | undefined {
  const all = surface?.shaping.enabled === true;
  if (!all && !Object.values(sources).some(({ shaping }) => shaping?.enabled === true)) return undefined;
  return (source) => sources[source]?.shaping?.enabled ?? all;
}

function asShaped(tool: PublishedTool, isShaped: (source: string) => boolean): PublishedTool {
  return 'facts' in tool && isShaped((tool as CatalogEntry).source) ? shapedTool(tool as CatalogEntry) : tool;
}

/** Entries by topology; one pass, since a catalog may have fifty thousand. */
function grouped(
  entries: readonly CatalogEntry[],
  choose: Seen['choose'],
): ReadonlyMap<TopologyName, readonly CatalogEntry[]> {
  const bySource = new Map<string, TopologyName>();
  return Map.groupBy(entries, ({ source }) => {
    let name = bySource.get(source);
    if (name === undefined) {
      name = choose(source);
      bySource.set(source, name);
    }
    return name;
  });
}
