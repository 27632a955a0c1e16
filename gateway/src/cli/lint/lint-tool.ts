import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintPackage } from '../../sources/package/lint/lint-package.ts';
import type { TriedTool } from '../../sources/package/lint/run-examples.ts';
import type { ToolPackage } from '../../sources/package/read-package.ts';
import type { LintOptions } from './lint-options.ts';
import type { Linted } from './linted.ts';

/** A tool package, with its examples called through a gateway of its own. */
export async function lintTool(folder: string, { reader, runTests, terminal }: LintOptions): Promise<Linted> {
  const { examples, tests, findings } = await lintPackage(folder, {
    reader,
    signal: new AbortController().signal,
    tryTool: (read) => tryTool(read, folder, terminal.env),
  });
  if (!runTests) return { file: folder, kind: 'tool', operations: 1, examples, findings };
  const { runTests: run } = await import('./run-tests.ts');
  const failures = await run(folder, tests);
  return {
    file: folder,
    kind: 'tool',
    operations: 1,
    examples,
    tests: tests.length,
    findings: [...findings, ...failures],
  };
}

/** Without store, cache and lock of anybody's; an answer that does not fit its schema is an error. */
async function tryTool(
  { tool, contract }: ToolPackage,
  folder: string,
  env: LintOptions['terminal']['env'],
): Promise<TriedTool> {
  const [{ createGateway }, { parseConfiguration }] = await Promise.all([
    import('../../gateway.ts'),
    import('../../config/index.ts'),
  ]);
  const state = await mkdtemp(join(tmpdir(), 'toolcrib-lint-'));
  const remove = () => rm(state, { recursive: true, force: true });
  try {
    const configuration = await parseConfiguration(
      { store: 'none', cache: false, watch: false, output: { strict: true } },
      { baseDirectory: folder, env, overrides: { stateDirectory: state, lockDirectory: state } },
    );
    const gateway = await createGateway(configuration, { functions: { lint: { tools: [tool] } } });
    const name = gateway.view().tools[0]?.name ?? contract.name;
    return {
      call: (args) => gateway.call({ tool: name, arguments: args }),
      async close() {
        await gateway.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
