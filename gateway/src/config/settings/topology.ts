import type { z } from 'zod';
import { DEFAULT_TOPOLOGY_OPTIONS, type TopologyName, type TopologyOptions } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { DEFAULTS } from '../defaults.ts';
import type { shapingShape, topologyShape } from '../schema/topology.ts';

/** Which topology a caller gets that the gateway's own does not suit. Every part given must fit. */
export interface TopologyRule {
  /** Name of the MCP client; `*` stands for any text. */
  readonly client?: string;
  readonly role?: string;
  /** Principal id. */
  readonly user?: string;
  readonly organisation?: string;
  readonly name: TopologyName;
}

/** What becomes of list answers; by tag or word of the path where it differs. */
export interface ShapingConfiguration {
  /** Absent: on in every topology but flat, capped and discover. */
  readonly enabled?: boolean;
  /** Rows; `*` for the others. */
  readonly limits: Readonly<Record<string, number>>;
  readonly essential: Readonly<Record<string, readonly string[]>>;
  /** Absent: as the gateway says, at last `DEFAULT_MAX_PAGES`. */
  readonly maxPages?: number;
}

/** Everything about how operations become tools beside the topology's name. */
export interface SurfaceConfiguration {
  readonly options: TopologyOptions;
  readonly rules: readonly TopologyRule[];
  readonly shaping: ShapingConfiguration;
}

export const DEFAULT_SHAPING: ShapingConfiguration = Object.freeze({
  limits: {},
  essential: {},
});

export const DEFAULT_MAX_PAGES = 5;

export const DEFAULT_SURFACE: SurfaceConfiguration = Object.freeze({
  options: DEFAULT_TOPOLOGY_OPTIONS,
  rules: [],
  shaping: DEFAULT_SHAPING,
});

/** Other names of topologies: those of the server that they come from. */
const ALIASES: Readonly<Record<string, TopologyName>> = Object.freeze({
  base_only: 'base',
  categories_only: 'categories',
});

export function topologyName(given: string): TopologyName {
  return Object.hasOwn(ALIASES, given) ? ALIASES[given]! : given;
}

/** Registered topologies and those that an embedder brings. */
export function topologiesWith(brought: readonly string[]): readonly string[] {
  return [...new Set([...DEFAULTS.topologies, ...brought])];
}

/** Every name that a configuration may write. */
export function topologyNames(registered: readonly string[]): readonly string[] {
  return [...registered, ...Object.keys(ALIASES).filter((alias) => registered.includes(ALIASES[alias]!))];
}

/** Why a name cannot be served, which is none of these and no alias of them. */
export function unknownTopology(name: string, registered: readonly string[]): string | undefined {
  const names = topologyNames(registered);
  if (names.includes(name)) return undefined;
  return `There is no topology "${printable(name, 64)}" in this version; it has: ${names.join(', ')}.`;
}

type TopologyFile = z.infer<ReturnType<typeof topologyShape>>;
type ShapingFile = z.infer<typeof shapingShape>;

export interface SurfaceFile {
  readonly topology?: TopologyFile | undefined;
  readonly tokenBudget?: number | undefined;
  readonly shaping?: ShapingFile | undefined;
}

/** `topology`, `tokenBudget` and `shaping`, complete. */
export function surfaceConfiguration({ topology, tokenBudget, shaping }: SurfaceFile): SurfaceConfiguration {
  const { name: _name, for: rules = [], ...stated } = typeof topology === 'object' ? topology : {};
  const given = { ...stated, ...(tokenBudget === undefined ? {} : { tokenBudget }) };
  return {
    options: { ...DEFAULT_TOPOLOGY_OPTIONS, ...(stripped(given) as Partial<TopologyOptions>) },
    rules: rules.map((rule) => ({ ...(stripped(rule) as TopologyRule), name: topologyName(rule.name) })),
    shaping: shapingConfiguration(shaping),
  };
}

export function topologyOf(given: TopologyFile | undefined): TopologyName | undefined {
  const name = typeof given === 'object' ? given.name : given;
  return name === undefined ? undefined : topologyName(name);
}

export function shapingConfiguration(given: ShapingFile | undefined): ShapingConfiguration {
  if (given === undefined) return DEFAULT_SHAPING;
  if (typeof given === 'boolean') return { ...DEFAULT_SHAPING, enabled: given };
  return { ...DEFAULT_SHAPING, ...(stripped(given) as Partial<ShapingConfiguration>) };
}

/** Without members that say nothing. */
function stripped(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}
