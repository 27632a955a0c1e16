import type { Catalog } from '../catalog/catalog.ts';
import type { Environment } from '../config/index.ts';
import { findInterpreter } from '../sandbox/index.ts';
import type { Finding } from './finding.ts';

/** Interpreters that scripts of the catalog's skills need and that are not there. */
export async function checkSkillPrograms(catalog: Catalog, env: Environment): Promise<Finding[]> {
  const skills = new Set(catalog.sources.filter(({ kind }) => kind === 'skills').map(({ name }) => name));
  if (skills.size === 0) return [];
  const tools = new Map<Parameters<typeof findInterpreter>[0], string[]>();
  for (const entry of catalog.entries) {
    if (!skills.has(entry.source)) continue;
    const { invocation } = entry.load();
    const program = invocation.kind === 'script' ? invocation.interpreter : undefined;
    // node is the one that runs this
    if (program !== undefined && program !== 'node')
      tools.set(program, [...(tools.get(program) ?? []), entry.name]);
  }
  const absent: Finding[] = [];
  for (const [program, names] of tools) {
    if ((await findInterpreter(program, env['PATH'])) !== undefined) continue;
    const count = names.length === 1 ? `The tool ${names[0]} needs` : `${names.length} tools need`;
    absent.push({
      check: 'skills',
      status: 'error',
      message: `${count} ${program}, which is not found.`,
      next: `Install ${program} where PATH finds it, and start Toolcrib again.`,
    });
  }
  return absent;
}
