import type { Terminal } from '../../terminal.ts';
import { createAdminProgram } from './admin-program.ts';

/** Runs the words after `toolcrib admin`; resolves to the exit code. */
export async function admin(words: readonly string[], terminal: Terminal): Promise<number> {
  let exit = 0;
  const program = createAdminProgram(terminal, (code) => {
    exit = code;
  });
  await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
  return exit;
}
