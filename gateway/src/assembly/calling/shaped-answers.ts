import type { ArtifactStore } from '../../artifacts/index.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { DEFAULT_MAX_PAGES, DEFAULT_SURFACE } from '../../config/settings/topology.ts';
import { readHints, resultNotes } from '../../hints/index.ts';
import type {
  CompletedResult,
  GrantSource,
  Operation,
  Principal,
  ShapedCall,
  StoredQuery,
  UntrustedRule,
} from '../../operations/index.ts';
import { takeShapingArguments } from '../../operations/shaping.ts';
import { once } from '../../operations/work/once.ts';
import { createShaping } from '../../results/shaping/index.ts';
import type { Layer } from '../../router/compose.ts';
import { shapeLayer } from '../../router/layers/shape.ts';
import type { ShapeDirect } from '../../router/router.ts';
import { listLimitOf } from '../../topology/calling/index.ts';
import { createPatternEngine } from '../../validation/linear-pattern.ts';
import { readableOutputs } from '../access/readable-outputs.ts';
import { ownedArtifacts } from '../owned-artifacts.ts';

export interface ShapedAnswersParts {
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly grants: GrantSource;
  readonly artifacts: ArtifactStore;
  readonly untrusted: (operation: Operation) => UntrustedRule | undefined;
  /** Rows of a stored answer go to a caller. */
  readonly delivered: (
    source: string,
    reader: { readonly principal: Principal; readonly run?: string },
  ) => Promise<void>;
}

/** Shaping of answers by what the configuration says. */
export interface ShapedAnswers {
  readonly layer: Layer;
  readonly query: (principal: Principal, query: StoredQuery, run?: string) => Promise<CompletedResult>;
  /** Direct tools are shaped only where the configuration says so. */
  readonly shapeDirect: ShapeDirect;
  /** A call as the configuration wants it shaped; undefined: as it is. */
  readonly shapedBy: (shaped: ShapedCall, operation: Operation) => ShapedCall | undefined;
}

export function createShapedAnswers(parts: ShapedAnswersParts): ShapedAnswers {
  const { configuration, catalog, grants, artifacts, untrusted, delivered } = parts;
  const patterns = once(() => createPatternEngine());
  const shaping = createShaping({
    patterns: (pattern) => patterns().compile(pattern),
    artifacts: (principal) =>
      ownedArtifacts(artifacts, principal, {
        readable: async () => readableOutputs(catalog.current, await grants.fresh(principal)),
      }),
    untrusted,
    delivered,
    notes: ({ hints }) => (hints === undefined ? [] : resultNotes(readHints(hints))),
  });
  return {
    layer: shapeLayer(shaping.call),
    query: (principal, query, run) =>
      shaping.query({ principal, ...(run === undefined ? {} : { run }) }, query),
    shapeDirect(entry, request) {
      const { sources, surface = DEFAULT_SURFACE } = configuration();
      if ((sources[entry.source]?.shaping?.enabled ?? surface.shaping.enabled) !== true) return undefined;
      const operation = entry.load();
      const taken = takeShapingArguments(request.arguments ?? {}, operation);
      const shaped = { request: taken.request, defaultLimit: listLimitOf(entry.facts) };
      return { arguments: taken.arguments, shaped: configured(shaped, operation, configuration()) };
    },
    shapedBy(shaped, operation) {
      const { sources, surface = DEFAULT_SURFACE } = configuration();
      const enabled = sources[operation.source]?.shaping?.enabled ?? surface.shaping.enabled;
      return enabled === false ? undefined : configured(shaped, operation, configuration());
    },
  };
}

/** With the limits and fields that the configuration names for its tags and the words of its path. */
function configured(shaped: ShapedCall, operation: Operation, configuration: Configuration): ShapedCall {
  const { surface = DEFAULT_SURFACE, sources } = configuration;
  const rules = [sources[operation.source]?.shaping, surface.shaping].filter((rule) => rule !== undefined);
  const names = [...pathWords(operation), ...operation.tags, '*'];
  const limit = first(
    rules.map(({ limits }) => limits),
    names,
  );
  const essential =
    first(
      rules.map((rule) => rule.essential),
      names,
    ) ?? shaped.essential;
  const maxPages =
    rules.map((rule) => rule.maxPages).find((pages) => pages !== undefined) ?? DEFAULT_MAX_PAGES;
  return {
    request: shaped.request,
    defaultLimit: limit ?? shaped.defaultLimit,
    maxPages,
    ...(essential === undefined ? {} : { essential }),
    ...(shaped.byProperties === undefined ? {} : { byProperties: true as const }),
  };
}

/** The last word first: it is what a list is about. */
function pathWords({ invocation }: Operation): string[] {
  if (invocation.kind !== 'http') return [];
  return invocation.path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .toReversed();
}

function first<T>(
  tables: ReadonlyArray<Readonly<Record<string, T>>>,
  names: readonly string[],
): T | undefined {
  for (const table of tables) for (const name of names) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}
