import type { Configuration } from '../config/configuration.ts';
import type { Gateway } from '../gateway-api.ts';
import type { CounterScope } from '../router/budget-counters.ts';
import type { HttpServer } from '../server/http/index.ts';
import type { AdminParts } from './admin.ts';
import type { GatewayCalls } from './calls.ts';
import type { GovernedGrants } from './governed-grants.ts';
import type { Running } from './running.ts';

export interface HttpServerParts extends Omit<AdminParts, 'invoke' | 'grants'> {
  readonly configuration: Configuration;
  readonly gateway: Gateway;
  readonly grants: GovernedGrants;
  readonly running: Pick<Running, 'team'>;
  readonly calls: Pick<GatewayCalls, 'onion' | 'budgets'>;
  readonly report: (error: unknown, what: string) => void;
}

/** The gateway over HTTP, with what its API asks beside calls. Throws `store_unavailable`, `configuration_invalid`. */
export async function openHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const { configuration, gateway, grants, running, calls, report } = parts;
  const { createHttpServer } = await import('../server/http/index.ts');
  const { createAdministration } = await import('./admin.ts');
  const { createApproverToken } = await import('../approvals/index.ts');
  const team = await running.team();
  const administration = createAdministration({
    ...parts,
    invoke: async (operation, request) => (await calls.onion()).router.invoke(operation, request),
  });
  const directory = team === undefined ? {} : { directory: team.directory };
  // by prototype: what the gateway computes when asked stays so
  const admin = Object.assign(Object.create(gateway) as Gateway, administration, directory, {
    budgets: async (scope: CounterScope) => (await calls.budgets()).list(scope),
  });
  Object.defineProperty(admin, 'features', { get: () => grants.features });
  return createHttpServer(admin, configuration.server, {
    onError: (error) => report(error, 'A fault that no client sees.'),
    ...(team === undefined ? {} : { authenticate: team.authenticate }),
    isApprover: createApproverToken(configuration.stateDirectory).isToken,
  });
}
