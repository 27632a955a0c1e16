import { writeAtomically } from '../catalog/lock-files.ts';
import type { Gateway } from '../gateway.ts';

/** Characters a token, roughly; `toolcrib tokens` measures. */
const CHARACTERS_PER_TOKEN = 4;

/** Writes `toolcrib.report.json`: what became a tool and what did not. The same input gives the same bytes. */
export async function writeReport(gateway: Gateway): Promise<void> {
  const { catalog } = gateway.view();
  const report = {
    version: 1,
    catalog: catalog.hash,
    sources: catalog.sources.map(({ name, kind, fingerprint, operations }) => ({
      name,
      kind,
      fingerprint,
      operations,
    })),
    tools: catalog.entries.map(({ tool, source, facts, hash }) => ({
      name: tool.name,
      source,
      operation: facts.id,
      access: facts.access,
      hash,
      estimatedTokens: estimatedTokens(tool),
    })),
    skipped: catalog.skipped,
    diagnostics: gateway.diagnostics(),
  };
  await writeAtomically(gateway.configuration.lock.report, `${JSON.stringify(report, null, 2)}\n`);
}

function estimatedTokens({
  name,
  description,
  inputSchema,
}: {
  name: string;
  description: string;
  inputSchema: object;
}): number {
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / CHARACTERS_PER_TOKEN);
}
