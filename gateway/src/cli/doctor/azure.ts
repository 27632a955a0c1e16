import { azureOf } from '../../config/azure.ts';
import type { Configuration, Environment } from '../../config/index.ts';
import type { AzureToken } from '../../credentials/azure/index.ts';
import { decodeText, type Egress, EgressFailure } from '../../egress/index.ts';
import { ERRORS, isToolcribError } from '../../errors.ts';
import { type AzureSettings, isObject, type Json } from '../../operations/index.ts';
import type { Finding } from './finding.ts';

/** How long the Azure CLI or the sign-in service may take, milliseconds. */
const TOKEN_MS = 20_000;
const LIMITS = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 0 };
const MOST_PAGES = 5;

/** For each source of kind `azure`: whether a token can be had, the group be read, and who has to consent. */
export async function checkAzure({ sources, egress }: Configuration, env: Environment): Promise<Finding[]> {
  const groups = Object.entries(sources).flatMap(([name, source]) => {
    const settings = azureOf(source);
    return settings === undefined ? [] : [{ check: `azure ${name}`, settings }];
  });
  if (groups.length === 0) return [];
  const { createEgress } = await import('../../egress/index.ts');
  const door = createEgress({ allow: egress.allow });
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
  try {
    const token = await tokenOf(settings, door, env);
    const { expiresAt } = token.claims();
    const until = expiresAt === undefined ? '' : ` until ${new Date(expiresAt).toISOString()}`;
    return [
      { check, status: 'ok', message: `has a token by ${authentication}${until}` },
      ...(await checkConnections(group, door, token)),
    ];
  } catch (error) {
    return [{ check, ...problem(error) }, await reached(group, door)];
  }
}

async function tokenOf(settings: AzureSettings, egress: Egress, env: Environment): Promise<AzureToken> {
  const { createAzureTokens } = await import('../../credentials/azure/index.ts');
  const options = { settings, egress, env, announce: () => undefined, now: () => Date.now() };
  const tokens = createAzureTokens(options);
  try {
    return await tokens.token(AbortSignal.timeout(TOKEN_MS));
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

/** The connections that a person has to sign in, as far as the first pages tell. */
async function checkConnections(
  { check, settings }: Group,
  door: Egress,
  { value: token }: AzureToken,
): Promise<Finding[]> {
  const { armEndpoint, subscription, resourceGroup } = settings;
  const path = `/subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(resourceGroup)}`;
  let url: string | undefined =
    `${armEndpoint}${path}/providers/Microsoft.Web/connections?api-version=2016-06-01`;
  const connections: Json[] = [];
  try {
    for (let page = 0; page < MOST_PAGES && url !== undefined; page++) {
      const headers = [['Authorization', `Bearer ${token}`]] as const;
      const request = { method: 'GET', url, headers, credentialHeaders: ['authorization'] };
      const answer = await door.request(request, LIMITS, AbortSignal.timeout(LIMITS.timeoutMs));
      const body = parsed(decodeText(answer.body, answer.headers['content-type']));
      if (answer.status !== 200) return [refusal(check, resourceGroup, answer.status, body)];
      const rows = isObject(body) ? body['value'] : undefined;
      if (Array.isArray(rows)) connections.push(...(rows as Json[]));
      url = nextPage(body, armEndpoint);
    }
  } catch (error) {
    return [{ check, ...problem(error) }];
  }
  return connectionFindings(check, settings, connections);
}

function connectionFindings(
  check: string,
  { resourceGroup, connections: chosen }: AzureSettings,
  connections: readonly Json[],
): Finding[] {
  // ARM's names are equal whatever their case
  const names = connections.map((one) => (text(one, 'name') ?? '').toLowerCase());
  const wanted = chosen?.map((name) => name.toLowerCase());
  const served = connections.filter((_one, index) => wanted?.includes(names[index]!) ?? true);
  const waiting = served
    .filter((one) => statusOf(one) !== 'Connected')
    .map((one) => text(one, 'name') ?? '?');
  const absent = (chosen ?? []).filter((name) => !names.includes(name.toLowerCase()));
  const findings: Finding[] = [
    served.length === 0
      ? {
          check,
          status: 'warning',
          message: `${resourceGroup} has no API connections to serve`,
          next: '`put_connection` makes one.',
        }
      : {
          check,
          status: 'ok',
          message: `${served.length} ${served.length === 1 ? 'connection' : 'connections'} in ${resourceGroup}`,
        },
  ];
  if (waiting.length > 0) {
    findings.push({
      check,
      status: 'warning',
      message: `not signed in: ${waiting.join(', ')}`,
      next: 'Call one of their tools, or `get_consent_link`, and open the link that it answers with.',
    });
  }
  if (absent.length > 0) {
    const next = 'Correct `connections`, or make them.';
    findings.push({ check, status: 'warning', message: `there is no connection ${absent.join(', ')}`, next });
  }
  return findings;
}

/** `overallStatus`, on older resources the first of `statuses`. */
function statusOf(connection: Json): string | undefined {
  const properties = isObject(connection) ? connection['properties'] : undefined;
  if (!isObject(properties)) return undefined;
  const [first] = Array.isArray(properties['statuses']) ? (properties['statuses'] as Json[]) : [];
  return text(properties, 'overallStatus') ?? (first === undefined ? undefined : text(first, 'status'));
}

function refusal(check: string, resourceGroup: string, status: number, body: Json | undefined): Finding {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const said = [text(error, 'code'), text(error, 'message')?.slice(0, 300)].filter(
    (part) => part !== undefined,
  );
  return {
    check,
    status: 'error',
    message: `the connections of ${resourceGroup} cannot be listed (${status}): ${said.join(': ') || 'no reason given'}`,
    next:
      status === 401
        ? 'Sign in again, to the tenant that the subscription belongs to.'
        : status === 404
          ? 'Check the subscription and the name of the resource group.'
          : 'The account needs Microsoft.Web/connections/read on the resource group.',
  };
}

/** The token goes to its own origin alone. */
function nextPage(body: Json | undefined, armEndpoint: string): string | undefined {
  const next = isObject(body) ? text(body, 'nextLink') : undefined;
  const url = next === undefined ? null : URL.parse(next);
  return url?.origin === new URL(armEndpoint).origin ? url.href : undefined;
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

function text(value: Json, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : undefined;
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}
