import type { Command } from 'commander';
import { ERRORS, ToolcribError } from '../../errors.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import type { Terminal } from '../terminal/terminal.ts';

const TOPICS = ['exit-codes'];

/** Help about the program, a command such as `admin user add`, or a topic. */
export async function help(words: readonly string[], program: Command, terminal: Terminal): Promise<number> {
  if (words[0] === 'exit-codes') {
    terminal.out(exitCodes());
    return 0;
  }
  const command = words[0] === 'admin' ? await adminProgram(words, terminal) : commandAt(words, program);
  terminal.out(command.helpInformation().trimEnd());
  if (words.length === 0) terminal.out('\nTopics: toolcrib help exit-codes');
  return 0;
}

async function adminProgram([, ...words]: readonly string[], terminal: Terminal): Promise<Command> {
  const { createAdminProgram } = await import('./admin/admin-program.ts');
  return commandAt(
    words,
    createAdminProgram(terminal, () => undefined),
  );
}

function commandAt(words: readonly string[], program: Command): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (found !== undefined) return found;
    const known = [...command.commands.map((one) => one.name()), ...(command === program ? TOPICS : [])];
    throw new ToolcribError('usage', `There is no help about "${word}".${didYouMean(word, known)}`);
  }, program);
}

/** sysexits.h, as used here. */
const MEANINGS: Readonly<Record<number, string>> = {
  64: 'the command line is wrong, or names something that does not exist',
  65: 'the data given is wrong: document, arguments or answer',
  66: 'an input cannot be read',
  69: 'a service is unavailable, or answered with an error',
  70: 'a fault of Toolcrib',
  73: 'a file cannot be written as asked',
  75: 'a temporary failure, or an outcome that is not known',
  77: 'not permitted: credentials, access or egress',
  78: 'the configuration is wrong',
};

/** Generated from the registry of errors, so that it is complete. */
function exitCodes(): string {
  const codes = Map.groupBy(Object.entries(ERRORS), ([, { exit }]) => exit);
  const lines = [...codes]
    .sort(([left], [right]) => left - right)
    .flatMap(([exit, rows]) => [
      `  ${exit}  ${MEANINGS[exit] ?? ''}`.trimEnd(),
      `      ${rows.map(([code]) => code).join(', ')}`,
    ]);
  return [
    'Exit codes (sysexits.h) and the error codes behind them:',
    '',
    '   0  success',
    ...lines,
    ' 130  broken off by Ctrl-C; 143 by a signal to end',
    '',
    '`toolcrib doctor` exits with 78 when it finds an error, `compile --diff` with 65 when something differs.',
  ].join('\n');
}
