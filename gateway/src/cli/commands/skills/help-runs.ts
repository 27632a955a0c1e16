import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolcribError } from '../../../errors.ts';

const HELP_MS = 10_000;
const MAX_HELP_BYTES = 64 * 1024;
const HEAD_BYTES = 256;

/**
 * Runs scripts of a skill with `--help`, each isolated, without network, and unable to write: nobody has looked at
 * them yet. Answers with what they print. Throws `sandbox_unavailable` where nothing isolates here.
 */
export async function helpRuns(
  folder: string,
  executables: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<(entry: string) => Promise<string>> {
  const [{ isolationInForce, isolationText }, { runScript }, { resolveProgram }, { interpreterOf }] =
    await Promise.all([
      import('../../../sandbox/index.ts'),
      import('../../../executors/script/index.ts'),
      import('../../../executors/script/resolve-program.ts'),
      import('../../../sources/skill/interpreter.ts'),
    ]);
  const isolation = await isolationInForce();
  if (!isolation.available)
    throw new ToolcribError(
      'sandbox_unavailable',
      `Scripts that nobody has read are not run: ${isolationText(isolation)}.`,
      { next: 'Install bubblewrap (bwrap), or leave out --run-help.' },
    );
  return async (entry) => {
    const path = join(folder, entry);
    const starts = await interpreterOf({
      path: entry,
      executable: executables.has(entry),
      head: () => headOf(path),
    });
    if (typeof starts === 'object') return '';
    const program = starts === 'itself' ? { program: path, read: [] } : await resolveProgram(starts);
    if (program === undefined) return '';
    const { stdout, stderr } = await runScript({
      program: program.program,
      args: starts === 'itself' ? ['--help'] : [path, '--help'],
      cwd: folder,
      env: {},
      timeoutMs: HELP_MS,
      maxOutputBytes: MAX_HELP_BYTES,
      signal,
      isolation: { network: false, read: program.read, write: [] },
    });
    return stdout.trim() === '' ? stderr : stdout;
  };
}

async function headOf(path: string): Promise<string> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
