import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { verb as storeVerb } from './admin/verb.ts';
import type { ApprovalsOptions } from './approvals.ts';

/** `toolcrib approvals …`: decides as the owner of this machine, in the store, without a server. */
export function addApprovals(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const group = program
    .command('approvals')
    .description('calls that wait for a person: list, look, decide')
    .helpCommand(false);
  const verb = (name: string, description: string, isDefault = false): Command =>
    storeVerb(group, name, description, isDefault);
  const id = 'id of the approval; its first characters are enough';
  const load = () => import('./approvals.ts');

  verb('list', 'what waits for a decision', true)
    .option('--all', 'decided and expired ones, too')
    .option('--source <name>', 'only calls of this source')
    .action(async (options: ApprovalsOptions) => done(await (await load()).listApprovals(options, terminal)));
  verb('show', 'one approval with everything a person should know')
    .argument('<id>', id)
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).showApproval(given, options, terminal)),
    );
  verb('approve', 'let the call happen, once')
    .argument('<id>', id)
    .option('--edit <file>', 'with other arguments: a JSON object from a file, or - for standard input')
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).approve(given, options, terminal)),
    );
  verb('always', 'let it happen, now and from now on, until it is revoked')
    .argument('<id>', id)
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).approveAlways(given, options, terminal)),
    );
  verb('reject', 'refuse the call')
    .argument('<id>', id)
    .option('--reason <text>', 'told to the caller')
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).reject(given, options, terminal)),
    );
  verb('link', 'a one-time page for another person; whoever has the link decides')
    .argument('<id>', id)
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).linkApproval(given, options, terminal)),
    );
  verb('standing', 'what was approved from then on').action(async (options: ApprovalsOptions) =>
    done(await (await load()).listStanding(options, terminal)),
  );
  verb('revoke', 'take a standing approval back; in force at the next call')
    .argument('<id>', 'id of the standing approval; its first characters are enough')
    .action(async (given: string, options: ApprovalsOptions) =>
      done(await (await load()).revokeStanding(given, options, terminal)),
    );
  verb('token', 'the token that decides over HTTP; no client that calls tools may have it').action(
    async (options: ApprovalsOptions) => done(await (await load()).showToken(options, terminal)),
  );
  verb('watch', 'show each call as it comes, and decide by a key').action(
    async (options: ApprovalsOptions) => {
      const { watchApprovals } = await import('./approvals-watch.ts');
      done(await watchApprovals(options, terminal));
    },
  );
}
