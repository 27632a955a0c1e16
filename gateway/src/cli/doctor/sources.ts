import type { Catalog } from '../../catalog/catalog.ts';
import { azureOf } from '../../config/azure.ts';
import type { Configuration } from '../../config/index.ts';
import { EgressFailure } from '../../egress/egress.ts';
import { ERRORS, isToolcribError } from '../../errors.ts';
import type { Diagnostic, HttpInvocation } from '../../operations/index.ts';
import { checkBudgets } from './budgets.ts';
import type { Finding } from './finding.ts';
import { checkSkillTools } from './skills.ts';

const REACH_TIMEOUT_MS = 5_000;
const MOST_ORIGINS = 12;

/** Compiles every source, and sees whether the services behind them answer at all. */
export async function checkSources(given: Configuration): Promise<Finding[]> {
  const configuration = { ...given, sources: withoutSignIn(given.sources) };
  if (Object.keys(configuration.sources).length === 0) return [];
  const { createGateway } = await import('../../gateway.ts');
  try {
    const gateway = await createGateway({ ...configuration, watch: false });
    try {
      const view = gateway.view();
      const { catalog } = view;
      const compiled = catalog.sources.map((source) =>
        sourceFinding(source.name, source.operations, catalog),
      );
      return [
        ...failedSources(gateway.diagnostics()),
        ...compiled,
        ...checkSkillTools(configuration, gateway.diagnostics()),
        ...checkBudgets(configuration.policy.budgets ?? [], view),
        ...(await checkReachability(configuration, catalog)),
      ];
    } finally {
      await gateway.close();
    }
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    const place = error.location === undefined ? '' : ` (${error.location})`;
    return [{ check: 'sources', status: 'error', message: `${error.message}${place}`, next: error.next }];
  }
}

/** Nobody is asked to sign in for an examination: `checkAzure` says what there is to say of the others. */
function withoutSignIn(sources: Configuration['sources']): Configuration['sources'] {
  const asking = (source: Configuration['sources'][string]) =>
    azureOf(source)?.authentication === 'interactive';
  return Object.fromEntries(Object.entries(sources).filter(([, source]) => !asking(source)));
}

function sourceFinding(name: string, operations: number, catalog: Catalog): Finding {
  const skipped = catalog.skipped.filter(({ source }) => source === name).length;
  const quarantined = catalog.entries.filter((entry) => entry.source === name && entry.quarantined).length;
  const check = `source ${name}`;
  const message = `${operations} operations${skipped > 0 ? `, ${skipped} left out` : ''}`;
  if (quarantined > 0) {
    return {
      check,
      status: 'warning',
      message: `${message}; ${quarantined} changed definitions wait for acceptance`,
      next: ERRORS.tool_quarantined.next,
    };
  }
  if (operations === 0) {
    return {
      check,
      status: 'warning',
      message: `${message}: it has no tools`,
      next: '`toolcrib compile` says why each operation was left out.',
    };
  }
  return { check, status: 'ok', message };
}

function failedSources(diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics
    .filter(({ code }) => code === 'source-failed')
    .map(({ source, message }) => ({
      check: `source ${source ?? ''}`.trim(),
      status: 'error',
      message,
      next: ERRORS.source_unreadable.next,
    }));
}

/** One harmless HEAD request to each origin; any HTTP answer counts as reachable. */
async function checkReachability(configuration: Configuration, catalog: Catalog): Promise<Finding[]> {
  const origins = [...originsOf(configuration, catalog)].slice(0, MOST_ORIGINS);
  if (origins.length === 0) return [];
  const { createEgress } = await import('../../egress/index.ts');
  const egress = createEgress({ allow: configuration.egress.allow });
  try {
    return await Promise.all(
      origins.map(async (origin): Promise<Finding> => {
        const limits = { timeoutMs: REACH_TIMEOUT_MS, maxBytes: 65_536, maxRedirects: 0 };
        const request = { method: 'HEAD', url: `${origin}/`, headers: [] };
        return egress.request(request, limits, AbortSignal.timeout(REACH_TIMEOUT_MS)).then(
          ({ status }) => ({ check: 'service', status: 'ok', message: `${origin} answers (${status})` }),
          (error: unknown) => unreachable(origin, error),
        );
      }),
    );
  } finally {
    await egress.close();
  }
}

function unreachable(origin: string, error: unknown): Finding {
  const check = 'service';
  if (!(error instanceof EgressFailure)) throw error;
  if (error.kind === 'redirect' || error.status !== undefined)
    return { check, status: 'ok', message: `${origin} answers` };
  if (error.kind === 'egress_blocked') {
    return {
      check,
      status: 'error',
      message: `${origin}: ${error.message}`,
      next: ERRORS.egress_blocked.next,
    };
  }
  return {
    check,
    status: 'error',
    message: `${origin} does not answer: ${error.message}`,
    next: 'Check the address, the network, and whether the service runs.',
  };
}

/** Where calls would go: the base URL of the configuration, else the document's servers. */
function originsOf({ sources }: Configuration, catalog: Catalog): Set<string> {
  const origins = new Set<string>();
  for (const entry of catalog.entries) {
    const source = sources[entry.source];
    if (source === undefined || source.kind === 'self') continue;
    if (source.baseUrl !== undefined) {
      origins.add(new URL(source.baseUrl).origin);
      continue;
    }
    const { invocation } = entry.load();
    const origin =
      invocation.kind === 'http' ? serverOrigin(invocation, source.serverVariables ?? {}) : undefined;
    if (origin !== undefined) origins.add(origin);
  }
  return origins;
}

function serverOrigin(
  { servers }: HttpInvocation,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  const [server] = servers;
  if (server === undefined) return undefined;
  const text = server.url.replace(
    /\{([^}]+)\}/g,
    (_all, name: string) => variables[name] ?? server.variables?.[name]?.default ?? '',
  );
  const url = URL.parse(text);
  return url?.protocol.startsWith('http') ? url.origin : undefined;
}
