import type { Command } from 'commander';
import { type AccessLevel, LEVELS } from '../../../operations/index.ts';
import { didYouMean } from '../../../operations/text/nearest-name.ts';
import type { SourceAccess } from '../../../policy/index.ts';
import { showRecord, showTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { oneOf } from './option-values.ts';
import { type Run, verb } from './verb.ts';

interface AccessOptions {
  readonly org: string;
  readonly user?: string;
}

export function addAccessCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('access').description('what admins allow and what users chose');
  const scoped = (name: string, description: string) =>
    verb(group, name, description)
      .requiredOption('--org <id>', 'organisation')
      .option('--user <id>', "that user's own choice; without it, what the organisation allows");

  const list = scoped('list', 'list the levels that were set').alias('show');
  list.action(({ org, user }: AccessOptions) =>
    run(
      list,
      ({ directory, by }) =>
        directory.levels.list(by, { organisation: org, ...(user === undefined ? {} : { user }) }),
      (levels) =>
        showTable(
          levels,
          [
            ['WHO', (level) => level.user ?? '(organisation)'],
            ['SCOPE', ({ scope }) => scope],
            ['LEVEL', ({ level }) => level],
            ['SINCE', ({ updatedAt }) => updatedAt],
          ],
          terminal,
        ),
    ),
  );

  const set = scoped('set', 'set a level')
    .argument('<scope>', 'ats, category:ats, category:* or source:NAME')
    .argument('<level>', 'read-write, read-only, disabled or none', oneOf(...LEVELS));
  set.action((scope: string, level: AccessLevel, { org, user = undefined }: AccessOptions) =>
    run(
      set,
      async ({ directory, by, sources }) => {
        const answer = await directory.levels.set(by, {
          organisation: org,
          user: user ?? null,
          scope: scopeOf(scope),
          level,
        });
        const concerned = concernsNone(scopeOf(scope), sources);
        if (concerned !== undefined) terminal.note(concerned);
        return answer;
      },
      (answer) => showRecord(answer, terminal),
    ),
  );

  const remove = scoped('remove', 'remove a level; what has none has no access').argument(
    '<scope>',
    'as in `set`',
  );
  remove.action((scope: string, { org, user }: AccessOptions) =>
    run(
      remove,
      ({ directory, by }) =>
        directory.levels.remove(by, { organisation: org, user: user ?? null, scope: scopeOf(scope) }),
      () => terminal.out(`There is no level for ${scopeOf(scope)} any more.`),
    ),
  );
}

/** A bare word is a category. */
function scopeOf(text: string): string {
  return text.includes(':') ? text : `category:${text}`;
}

/** What is said of a category that no source has: it may be meant for one to come, or be the name of a source. */
function concernsNone(scope: string, sources: Readonly<Record<string, SourceAccess>>): string | undefined {
  const category = scope.replace(/^category:/, '');
  const known = [...new Set(Object.values(sources).map((source) => source.category))].sort();
  if (category === scope || category === '*' || known.includes(category)) return undefined;
  const meant = Object.hasOwn(sources, category)
    ? ` The source of that name is source:${category}.`
    : didYouMean(category, known);
  return `No source has the category ${category}; they have ${known.join(', ') || 'none'}.${meant}`;
}
