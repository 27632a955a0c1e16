import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration } from '../config/index.ts';
import { azureOf } from '../config/settings/azure.ts';
import { upstreamOf } from '../config/settings/upstreams.ts';
import { ERRORS } from '../errors.ts';
import type { Diagnostic } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** What was compiled of every source, and what became of those that could not be read. */
export function checkSources(
  { sources }: Configuration,
  catalog: Catalog,
  diagnostics: readonly Diagnostic[],
): Finding[] {
  const compiled = catalog.sources.map(({ name, operations }) => sourceFinding(name, operations, catalog));
  return [
    ...failedSources(sources, diagnostics),
    ...compiled,
    ...hastySources(sources),
    ...endingProviders(diagnostics),
  ];
}

/** Hardly any service answers within it: who writes `timeout: 30` means seconds. */
const LEAST_TIMEOUT_MS = 1000;

function hastySources(sources: Configuration['sources']): Finding[] {
  return Object.entries(sources)
    .filter(([, { timeoutMs = LEAST_TIMEOUT_MS }]) => timeoutMs < LEAST_TIMEOUT_MS)
    .map(([name, { timeoutMs }]) => ({
      check: `timeout of ${name}`,
      status: 'warning',
      message: `Its calls end after ${timeoutMs} ms.`,
      next: `A number alone is milliseconds; with a unit it is what it says: sources.${name}.limits.timeout: 30s.`,
    }));
}

/** What a provider's manifest says of its end: nothing else tells before calls fail. */
function endingProviders(diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics
    .filter(({ code }) => code === 'provider-deprecated')
    .map(({ source = '', message }) => ({
      check: `provider of ${source}`,
      status: 'warning',
      message,
      next: `Name what takes its place under sources.${source}.manifest, and have accounts connected for it.`,
    }));
}

/** Nobody is asked to sign in for an examination: `checkAzure` says what there is to say of the others. */
export function withoutSignIn(configuration: Configuration): Configuration {
  const asking = (source: Configuration['sources'][string]) =>
    azureOf(source)?.authentication === 'interactive';
  const sources = Object.entries(configuration.sources).filter(([, source]) => !asking(source));
  return { ...configuration, sources: Object.fromEntries(sources) };
}

function sourceFinding(name: string, operations: number, catalog: Catalog): Finding {
  const skipped = catalog.skipped.filter(({ source }) => source === name).length;
  const quarantined = catalog.entries.filter((entry) => entry.source === name && entry.quarantined).length;
  const check = `source ${name}`;
  const message = `${operations} operation${operations === 1 ? '' : 's'}${skipped > 0 ? `, ${skipped} left out` : ''}`;
  if (quarantined > 0) {
    return {
      check,
      status: 'warning',
      message: `${message}; ${quarantined === 1 ? '1 changed definition waits' : `${quarantined} changed definitions wait`} for acceptance`,
      next: ERRORS.tool_quarantined.next,
    };
  }
  const shadowed = catalog.diagnostics.filter(
    ({ code, source }) => code === 'tool-shadowed' && source === name,
  ).length;
  if (shadowed > 0) {
    return {
      check,
      status: 'warning',
      message: `${message}; ${shadowed === 1 ? '1 tool is' : `${shadowed} tools are`} not offered, since the name is taken`,
      next: `\`toolcrib compile\` says by whom: give one of them a prefix, such as sources.${name}.prefix.`,
    };
  }
  if (operations === 0) {
    return {
      check,
      status: 'warning',
      message: `${message}: it has no tools`,
      next:
        skipped > 0
          ? '`toolcrib compile` says why each operation was left out.'
          : catalog.diagnostics.some(({ source }) => source === name)
            ? '`toolcrib compile` says what was found in it.'
            : 'Nothing was left out either: compare its entry with what it is to bring.',
    };
  }
  return { check, status: 'ok', message };
}

function failedSources(sources: Configuration['sources'], diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics
    .filter(({ code }) => code === 'source-failed')
    .map(({ source = '', message, next }) => ({
      check: `source ${source}`.trim(),
      status: 'error',
      message,
      next: unreadableAdvice(source, sources[source], next),
    }));
}

/** What the failure itself advises: to correct the document, to sign in. A server that does not start needs more than time. */
function unreadableAdvice(
  name: string,
  source: Configuration['sources'][string] | undefined,
  next: string = ERRORS.upstream_unavailable.next,
): string {
  if (next !== ERRORS.upstream_unavailable.next) return next;
  if (source === undefined || upstreamOf(source) === undefined) return ERRORS.source_unreadable.next;
  return `Correct its entry in the configuration; \`toolcrib upstream status ${name}\` starts it alone.`;
}
