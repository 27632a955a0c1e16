import type { Terminal } from '../../terminal/terminal.ts';
import { usageError } from '../../usage-error.ts';
import { createAdminProgram } from './admin-program.ts';

/** Runs the words after `toolcrib admin`; resolves to the exit code. */
export async function admin(words: readonly string[], terminal: Terminal): Promise<number> {
  let exit = 0;
  const program = createAdminProgram(terminal, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const usage = usageError(error, program, words);
    if (usage !== undefined) throw usage;
  }
  return exit;
}
