import { stat } from 'node:fs/promises';
import { absolutePath } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Refuses a file that is not there before anything is asked: no answer would help. Every other fault is its reader's. */
export async function requireDocuments(
  documents: readonly string[],
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
): Promise<void> {
  for (const document of documents) {
    if (document === '-' || /^(https?|file):/i.test(document)) continue;
    const location = absolutePath(document.trim(), cwd, env);
    await stat(location).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') return;
      const message = `Cannot read ${location}: There is no such file.`;
      throw new ToolcribError('source_unreadable', message, { location, cause });
    });
  }
}
