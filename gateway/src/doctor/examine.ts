import { join } from 'node:path';
import type { Configuration, Environment } from '../config/index.ts';
import { isToolcribError } from '../errors.ts';
import type { View } from '../gateway-core.ts';
import type { Diagnostic } from '../operations/index.ts';
import { PACKAGE_FOLDER } from '../version.ts';
import { checkApprovalRules } from './approval-rules.ts';
import { checkAzure } from './azure.ts';
import { checkBudgets } from './budgets.ts';
import { checkCertificates } from './certificates.ts';
import { checkConsole } from './console.ts';
import { checkCredentials } from './credentials.ts';
import { checkDefaultLevels } from './default-levels.ts';
import { type Finding, type GroupedFinding, grouped } from './finding.ts';
import { checkIdleSettings } from './idle-settings.ts';
import { checkLeftAccess } from './left-access.ts';
import { checkEgress, checkNode, checkStateDirectory, checkTemporaryFolder } from './machine.ts';
import { checkMissingCredentials } from './missing-credentials.ts';
import { checkNango } from './nango.ts';
import { checkPermissions } from './permissions.ts';
import { checkPort } from './port/port.ts';
import { checkProxies } from './proxies.ts';
import { checkBasePaths, checkDoubledPaths } from './services/base-paths.ts';
import { checkServices } from './services/services.ts';
import { checkSharedKeys } from './shared-keys.ts';
import { checkSignIn } from './sign-in/sign-in.ts';
import { checkSkillPrograms } from './skill-programs.ts';
import { checkSkills, checkSkillTools } from './skills.ts';
import { checkSources, withoutSignIn } from './sources.ts';
import { checkStore } from './store.ts';
import { checkTelemetry } from './telemetry.ts';
import { checkTopology } from './topology.ts';
import { checkTopologyRoles } from './topology-roles.ts';
import { checkUnheldAddresses } from './unheld-addresses.ts';
import { checkUntrustedSources } from './untrusted-sources.ts';
import { checkUnusedCredentials } from './unused-credentials.ts';
import { checkUpstreams } from './upstreams.ts';
import { checkWebhooks } from './webhooks.ts';

/** What is looked at of a gateway. */
export interface ExaminedGateway {
  view(): View;
  diagnostics(): readonly Diagnostic[];
  close?(): Promise<void>;
}

export interface Examination {
  readonly configuration: Configuration;
  readonly env: Environment;
  /** The gateway that runs, or one made for this; it is closed afterwards if it can be. */
  readonly open: (configuration: Configuration) => Promise<ExaminedGateway> | ExaminedGateway;
  /** The gateway listens itself: whether its port is free is no question. */
  readonly listening?: boolean;
  /** Folder of the built console. */
  readonly consoleFolder?: string;
}

/** Everything that a call needs, looked at: nothing is changed, no operation is called, no credential is sent. */
export async function examine(examination: Examination): Promise<GroupedFinding[]> {
  const { configuration, env, listening, consoleFolder = join(PACKAGE_FOLDER, 'console') } = examination;
  const machine = [
    checkNode(process.versions.node),
    await checkStateDirectory(configuration),
    ...(await checkTemporaryFolder()),
    checkEgress(configuration),
    ...checkProxies(configuration.egress, env),
    ...(listening ? [] : [await checkPort(configuration, env)]),
    ...(configuration.server.console === false ? [] : [await checkConsole(consoleFolder)]),
  ];
  // before a gateway is opened, which makes the store
  const stored = [
    ...(await checkStore(configuration)),
    ...(await checkWebhooks(configuration)),
    ...(await checkTelemetry(configuration)),
  ];
  const access = [
    ...(await checkCredentials(configuration, env)),
    ...(await checkCertificates(configuration, env)),
    ...checkPermissions(configuration),
    ...(await checkLeftAccess(configuration)),
    ...(await checkTopologyRoles(configuration)),
    ...(await checkSignIn(configuration)),
  ];
  const described = [
    ...(await checkUpstreams(configuration, env)),
    ...(await checkAzure(configuration, env)),
    ...(await checkSkills(configuration)),
    ...checkUntrustedSources(configuration),
  ];
  const { sources, services } = await examineSources(examination);
  return [
    ...grouped('machine', machine),
    ...grouped('configuration', stored),
    ...grouped('access', access),
    ...grouped('sources', [...described, ...sources]),
    ...grouped('services', services),
  ];
}

/** Compiles every source, or looks at how they were, and sees whether the services behind them answer at all. */
async function examineSources({
  configuration: given,
  env,
  open,
}: Examination): Promise<{ sources: Finding[]; services: Finding[] }> {
  const configuration = withoutSignIn(given);
  if (Object.keys(configuration.sources).length === 0) return { sources: [], services: [] };
  try {
    const gateway = await open(configuration);
    try {
      const view = gateway.view();
      const diagnostics = gateway.diagnostics();
      return {
        sources: [
          ...checkSources(configuration, view.catalog, diagnostics),
          ...checkIdleSettings(diagnostics),
          ...checkUnusedCredentials(configuration, view.catalog),
          ...checkMissingCredentials(configuration, view.catalog, env),
          ...checkUnheldAddresses(configuration, view.catalog, env),
          ...checkSharedKeys(configuration, view.catalog, env),
          ...checkNango(configuration, view.catalog),
          ...checkSkillTools(configuration, diagnostics),
          ...(await checkSkillPrograms(view.catalog, env)),
          ...checkApprovalRules(configuration.policy.approvals?.rules ?? [], view),
          ...checkBudgets(configuration.policy.budgets ?? [], view),
          ...checkTopology(configuration.surface, view, configuration.sources),
          ...checkDefaultLevels(configuration, view),
          ...checkBasePaths(configuration, view.catalog),
          ...checkDoubledPaths(configuration, view.catalog),
        ],
        services: await checkServices(configuration, view.catalog, env),
      };
    } finally {
      await gateway.close?.();
    }
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    const place = error.location === undefined ? '' : ` (${error.location})`;
    const message = `${error.message}${place}`;
    return { sources: [{ check: 'sources', status: 'error', message, next: error.next }], services: [] };
  }
}
