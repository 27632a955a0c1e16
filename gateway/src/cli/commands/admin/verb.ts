import type { Command } from 'commander';
import type { OpenedDirectory } from './with-directory.ts';

/** How a verb does its work and shows it. */
export type Run = <T>(
  command: Command,
  work: (opened: OpenedDirectory) => Promise<T>,
  show: (answer: T) => void,
) => Promise<void>;

/** A verb with the options that all of them share. `isDefault`: done where the group is named alone. */
export function verb(group: Command, name: string, description: string, isDefault = false): Command {
  return group
    .command(name, { isDefault })
    .description(description)
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--state-dir <folder>', 'where the default store lies')
    .option('--json', 'print JSON');
}

export function gather(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Options that were given, without those that all verbs share. `none` empties a list or a text. */
export function given(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { config: _config, stateDir: _stateDir, json: _json, ...own } = options;
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}
