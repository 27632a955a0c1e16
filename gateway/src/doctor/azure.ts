import type { Configuration, Environment } from '../config/index.ts';
import { azureOf } from '../config/settings/azure.ts';
import { type ArmConnection, isConnected, needsConsent } from '../connectors/connections.ts';
import type { AzureTokens } from '../credentials/azure/index.ts';
import { type Egress, EgressFailure } from '../egress/index.ts';
import { ERRORS, isToolcribError } from '../errors.ts';
import { type AzureSettings, servesConnection } from '../operations/index.ts';
import { VERSION } from '../version.ts';
import type { Finding } from './finding.ts';

/** How long the Azure CLI or the sign-in service may take, milliseconds. */
const TOKEN_MS = 20_000;
const LIMITS = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 0 };
/** The same for the list of connections, with its retries and pages. */
const LIST_MS = 60_000;
const MOST_NAMED = 10;

/** For each source of kind `azure`: whether a token can be had, the group be read, and who has to consent. */
export async function checkAzure({ sources, egress }: Configuration, env: Environment): Promise<Finding[]> {
  const groups = Object.entries(sources).flatMap(([name, source]) => {
    const settings = azureOf(source);
    return settings === undefined ? [] : [{ check: `azure ${name}`, settings }];
  });
  if (groups.length === 0) return [];
  const { createEgress } = await import('../egress/index.ts');
  const door = createEgress(egress);
  try {
    const found = await Promise.all(groups.map((group) => checkGroup(group, door, env)));
    return found.flat();
  } finally {
    await door.close();
  }
}

interface Group {
  readonly check: string;
  readonly settings: AzureSettings;
}

async function checkGroup(group: Group, door: Egress, env: Environment): Promise<Finding[]> {
  const { check, settings } = group;
  const { authentication } = settings;
  if (authentication !== 'envvar') {
    const broken = await import('@azure/identity').then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (broken !== undefined) {
      const next = 'Install Toolcrib again: the package @azure/identity comes with it.';
      return [{ check, status: 'error', message: `@azure/identity cannot be loaded: ${broken}`, next }];
    }
  }
  if (authentication === 'interactive') {
    const message = 'a person signs in when the first token is needed';
    return [{ check, status: 'info', message }, await reached(group, door)];
  }
  const { createAzureTokens } = await import('../credentials/azure/index.ts');
  const options = { settings, egress: door, env, announce: () => undefined, now: Date.now };
  const tokens = createAzureTokens(options);
  try {
    const { expiresAt } = (await tokens.token(AbortSignal.timeout(TOKEN_MS))).claims();
    const until = expiresAt === undefined ? '' : ` until ${new Date(expiresAt).toISOString()}`;
    return [
      { check, status: 'ok', message: `has a token by ${authentication}${until}` },
      ...(await checkConnections(group, door, tokens)),
    ];
  } catch (error) {
    return [{ check, ...problem(error) }, await reached(group, door)];
  } finally {
    tokens.close();
  }
}

/** Whether Azure Resource Manager answers at all; any status will do. */
async function reached({ check, settings }: Group, door: Egress): Promise<Finding> {
  const { armEndpoint } = settings;
  const request = { method: 'HEAD', url: `${armEndpoint}/`, headers: [], redirect: 'manual' as const };
  try {
    const { status } = await door.request(request, LIMITS, AbortSignal.timeout(LIMITS.timeoutMs));
    return { check, status: 'ok', message: `${armEndpoint} answers (${status})` };
  } catch (error) {
    return { check, ...problem(error) };
  }
}

/** What a gateway would list, asked for as it asks. */
async function checkConnections(
  { check, settings }: Group,
  egress: Egress,
  tokens: AzureTokens,
): Promise<Finding[]> {
  const { connectionsOf } = await import('../connectors/list-connections.ts');
  const options = { settings, egress, tokens, userAgent: () => `toolcrib/${VERSION}` };
  try {
    return connectionFindings(check, settings, await connectionsOf(options, AbortSignal.timeout(LIST_MS)));
  } catch (error) {
    return [{ check, ...problem(error) }];
  }
}

function connectionFindings(
  check: string,
  settings: AzureSettings,
  all: readonly ArmConnection[],
): Finding[] {
  const { resourceGroup, connections: chosen } = settings;
  const enabled = all.filter(({ disabled }) => !disabled);
  const served = enabled.filter(({ name }) => servesConnection(settings, name));
  const names = served.map(({ name }) => name.toLowerCase());
  const absent = (chosen ?? []).filter((name) => !names.includes(name.toLowerCase()));
  const waiting = served.filter(needsConsent).map(({ name }) => name);
  const failing = served.filter((one) => !isConnected(one.status) && !needsConsent(one));
  const count = `${served.length} ${served.length === 1 ? 'connection' : 'connections'}`;
  const warning = (message: string, next: string): Finding => ({ check, status: 'warning', message, next });
  return [
    served.length > 0
      ? { check, status: 'ok', message: `${count} in ${resourceGroup}` }
      : enabled.length === 0
        ? warning(`${resourceGroup} has no API connections to serve`, '`put_connection` makes one.')
        : warning(
            `\`connections\` chooses none of the ${enabled.length} API connections of ${resourceGroup}: ${enabled
              .slice(0, MOST_NAMED)
              .map(({ name }) => name)
              .join(', ')}${enabled.length > MOST_NAMED ? ', …' : ''}`,
            'Correct `connections`, or leave it out to serve all of them.',
          ),
    ...(waiting.length === 0
      ? []
      : [
          warning(
            `not signed in: ${waiting.join(', ')}`,
            'Call one of their tools, or `get_consent_link`, and open the link that it answers with.',
          ),
        ]),
    ...failing.map(({ name, status, error }) =>
      warning(
        `${name} does not work (${status}): ${error?.message ?? error?.code ?? 'no reason given'}`,
        'Correct it with `put_connection`, or in the Azure portal.',
      ),
    ),
    ...(absent.length === 0
      ? []
      : [
          warning(
            `there is no connection ${absent.join(', ')}, or it is disabled`,
            'Correct `connections`, or make them.',
          ),
        ]),
  ];
}

function problem(error: unknown): Pick<Finding, 'status' | 'message' | 'next'> {
  if (isToolcribError(error)) return { status: 'error', message: error.message, next: error.next };
  if (error instanceof EgressFailure) {
    const next =
      error.kind === 'egress_blocked'
        ? ERRORS.egress_blocked.next
        : 'Check the address, the network, and whether the service runs.';
    return { status: 'error', message: error.message, next };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { status: 'error', message: 'no token came in time', next: 'Try again, or sign in anew.' };
  }
  throw error;
}
