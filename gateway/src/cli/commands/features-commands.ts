import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { verb as storeVerb } from './admin/verb.ts';
import type { FeaturesOptions } from './features.ts';

/** `toolcrib features …`: groups of operations are switched in the store, without a server. */
export function addFeatures(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const group = program
    .command('features')
    .description('groups of operations: list them, switch them on and off')
    .helpCommand(false);
  const load = () => import('./features.ts');
  storeVerb(group, 'list', 'every feature with its state', true).action(async (options: FeaturesOptions) =>
    done(await (await load()).listFeatures(options, terminal)),
  );
  const switching = (name: string, description: string, enabled: boolean | undefined) =>
    storeVerb(group, name, description)
      .argument('<feature>', 'SOURCE.FEATURE')
      .action(async (feature: string, options: FeaturesOptions) =>
        done(await (await load()).switchFeature(feature, enabled, options, terminal)),
      );
  switching('on', 'offer its operations', true);
  switching('off', 'hide its operations from everybody', false);
  switching('reset', 'as the configuration says', undefined);
}
