import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { configuredFeatures } from '../../config/settings/features.ts';
import type { Egress } from '../../egress/egress.ts';
import type { FeatureSwitches } from '../../features/index.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import { type Account, type EventBody, type GrantSource, LOCAL_PRINCIPAL } from '../../operations/index.ts';
import type { RoleProbe } from '../../permissions/index.ts';
import { createAccountConnections } from '../calling/accounts.ts';
import type { Faults } from '../faults.ts';
import type { GatewayStore } from '../gateway-store.ts';
import type { GatewayGrants } from './grants.ts';

export interface GovernedGrantsParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly store: GatewayStore;
  readonly faults: () => Promise<Faults>;
  readonly record: (event: EventBody) => Promise<unknown>;
}

/** Grants with the roles that services give and the features that are on. */
export interface GovernedGrants extends GatewayGrants {
  /** Undefined: no source has features. */
  readonly features: FeatureSwitches | undefined;
  /** Reads what a configuration needs that has features, or sources that are asked for roles. */
  open(): Promise<void>;
  /** Asks services for the roles of the configured accounts, once `readable` says that their operations can be read. */
  ask(readable?: Promise<void>): Promise<void>;
  /** Other grants of users, governed in the same way: what would be, or what one snapshot gives. */
  over(base: GrantSource): GrantSource;
  /** A service answered a call with 401 or 403. */
  doubt(source: string, account: Account | undefined): void;
  close(): Promise<void>;
}

/** What neither features nor roles govern stays as `plain` has it: nothing is loaded for it. */
export function createGovernedGrants(plain: GatewayGrants, parts: GovernedGrantsParts): GovernedGrants {
  const { configuration, store, record } = parts;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  let over = (base: GrantSource): GrantSource => base;
  let current: GrantSource = plain;
  let roles: RoleProbe | undefined;
  let features: FeatureSwitches | undefined;
  const probed = () => probedSources(configuration());
  const compose = async () => {
    const [{ withServiceRoles }, { withSwitchedFeatures }] = await Promise.all([
      import('../../permissions/index.ts'),
      import('../../features/index.ts'),
    ]);
    over = (base) => {
      const withRoles =
        roles === undefined ? base : withServiceRoles(base, { probe: roles, sources: probed });
      return features === undefined ? withRoles : withSwitchedFeatures(withRoles, features);
    };
    current = over(plain);
  };
  return {
    sources: plain.sources,
    fresh: (principal, source) => current.fresh(principal, source),
    known: (principal) => current.known(principal),
    onChange(listener) {
      listeners.add(listener);
      const stop = plain.onChange(listener);
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
    get features() {
      return features;
    },
    async open() {
      if (roles === undefined && Object.keys(probed()).length > 0) {
        roles = await openRoles(parts);
        roles.onChange(tell);
        await compose();
      }
      if (features === undefined && configuredFeatures(configuration().sources).length > 0) {
        const { createFeatureSwitches } = await import('../../features/index.ts');
        const switches = createFeatureSwitches({
          configured: () => configuredFeatures(configuration().sources),
          store: store.open,
          record,
        });
        await switches.open();
        switches.onChange(tell);
        features = switches;
        await compose();
      }
    },
    async ask(readable) {
      if (roles === undefined) return;
      await readable;
      await current.fresh(LOCAL_PRINCIPAL);
    },
    over: (base) => over(base),
    doubt: (source, account) => roles?.doubt(source, account),
    async close() {
      roles?.close();
      await features?.close();
    },
  };
}

function probedSources({
  sources,
}: Configuration): Record<string, { readonly adminRoles: readonly string[] }> {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([name, { permissions }]) =>
      permissions?.enabled && permissions.probe !== undefined
        ? [[name, { adminRoles: permissions.adminRoles }]]
        : [],
    ),
  );
}

async function openRoles({
  configuration,
  catalog,
  egress,
  faults,
}: GovernedGrantsParts): Promise<RoleProbe> {
  const [{ createSourceRoles }, { createCredentialProvider }, { redactor }] = await Promise.all([
    import('../../permissions/index.ts'),
    import('../../credentials/index.ts'),
    faults(),
  ]);
  return createSourceRoles({
    egress,
    credentials: createCredentialProvider({ egress, redactor }),
    probe(source) {
      const { permissions } = configuration().sources[source] ?? {};
      return permissions?.enabled ? permissions.probe : undefined;
    },
    connection: createAccountConnections(() => catalog.current),
    baseUrl(source, connection) {
      const entry = catalog.current.entries.find(
        (one) => one.source === source && one.facts.http !== undefined,
      );
      const invocation = entry?.load().invocation;
      if (invocation?.kind !== 'http') return undefined;
      const { origin, path } = baseUrlOf(invocation, connection);
      return origin + path;
    },
  });
}
