import { Command } from 'commander';
import { onTerminal } from '../../on-terminal.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { addAccessCommands } from './access.ts';
import { addBootstrapCommand } from './bootstrap.ts';
import { addConnectionCommands } from './connections.ts';
import { addKeyCommands } from './keys.ts';
import { addOrganisationCommands } from './organisations.ts';
import { addRoleCommands } from './roles.ts';
import { addUserCommands } from './users.ts';
import type { Run } from './verb.ts';
import { withDirectory } from './with-directory.ts';

/** `toolcrib admin …`: organisations, users, roles, keys, levels and connections of a configuration's store. */
export function createAdminProgram(terminal: Terminal, done: (exit: number) => void): Command {
  const program = onTerminal(new Command('toolcrib admin'), terminal).description(
    'Administers the store of a configuration directly, as the operator; no server is needed.',
  );
  const run: Run = async (command, work, show) => {
    done(await withDirectory(command.opts(), terminal, work, show));
  };
  addBootstrapCommand(program, run, terminal);
  addOrganisationCommands(program, run, terminal);
  addUserCommands(program, run, terminal);
  addRoleCommands(program, run, terminal);
  addKeyCommands(program, run, terminal);
  addAccessCommands(program, run, terminal);
  addConnectionCommands(program, run, terminal);
  for (const group of program.commands) group.helpCommand(false);
  return program;
}
