import { readFile } from 'node:fs/promises';
import { printable } from '../../../operations/text/printable.ts';
import type { KnownSkill, SkillRoom, SkillVersion } from '../../../skills/room.ts';
import { readSnapshot } from '../../../sources/skill/read-snapshot.ts';
import type { SkillSnapshot } from '../../../sources/skill/snapshot.ts';
import { type Column, showRecord, showTable } from '../../terminal/table.ts';
import { json, type Terminal } from '../../terminal/terminal.ts';
import { isolationOf, shortVersion, showOne } from './import.ts';
import { holderOf, keeperOf, type SkillsOptions, withSkills } from './rooms.ts';

const COLUMNS: ReadonlyArray<Column<KnownSkill & { readonly source: string }>> = [
  ['NAME', ({ id }) => id],
  ['VERSION', ({ version }) => shortVersion(version)],
  ['TOOLS', ({ tools, shadowed }) => String(tools.length - shadowed.length)],
  ['INVALID', ({ invalid }) => String(invalid.length)],
  ['SHADOWED', ({ shadowed }) => String(shadowed.length)],
  ['STATE', ({ stale }) => (stale === undefined ? 'ok' : 'stale')],
  ['FOLDER', ({ folder }) => folder],
];

/** Every skill that is found, the one that counts where several have a name. */
export function listSkills(options: SkillsOptions, terminal: Terminal): Promise<number> {
  return withSkills(options, terminal, async (opened, signal) => {
    const skills = opened.flatMap(({ source, room }) => room.list().map((skill) => ({ ...skill, source })));
    const unusable = (await Promise.all(opened.map(({ room }) => unusableIn(room, signal)))).flat();
    if (options.json) terminal.out(json({ skills: skills.map(summary), unusable }));
    else if (skills.length > 0) showTable(skills, COLUMNS, terminal);
    else if (unusable.length === 0) {
      const roots = opened.flatMap(({ settings }) => settings.roots);
      terminal.note(
        `There are no skills in ${roots.join(', ')}. \`toolcrib skills import\` brings one there.`,
      );
    }
    if (options.json) return 0;
    for (const { id, folder, stale } of skills)
      if (stale !== undefined)
        terminal.note(
          `stale ${printable(id)}: ${printable(stale.message)} (${printable(stale.location ?? folder)})`,
        );
    for (const { folder, message, location = folder } of unusable)
      terminal.note(`left out: ${printable(message)} (${printable(location)})`);
    return 0;
  });
}

/** Folders that were meant for skills, and hold none that can be used. */
async function unusableIn(room: SkillRoom, signal: AbortSignal): Promise<SkillSnapshot['problems']> {
  const file = await room.prepare(signal);
  const { problems } = readSnapshot(await readFile(file), file);
  return problems.filter(({ kept }) => kept !== true);
}

/** One skill with its tools and findings. */
export function showSkill(id: string, options: SkillsOptions, terminal: Terminal): Promise<number> {
  return withSkills(options, terminal, async (opened) => {
    const { room, source, configuration } = holderOf(id, opened);
    const skill = room.get(id)!;
    const isolation = await isolationOf(configuration);
    if (options.json) {
      const { license, compatibility, files, findings } = skill;
      terminal.out(
        json({ ...summary({ ...skill, source }), license, compatibility, files, findings, isolation }),
      );
      return 0;
    }
    const { description, version, folder, license, compatibility, stale } = skill;
    showRecord(
      { name: id, description, version, source, folder, license, compatibility, stale: stale?.message },
      terminal,
    );
    for (const { name, access, invocation } of skill.tools)
      terminal.out(
        `tool ${printable(name)}: ${access}, ${invocation.kind === 'template' ? 'http' : invocation.kind}`,
      );
    for (const { place, name, error } of skill.invalid)
      terminal.out(
        `invalid ${printable(place)}${name === undefined ? '' : ` ${printable(name)}`}: ${printable(error)}`,
      );
    for (const name of skill.shadowed) terminal.out(`shadowed ${printable(name)}`);
    for (const { severity, message, location } of skill.findings)
      terminal.out(
        `${severity} ${printable(message)}${location === undefined ? '' : ` (${printable(location)})`}`,
      );
    terminal.out(`isolation of scripts: ${isolation}`);
    return 0;
  });
}

function summary(skill: KnownSkill & { readonly source: string }) {
  const { id, source, description, version, folder, tools, invalid, shadowed, stale } = skill;
  return {
    id,
    source,
    description,
    version,
    folder,
    tools: tools.map(({ name }) => name),
    invalid,
    shadowed,
    stale,
  };
}

/** Takes an imported skill out. Another of its name may stand there then. */
export function removeSkill(id: string, options: SkillsOptions, terminal: Terminal): Promise<number> {
  return withSkills(options, terminal, async (opened) => {
    const { room } = holderOf(id, opened);
    await room.remove(id);
    const next = room.get(id);
    if (options.json) terminal.out(json({ removed: id, now: next?.folder ?? null }));
    else
      terminal.out(
        next === undefined ? `${id} is removed.` : `${id} is removed; now the one in ${next.folder} counts.`,
      );
    return 0;
  });
}

const VERSION_COLUMNS: ReadonlyArray<Column<SkillVersion>> = [
  ['VERSION', ({ version }) => version],
  ['SEEN', ({ seenAt }) => new Date(seenAt).toISOString()],
  ['TOOLS', ({ tools }) => String(tools)],
  ['', ({ current }) => (current ? 'current' : '')],
];

export function listVersions(id: string, options: SkillsOptions, terminal: Terminal): Promise<number> {
  return withSkills(options, terminal, async (opened) => {
    const versions = await keeperOf(id, opened).room.versions(id);
    if (options.json) terminal.out(json({ versions }));
    else showTable(versions, VERSION_COLUMNS, terminal);
    return 0;
  });
}

/** @param version whole, or as much of it as is unambiguous, with or without `sha256:` */
export function restoreVersion(
  id: string,
  version: string,
  options: SkillsOptions,
  terminal: Terminal,
): Promise<number> {
  return withSkills(
    options,
    terminal,
    async (opened) => {
      const { room } = keeperOf(id, opened);
      const wanted = `sha256:${version.replace(/^sha256:/, '')}`;
      const fitting = (await room.versions(id)).filter((one) => one.version.startsWith(wanted));
      const restored = await room.restore(id, fitting.length === 1 ? fitting[0]!.version : wanted);
      if (options.json) terminal.out(json(restored));
      else showOne(restored, terminal);
      return 0;
    },
    { recorded: true },
  );
}
