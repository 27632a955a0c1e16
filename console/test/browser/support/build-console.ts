import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the console as these tests serve it. */
    consoleFolder: string;
  }
}

/** Builds the console once for all browser tests, into a folder of their own. */
export default async function buildConsole(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-console-'));
  const script = join(import.meta.dirname, '../../../scripts/build.mjs');
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The console could not be built: exit code ${code}.`);
  project.provide('consoleFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
