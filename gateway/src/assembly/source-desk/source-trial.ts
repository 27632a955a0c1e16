import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { asToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { SourceReport, SourceTrial } from '../../server/http/admin/gateway-sources.ts';
import { faultOf } from './source-states.ts';
import { inTrialGateway } from './trial-gateway.ts';

export interface TrialParts {
  /** As it counts now. */
  readonly configuration: Configuration;
  readonly catalog: Catalog;
  readonly open: (configuration: Configuration) => Promise<Gateway>;
}

const MAX_TOOLS = 500;
const MAX_FINDINGS = 200;

/** Reads one source in a gateway of its own: what comes of it is what the running gateway would have. */
export async function trySource(
  name: string,
  source: SourceConfiguration,
  parts: TrialParts,
  signal: AbortSignal,
): Promise<SourceTrial> {
  try {
    signal.throwIfAborted();
    return await inTrialGateway(name, source, parts.configuration, parts.open, async (gateway) => {
      signal.throwIfAborted();
      return trialOf(await reportFrom(gateway, name), parts.catalog);
    });
  } catch (error) {
    signal.throwIfAborted();
    return { ...NOTHING, error: faultOf(asToolcribError(error)) };
  }
}

const NOTHING = { operations: 0, tools: [], skipped: [], skippedCount: 0, diagnostics: [], taken: [] };

/** What the gateway says of its one source, by its own API. */
async function reportFrom(gateway: Gateway, name: string): Promise<SourceReport> {
  const answer = await gateway.fetch(
    new Request(`http://127.0.0.1/api/v1/sources/${encodeURIComponent(name)}`),
  );
  if (!answer.ok) throw new Error(`The trial gateway answered ${answer.status}.`);
  return (await answer.json()) as SourceReport;
}

function trialOf(report: SourceReport, catalog: Catalog): SourceTrial {
  const { source, compiled, skipped, diagnostics, baseUrl } = report;
  const taken = compiled
    .map(({ tool }) => tool)
    .filter((tool) => {
      const holder = catalog.byTool(tool)?.source;
      return holder !== undefined && holder !== source.name;
    });
  return {
    ...(source.error === undefined ? {} : { error: source.error }),
    operations: source.operations,
    tools: compiled.slice(0, MAX_TOOLS),
    skipped: skipped.slice(0, MAX_FINDINGS),
    skippedCount: source.skipped,
    diagnostics: diagnostics.slice(0, MAX_FINDINGS),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    taken: taken.slice(0, MAX_FINDINGS),
  };
}
