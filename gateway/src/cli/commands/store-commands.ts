import type { Command } from 'commander';
import type { SourceOptions } from '../options/source-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { verb } from './admin/verb.ts';

/** `toolcrib store status|migrate|backup|restore`. */
export function addStore(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const store = program
    .command('store')
    .description('look at the store, migrate it, back it up, restore it')
    .helpCommand(false);
  verb(store, 'status', 'version, size, rows and the processes that are alive', true).action(
    async (options: SourceOptions) => {
      const { storeStatus } = await import('./store.ts');
      done(await storeStatus(options, terminal));
    },
  );
  verb(store, 'migrate', 'bring it to the version of this program').action(async (options: SourceOptions) => {
    const { storeMigrate } = await import('./store.ts');
    done(await storeMigrate(options, terminal));
  });
  verb(store, 'backup', 'copy a SQLite store while it is in use; for PostgreSQL, show the command')
    .argument('<file>', 'where the copy goes; nothing is overwritten')
    .action(async (file: string, options: SourceOptions) => {
      const { storeBackup } = await import('./store.ts');
      done(await storeBackup(file, options, terminal));
    });
  verb(store, 'restore', 'put a backup in its place, once its gateways have stopped; what was there is kept')
    .argument('<file>', 'what `store backup` wrote')
    .action(async (file: string, options: SourceOptions) => {
      const { storeRestore } = await import('./store.ts');
      done(await storeRestore(file, options, terminal));
    });
}
