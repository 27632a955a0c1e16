import { lockEntries } from '../../assembly/compiling/lock-review.ts';
import { readIfPresent, writeAtomically } from '../../catalog/lock-files.ts';
import { compareWithLock } from '../../compiler/lock.ts';
import { parseLock } from '../../compiler/lock-file.ts';
import { createReport, serializeReport } from '../../compiler/report.ts';
import type { Gateway } from '../../gateway.ts';
import { createTokenCounter } from '../../tokens/index.ts';
import { givenText } from '../../topology/given-text.ts';

/** Writes `toolcrib.report.json`: what became a tool, what did not, and what differs from the lock. */
export async function writeReport(gateway: Gateway): Promise<void> {
  const { catalog, topologies = [] } = gateway.view();
  const { file, report } = gateway.configuration.lock;
  const locked = await readIfPresent(file);
  const count = createTokenCounter();
  const content = createReport({
    catalog: catalog.hash,
    sources: catalog.sources,
    entries: catalog.entries.map(({ source, facts, tool }) => ({
      source,
      operation: facts.id,
      tool: tool.name,
      tokens: count(givenText({ tool })),
    })),
    skipped: catalog.skipped,
    diagnostics: gateway.diagnostics(),
    topologies,
    quarantined: new Set(catalog.entries.filter(({ quarantined }) => quarantined).map(({ name }) => name)),
    ...(locked === undefined
      ? {}
      : { changes: compareWithLock(lockEntries(catalog), parseLock(locked, file)) }),
  });
  await writeAtomically(report, serializeReport(content));
}
