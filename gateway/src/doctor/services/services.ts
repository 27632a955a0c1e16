import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration, Environment } from '../../config/index.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import type { TlsIdentities } from '../../credentials/tls-identity.ts';
import {
  type Egress,
  EgressFailure,
  type EgressResponse,
  type OutgoingRequest,
} from '../../egress/egress.ts';
import { ERRORS } from '../../errors.ts';
import type { Finding } from '../finding.ts';
import { type ClockReading, checkClock } from './clock.ts';
import { ownServices } from './own-services.ts';
import { type Service, servicesOf } from './service-addresses.ts';
import { type Proxies, unreachable } from './unreachable.ts';

const REACH_TIMEOUT_MS = 5_000;
const LIMITS = { timeoutMs: REACH_TIMEOUT_MS, maxBytes: 65_536, maxRedirects: 0 };
const MOST_SERVICES = 12;

interface Reached {
  readonly finding: Finding;
  readonly clock?: ClockReading;
}

/**
 * One HEAD request to each service (GET where its answer to that is no HTTP), without a credential
 * but the certificate of its source; any answer that an API gives counts as reachable. Their
 * `Date` headers say whether the clock of this machine is right.
 */
export async function checkServices(
  configuration: Configuration,
  catalog: Catalog,
  env: Environment,
): Promise<Finding[]> {
  const { services: all, faults } = servicesOf(configuration, catalog);
  const nowhere = faults.slice(0, MOST_SERVICES).map(leadsNowhere);
  const services = [...ownServices(configuration), ...all.slice(0, MOST_SERVICES)];
  if (services.length === 0) return nowhere;
  const { createEgress } = await import('../../egress/index.ts');
  const egress = createEgress(configuration.egress);
  const around = { proxy: configuration.egress.proxy !== undefined, env };
  const identities = services.some(({ certified }) => certified) ? await tlsIdentities(env) : undefined;
  try {
    const reached = await Promise.all(services.map((service) => reach(service, egress, around, identities)));
    const readings = reached.flatMap(({ clock }) => (clock === undefined ? [] : [clock]));
    return [...nowhere, ...reached.map(({ finding }) => finding), ...checkClock(readings)];
  } finally {
    await egress.close();
  }
}

const MEND_TLS_FIRST =
  'Mend the `tls` of the source first: it cannot be used, so that the service was asked without it.';

function leadsNowhere(message: string): Finding {
  return { check: 'service', status: 'error', message, next: ERRORS.configuration_invalid.next };
}

async function tlsIdentities(env: Environment): Promise<TlsIdentities> {
  const { createTlsIdentities } = await import('../../credentials/tls-identity.ts');
  return createTlsIdentities(createSecretReader(env, () => undefined));
}

async function reach(
  service: Service,
  egress: Egress,
  around: Proxies,
  identities: TlsIdentities | undefined,
): Promise<Reached> {
  const { origin, probe, socketPath, certified, named } = service;
  const check = 'service';
  // one that cannot be used is told by a check of its own
  const tls =
    certified &&
    (await identities?.of(certified, AbortSignal.timeout(REACH_TIMEOUT_MS)).catch(() => undefined));
  const through = {
    ...(socketPath === undefined ? {} : { socketPath }),
    ...(tls && { tls }),
    ...(named === undefined ? {} : { named }),
  };
  const way = socketPath === undefined ? '' : ` through ${socketPath}`;
  const request = { url: probe, headers: [], redirect: 'manual' as const, ...through };
  const asked = Date.now();
  try {
    const { status, headers } = await ask(egress, request);
    const date = headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
    const clock = { origin, theirs: date, ours: (asked + Date.now()) / 2 };
    return {
      finding: isPage(probe, status, headers['content-type'])
        ? webPage(service, status)
        : {
            check,
            status: 'ok',
            message: `${origin} answers${way} (${status})${leads(headers['location'], origin)}`,
          },
      ...(Number.isNaN(date) ? {} : { clock }),
    };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    const answered = error.kind === 'redirect' || error.status !== undefined;
    if (answered) return { finding: { check, status: 'ok', message: `${origin} answers` } };
    const finding = unreachable(service, error, around);
    const isBare = certified !== undefined && tls === undefined && error.kind === 'tls_cert';
    return { finding: isBare ? { ...finding, next: MEND_TLS_FIRST } : finding };
  }
}

/** Some servers, slurmrestd among them, know no HEAD, and refuse it in a way that is no HTTP: these are asked by GET. */
async function ask(egress: Egress, request: Omit<OutgoingRequest, 'method'>): Promise<EgressResponse> {
  const by = (method: string) =>
    egress.request({ ...request, method }, LIMITS, AbortSignal.timeout(REACH_TIMEOUT_MS));
  try {
    return await by('HEAD');
  } catch (error) {
    if (!(error instanceof EgressFailure) || error.kind !== 'malformed') throw error;
    return by('GET');
  }
}

/** The root of an API may well be a page for people; the address of an operation is none. */
function isPage(probe: string, status: number, type = ''): boolean {
  const { pathname } = new URL(probe);
  return pathname !== '/' && /^text\/html\b/i.test(type) && (status === 200 || status === 404);
}

function webPage({ probe, setting = 'baseUrl' }: Service, status: number): Finding {
  const { origin, pathname } = new URL(probe);
  return {
    check: 'service',
    status: 'warning',
    message: `${origin}${pathname} answers with a web page (${status}), not as an API does.`,
    next: `Compare \`${setting}\` with the address in the API's own documentation: its path may be missing or wrong.`,
  };
}

/** A redirect to another origin takes the credential off. */
function leads(location: string | undefined, origin: string): string {
  if (location === undefined) return '';
  const target = URL.parse(location, origin);
  return target === null || target.origin === origin ? '' : `, and leads to ${target.origin}`;
}
