import type { Command } from 'commander';
import type { Terminal } from '../../terminal/terminal.ts';
import { gather, verb as storeVerb } from '../admin/verb.ts';
import type { SkillImportCommandOptions } from './import.ts';
import type { InferOptions } from './infer.ts';
import type { SkillsOptions } from './rooms.ts';

/** `toolcrib skills …`: works on the folders of skills directly, without a running gateway. */
export function addSkills(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const group = program
    .command('skills')
    .description('skills and the tools that they bring: import, list, remove, check them')
    .helpCommand(false);
  const verb = (name: string, description: string, isDefault = false) =>
    storeVerb(group, name, description, isDefault).option(
      '--source <name>',
      'one of several sources of skills',
    );
  const load = () => import('./skills.ts');
  verb('list', 'every skill with its tools and its state', true).action(async (options: SkillsOptions) =>
    done(await (await load()).listSkills(options, terminal)),
  );
  verb('import', 'install skills from a folder, an archive, a SKILL.md or a git repository')
    .argument('<source>', 'path, https address, or git address: https://host/owner/repo.git#ref:folder')
    .option('--force', 'replace a good skill even by one that is worse')
    .option('--only <name>', 'only this of several skills (repeatable)', gather)
    .action(async (source: string, options: SkillImportCommandOptions) => {
      const { importSkills } = await import('./import.ts');
      done(await importSkills(source, options, terminal));
    });
  verb('show', 'one skill with its tools, files and findings')
    .argument('<name>', 'name of the skill')
    .action(async (name: string, options: SkillsOptions) =>
      done(await (await load()).showSkill(name, options, terminal)),
    );
  verb('remove', 'take an imported skill out')
    .argument('<name>', 'name of the skill')
    .action(async (name: string, options: SkillsOptions) =>
      done(await (await load()).removeSkill(name, options, terminal)),
    );
  verb('versions', 'versions of a skill that are kept, newest first')
    .argument('<name>', 'name of the skill')
    .action(async (name: string, options: SkillsOptions) =>
      done(await (await load()).listVersions(name, options, terminal)),
    );
  verb('restore', 'put an earlier version in its place')
    .argument('<name>', 'name of the skill')
    .argument('<version>', 'as `toolcrib skills versions` shows it, or its beginning')
    .action(async (name: string, version: string, options: SkillsOptions) =>
      done(await (await load()).restoreVersion(name, version, options, terminal)),
    );
  addReviewing(group, terminal, done);
}

/** Commands on folders that need no source. */
function addReviewing(group: Command, terminal: Terminal, done: (exit: number) => void): void {
  group
    .command('lint')
    .argument('<folders...>', 'skills, or folders of skills')
    .description('check skills and their manifests')
    .option('--json', 'print JSON')
    .action(async (folders: string[], options: { json?: boolean }) => {
      const { lint } = await import('../lint.ts');
      done(await lint(folders, { ...options, isOfSkills: true }, terminal));
    });
  group
    .command('infer')
    .argument('<folder>', 'a skill with scripts and without a manifest')
    .description('propose a tool-manifest.yaml from what the scripts say of themselves')
    .option('--run-help', 'run the scripts with --help as well, isolated')
    .option('--write', 'write it to tool-manifest.proposed.yaml, to be read and corrected')
    .option('--accept', 'show the proposal and make it tool-manifest.yaml')
    .option('-y, --yes', 'with --accept: do not ask')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: InferOptions) => {
      const { infer } = await import('./infer.ts');
      done(await infer(folder, options, terminal));
    });
}
