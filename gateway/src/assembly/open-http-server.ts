import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { topologiesWith } from '../config/settings/topology.ts';
import type { Gateway } from '../gateway-api.ts';
import type { AdminEvent } from '../operations/index.ts';
import type { BudgetScope } from '../router/budgets.ts';
import type { GatewayAdmin } from '../server/http/admin/gateway-admin.ts';
import type { HttpServer, HttpServerOptions } from '../server/http/index.ts';
import { PACKAGE_FOLDER } from '../version.ts';
import type { AdminParts } from './access/admin.ts';
import type { GovernedGrants } from './access/governed-grants.ts';
import { createSourceFault } from './access/source-fault.ts';
import { browserSessions } from './browser-sessions.ts';
import type { GatewayCalls } from './calling/calls.ts';
import { closeAll } from './close-all.ts';
import type { ReadSecret } from './compiling/source-reader.ts';
import { LIVE, type LiveConfiguration } from './configuration/live-configuration.ts';
import { createExaminations } from './examinations.ts';
import type { InspectionParts } from './listing/tool-inspection.ts';
import type { Running } from './running.ts';
import { serverCertificate } from './server-certificate.ts';
import { createSourceDesk } from './source-desk/source-desk.ts';
import type { SourceDeskParts } from './source-desk/source-desk-parts.ts';

export interface HttpServerParts extends Omit<AdminParts, 'invoke' | 'grants'> {
  readonly configuration: Configuration;
  readonly gateway: Gateway;
  readonly grants: GovernedGrants;
  readonly running: Pick<Running, 'team'>;
  readonly calls: Pick<GatewayCalls, 'onion' | 'budgets'>;
  readonly report: (error: unknown, what: string) => void;
  /** What sources are asked and changed with. */
  readonly desk: Omit<SourceDeskParts, 'gateway' | 'env'>;
  readonly inspection: Pick<InspectionParts, 'views' | 'count' | 'isolated'>;
  readonly live: Pick<LiveConfiguration, 'afterRestart'>;
  readonly skillFault: NonNullable<GatewayAdmin['skillFault']>;
  readonly record: (event: AdminEvent) => void;
  readonly readSecret: ReadSecret;
  /** Folder of the built console; absent: the package's own. */
  readonly consoleFolder?: string | undefined;
}

/** The gateway over HTTP, with what its API asks beside calls. Throws `store_unavailable`, `configuration_invalid`. */
export async function openHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const { configuration, gateway, grants, running, calls, report } = parts;
  const { createHttpServer } = await import('../server/http/index.ts');
  const { createAdministration } = await import('./access/admin.ts');
  const { createToolInspection } = await import('./listing/tool-inspection.ts');
  const { createAccessAdministration } = await import('./access/create-access.ts');
  const { createApproverToken } = await import('../approvals/index.ts');
  const approverToken = createApproverToken(configuration.stateDirectory);
  const team = await running.team();
  const administration = createAdministration({
    ...parts,
    invoke: async (operation, request) => (await calls.onion()).router.invoke(operation, request),
  });
  const access = createAccessAdministration({
    ...parts,
    configuration: () => gateway.configuration,
    isolated: parts.inspection.isolated,
    directory: team?.directory,
    tools: configuration.tools,
  });
  const directory = team === undefined ? {} : { directory: team.directory };
  const examinations = createExaminations(gateway, parts.consoleFolder);
  // by prototype: what the gateway computes when asked stays so
  const admin = Object.assign(Object.create(gateway) as Gateway, administration, directory, {
    access,
    examine: examinations.examine,
    sources: createSourceDesk({ ...parts.desk, gateway, env: process.env }),
    skillFault: parts.skillFault,
    sourceFault: createSourceFault({ configuration: () => gateway.configuration, grants }),
    topologies: topologiesWith((parts.desk.brought.topologies ?? []).map(({ name }) => name)),
    configurationKeys: () => ({ live: LIVE, afterRestart: parts.live.afterRestart }),
    budgets: async (scope: BudgetScope) => (await calls.budgets()).list(scope),
    inspection: createToolInspection({
      ...parts,
      ...parts.inspection,
      configuration: () => gateway.configuration,
    }),
  });
  const { tls } = configuration.server;
  Object.defineProperty(admin, 'features', { get: () => grants.features });
  const server = createHttpServer(admin, configuration.server, {
    onError: (error) => report(error, 'A fault that no client sees.'),
    ...(team === undefined ? {} : { authenticate: team.authenticate, ...signInAt(configuration) }),
    ...(tls === undefined ? {} : { certificate: serverCertificate(tls, parts.readSecret) }),
    isApprover: approverToken.isToken,
    signIn: await browserSessions({ ...parts, team, approverToken }),
    ...(configuration.server.console === false
      ? {}
      : { consoleFolder: parts.consoleFolder ?? join(PACKAGE_FOLDER, 'console') }),
  });
  return { ...server, close: () => closeAll([() => server.close(), () => examinations.close()]) };
}

/** Sign-in tokens are for teams: nobody else looks at them. */
function signInAt({ name, auth: { jwt } }: Configuration): Pick<HttpServerOptions, 'signInAt'> {
  if (jwt === undefined) return {};
  const { issuer, scopes } = jwt;
  return { signInAt: { name, issuer, ...(scopes === undefined ? {} : { scopes }) } };
}
