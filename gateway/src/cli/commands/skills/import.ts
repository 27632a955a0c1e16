import { resolve } from 'node:path';
import type { Configuration } from '../../../config/index.ts';
import { skillPolicyOf } from '../../../config/settings/skills.ts';
import { ERRORS } from '../../../errors.ts';
import { printable } from '../../../operations/text/printable.ts';
import type { ImportedSkill, SkillImport, SkillImportSource } from '../../../skills/room.ts';
import { counted } from '../../counted.ts';
import { json, painter, type Terminal } from '../../terminal/terminal.ts';
import { type OpenedSkills, onlyOne, type SkillsOptions, withSkills } from './rooms.ts';

export interface SkillImportCommandOptions extends SkillsOptions {
  readonly force?: boolean;
  readonly only?: readonly string[];
}

/**
 * Imports skills from a path or an address into the first folder of skills. A tool that is invalid is no failure; exit
 * code 65 where one skill of several was refused.
 */
export async function importSkills(
  target: string,
  { force, only, ...options }: SkillImportCommandOptions,
  terminal: Terminal,
): Promise<number> {
  return withSkills(
    options,
    terminal,
    async (all, signal) => {
      const opened = onlyOne(all);
      const imported = await opened.room.import(
        sourceOf(target, terminal),
        { ...(force ? { force } : {}), ...(only === undefined ? {} : { only }) },
        signal,
      );
      const isolation = await isolationOf(opened.configuration);
      if (options.json) terminal.out(json({ ...imported, isolation }));
      else {
        show(imported, opened, isolation, terminal);
        await showUnusedScripts(imported, opened, terminal);
      }
      const isWhole = imported.skills.every(({ refused }) => refused === undefined);
      return isWhole ? 0 : ERRORS.skill_import_refused.exit;
    },
    { recorded: true },
  );
}

/** An address has a scheme, or is what `git clone` takes for one. */
function sourceOf(target: string, { cwd }: Terminal): SkillImportSource {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(target) || /^[\w.-]+@[\w.-]+:/.test(target);
  return isAddress ? { kind: 'url', url: target } : { kind: 'path', path: resolve(cwd, target) };
}

function show(
  { skills, findings = [] }: SkillImport,
  opened: OpenedSkills,
  isolation: string,
  terminal: Terminal,
): void {
  for (const skill of skills) showOne(skill, terminal);
  for (const finding of findings) terminal.note(printable(finding));
  terminal.out(`Isolation of scripts: ${isolation}`);
  if (opened.configured) return;
  terminal.note('No source of skills is configured. To serve them, add to toolcrib.yaml:');
  terminal.note('sources:\n  skills:\n    skills: {}');
}

/** Most public skills have scripts and no manifest: they bring no tool before somebody accepts one. */
async function showUnusedScripts(
  { skills }: SkillImport,
  { room }: OpenedSkills,
  terminal: Terminal,
): Promise<void> {
  const { scriptsWithoutManifest } = await import('../../../sources/skill/index.ts');
  for (const { id } of skills) {
    const skill = room.get(id);
    const scripts = skill === undefined ? [] : scriptsWithoutManifest(skill.files);
    if (scripts.length === 0) continue;
    const what = `${printable(id)} has ${counted(scripts.length, 'script')} and no tool-manifest.yaml`;
    terminal.note(`${what}: toolcrib skills infer ${printable(skill!.folder)} proposes one.`);
  }
}

/** What became of one skill, for people. */
export function showOne(skill: ImportedSkill, terminal: Terminal): void {
  const paint = painter(terminal);
  const { id, version, previous, compiled_ok: tools, invalid, shadowed, refused } = skill;
  if (refused !== undefined) {
    terminal.out(`${paint('bold', printable(id))} ${paint('red', 'refused')}: ${printable(refused.message)}`);
    if (refused.location !== undefined) terminal.out(`  at: ${printable(refused.location)}`);
    return;
  }
  const before = previous === undefined || previous === version ? '' : ` (was ${shortVersion(previous)})`;
  const same = previous === version ? ' (unchanged)' : before;
  terminal.out(`${paint('bold', printable(id))} ${shortVersion(version)}${same}: ${counted(tools, 'tool')}`);
  if (skill.overridden_by !== undefined)
    terminal.out(`  ${paint('yellow', 'overridden')} by the one in ${printable(skill.overridden_by)}`);
  for (const { place, name, error } of invalid)
    terminal.out(
      `  ${paint('red', 'invalid')} ${printable(place)}${name === undefined ? '' : ` ${printable(name)}`}: ${printable(error)}`,
    );
  for (const name of shadowed)
    terminal.out(
      `  ${paint('yellow', 'shadowed')} ${printable(name)}: another source has a tool of that name`,
    );
}

/** Twelve digits tell versions apart for people. */
export function shortVersion(version: string): string {
  return version.slice(0, 'sha256:'.length + 12);
}

/** How scripts of skills would run on this machine, as the policy is. */
export async function isolationOf(configuration: Configuration): Promise<string> {
  const { scriptIsolation } = await import('../../../sandbox/index.ts');
  return scriptIsolation(skillPolicyOf(configuration).mode);
}
