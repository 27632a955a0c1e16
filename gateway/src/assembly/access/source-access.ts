import type { Catalog } from '../../catalog/catalog.ts';
import { accountsOf } from '../../config/accounts-of.ts';
import { categoryOf } from '../../config/category-of.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { environmentName } from '../../credentials/secret-reference.ts';
import {
  type Connection,
  type ConnectionStatus,
  DEFAULT_SKILL_POLICY,
  type ProviderFacts,
  type SkillGate,
  type SkillPolicy,
} from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';

/** What access needs to know of every source of a catalog. */
export function sourceAccess(
  catalog: Catalog,
  { sources, auth }: Configuration,
  env: Readonly<Record<string, string | undefined>>,
  policy: SkillPolicy = DEFAULT_SKILL_POLICY,
): Readonly<Record<string, SourceAccess>> {
  const gate: SkillGate = Object.freeze({
    enabled: policy.enabled,
    ...(policy.roles === undefined ? {} : { roles: policy.roles }),
  });
  return Object.fromEntries(
    catalog.sources.map(({ name, kind, provider }) => [
      name,
      {
        ...accessOf(sources[name], provider, auth.mode, catalog.connection(name), env),
        ...(kind === 'skills' ? { skills: gate } : {}),
      },
    ]),
  );
}

function accessOf(
  source: SourceConfiguration | undefined,
  provider: ProviderFacts | undefined,
  mode: Configuration['auth']['mode'],
  connection: Connection | undefined,
  env: Readonly<Record<string, string | undefined>>,
): SourceAccess {
  const credentials = source?.credentials;
  const integration =
    credentials === undefined || credentials === 'none' ? undefined : credentials.nango?.integration;
  const regions = Object.keys(provider?.regions ?? {});
  return {
    category: categoryOf(source, provider),
    connections: accountsOf(source, provider !== undefined, mode),
    connection: configuredAccount(provider, connection, env),
    whenUnauthenticated: source?.whenUnauthenticated ?? 'hide',
    ...(regions.length === 0 ? {} : { regions }),
    ...(integration === undefined ? {} : { integration }),
    ...(provider === undefined ? {} : { provider: provider.provider }),
  };
}

/** A provider without any credential is not connected; other sources say so when a call needs one. */
function configuredAccount(
  provider: ProviderFacts | undefined,
  connection: Connection | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ConnectionStatus {
  if (provider === undefined) return 'connected';
  if (connection === undefined) return 'missing';
  const { credentials, securitySchemes, source } = connection;
  const named = credentials === 'none' || Object.keys(credentials ?? {}).length > 0;
  const inherited = Object.keys(securitySchemes).some((scheme) => env[environmentName(source, scheme)]);
  return named || inherited ? 'connected' : 'unauthenticated';
}
