import type { AddHelpTextContext, Command } from 'commander';
import type { Terminal } from './terminal/terminal.ts';
import { unknownCommand } from './usage-error.ts';

/** Descriptions are wrapped beside their options down to so many columns. */
const HELP_LAYOUT = { minWidthToWrap: 16 };

/** A program that writes where the terminal says, and throws what it complains about. */
export function onTerminal(program: Command, terminal: Terminal): Command {
  return program
    .helpCommand(false)
    .exitOverride()
    .configureHelp(HELP_LAYOUT)
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      // what is wrong is told as our own error
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => terminal.colour,
    })
    .addHelpText('beforeAll', ofThatCommand);
}

/** Help that is asked for with a word that no command is called would be that of another command. */
function ofThatCommand({ command }: AddHelpTextContext): string {
  const [word] = command.args;
  if (command.commands.length > 0 && word !== undefined && !word.startsWith('-'))
    throw unknownCommand(word, command);
  return '';
}
