import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import {
  type JsonObject,
  type Operation,
  type Principal,
  placeOf,
  type Result,
  reachesSource,
} from '../../operations/index.ts';
import { checkPath } from '../../policy/path-blocklist.ts';
import { createProxy, type ForwardProxyRequest, type ProxySource } from '../../proxy/index.ts';
import type { ClosedPlace } from '../../proxy/proxy-types.ts';
import type { GatewayAdmin } from '../../server/http/admin/gateway-admin.ts';
import { capabilityProfile } from '../../server/http/capability-profile.ts';
import type { Store } from '../../store/store.ts';
import { nangoOfSource } from '../nango.ts';
import type { GatewayGrants } from './grants.ts';

export interface AdminParts {
  readonly configuration: Configuration;
  readonly catalog: LiveCatalog;
  readonly grants: GatewayGrants;
  readonly egress: Egress;
  readonly store: () => Promise<Store | undefined>;
  readonly invoke: (
    operation: Operation,
    request: {
      readonly tool: string;
      readonly principal: Principal;
      readonly signal: AbortSignal;
      readonly arguments: JsonObject;
    },
  ) => Promise<Result>;
}

type Administration = Pick<Required<GatewayAdmin>, 'proxy' | 'profile' | 'usage' | 'nango'>;

/** What the HTTP API and the command line ask beside calls: every answer is from fresh grants. */
export function createAdministration(parts: AdminParts): Administration {
  const { catalog, grants } = parts;
  return {
    proxy: createProxyOf(parts),
    nango: (source) => nangoOfSource(parts, source),
    async profile(principal) {
      const access = grants.sources();
      const sources = catalog.current.sources
        .filter(({ name }) => reachesSource(principal, name))
        .map(({ name, provider }) => {
          const { category = 'api', connections, integration } = access[name] ?? {};
          return {
            name,
            category,
            ...(provider === undefined ? {} : { provider: provider.provider }),
            ...(connections === 'records' && integration !== undefined ? { integration } : {}),
          };
        });
      return capabilityProfile(sources, await grants.fresh(principal));
    },
    async usage(query) {
      const store = await parts.store();
      if (store === undefined)
        throw new ToolcribError('not_found', 'There is no usage log: the configuration says store: none.');
      const { queryUsage } = await import('../../usage/query-usage.ts');
      const rows = await queryUsage(store, query);
      return rows.map(({ totalMs, ...row }) => ({ ...row, durationMs: totalMs }));
    },
  };
}

/** Operations of a source are read when the first request reaches it; a swapped catalog brings its own. */
function createProxyOf({ configuration, catalog, grants, invoke }: AdminParts): ForwardProxyRequest {
  let readFor: LiveCatalog['current'] | undefined;
  let read: readonly ProxySource[] = [];
  const sources = (): readonly ProxySource[] => {
    if (readFor !== catalog.current) {
      readFor = catalog.current;
      read = proxySources(readFor, configuration, grants);
    }
    return read;
  };
  return createProxy({
    sources,
    grants: (principal) => grants.fresh(principal),
    checkPath,
    invoke: ({ operation, tool, principal, signal, arguments: args }) =>
      invoke(operation, { tool, principal, signal, arguments: args }),
  });
}

function proxySources(
  current: LiveCatalog['current'],
  { sources }: Configuration,
  grants: GatewayGrants,
): ProxySource[] {
  const access = grants.sources();
  return current.sources.flatMap(({ name, provider }): ProxySource[] => {
    const source = sources[name];
    if (provider === undefined || source === undefined) return [];
    let operations: readonly Operation[] | undefined;
    let closed: readonly ClosedPlace[] | undefined;
    const own = current.entries.filter((entry) => entry.source === name);
    return [
      {
        name,
        provider,
        category: access[name]?.category ?? provider.category,
        rawProxy: source.rawProxy ?? false,
        ...(source.baseUrl === undefined ? {} : { baseUrl: source.baseUrl }),
        ...(source.region === undefined ? {} : { region: source.region }),
        get operations() {
          operations ??= own.filter(({ quarantined }) => !quarantined).map((entry) => entry.load());
          return operations;
        },
        get closed() {
          closed ??= [
            ...current.skipped.filter((skipped) => skipped.source === name),
            ...own.filter(({ quarantined }) => quarantined).map((entry) => placeOf(entry.load())),
          ];
          return closed;
        },
      },
    ];
  });
}
