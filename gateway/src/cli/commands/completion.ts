import type { Command } from 'commander';
import { ToolcribError } from '../../errors.ts';
import { singleQuoted } from '../../operations/text/single-quoted.ts';
import { CLIENTS } from '../clients/registry.ts';
import type { Terminal } from '../terminal/terminal.ts';

const SHELLS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash,
  zsh,
  fish,
};

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: ReadonlyArray<{ readonly flag: string; readonly description: string }>;
  /** Fixed words for the first argument. */
  readonly words: readonly string[];
}

/** Prints a script for the shell; commands, options and fixed words, made from the program itself. */
export function completion(shell: string, program: Command, terminal: Terminal): number {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined) {
    throw new ToolcribError(
      'usage',
      `There is no completion for "${shell}"; there is for ${Object.keys(SHELLS).join(', ')}.`,
    );
  }
  terminal.out(script(program.commands.map((command) => completed(command, program))));
  return 0;
}

function completed(command: Command, program: Command): CompletedCommand {
  const fixed: Readonly<Record<string, readonly string[]>> = {
    connect: Object.keys(CLIENTS),
    disconnect: Object.keys(CLIENTS),
    completion: Object.keys(SHELLS),
    help: [...program.commands.map((one) => one.name()), 'exit-codes'],
  };
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.map(({ long, short, description }) => ({
      flag: long ?? short ?? '',
      description,
    })),
    words: fixed[command.name()] ?? [],
  };
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) words="${[...words, ...options.map(({ flag }) => flag)].join(' ')}" ;;`,
  );
  return `# toolcrib completion for bash: eval "$(toolcrib completion bash)"
_toolcrib() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolcrib toolcrib`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) compadd -- ${[...words, ...options.map(({ flag }) => flag)].join(' ')} ;;`,
  );
  return `#compdef toolcrib
# toolcrib completion for zsh: source <(toolcrib completion zsh)
_toolcrib() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, description }) => `      ${singleQuoted(`${name}:${description}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
compdef _toolcrib toolcrib`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => [
    `complete -c toolcrib -n __fish_use_subcommand -a ${name} -d ${singleQuoted(description)}`,
    ...words.map((word) => `complete -c toolcrib -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
    ...options
      .filter(({ flag }) => flag.startsWith('--'))
      .map(
        (option) =>
          `complete -c toolcrib -n '__fish_seen_subcommand_from ${name}' -l ${option.flag.slice(2)} -d ${singleQuoted(option.description)}`,
      ),
  ]);
  return ['# toolcrib completion for fish: toolcrib completion fish | source', ...lines].join('\n');
}
