import type { SkillRoomParts } from '../../../assembly/skills/open-skill-room.ts';
import type { Configuration } from '../../../config/index.ts';
import {
  DEFAULT_SKILL_ROOTS,
  skillPolicyOf,
  skillSettings,
  skillsOf,
} from '../../../config/settings/skills.ts';
import { ToolcribError } from '../../../errors.ts';
import type { SkillSettings } from '../../../operations/index.ts';
import { didYouMean } from '../../../operations/text/nearest-name.ts';
import { unknownSource } from '../../../operations/unknown-source.ts';
import type { SkillRoom } from '../../../skills/room.ts';
import { OWN_TOOL_NAMES } from '../../../topology/own-names.ts';
import { openEventStore } from '../../event-store.ts';
import type { SourceOptions } from '../../options/source-options.ts';
import { resolveConfiguration } from '../../resolve-configuration.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface SkillsOptions extends Pick<SourceOptions, 'config' | 'stateDir' | 'json'> {
  /** Name of the source of skills; needed only where there are several. */
  readonly source?: string;
}

/** A source of skills, opened for one command. */
export interface OpenedSkills {
  readonly source: string;
  readonly settings: SkillSettings;
  readonly room: SkillRoom;
  /** False: no source of skills is configured, and the usual folders are looked at. */
  readonly configured: boolean;
  readonly configuration: Configuration;
}

/**
 * Opens the sources of skills, without a gateway, and closes them whatever happens. Names of other sources' tools are
 * those of the catalog that was compiled last, else those of the lock. `recorded`: what is compiled becomes events of the
 * configured store. Throws `source_unknown`, `store_unavailable`.
 */
export async function withSkills<T>(
  options: SkillsOptions,
  terminal: Terminal,
  use: (opened: readonly OpenedSkills[], signal: AbortSignal) => Promise<T>,
  { recorded = false }: { readonly recorded?: boolean } = {},
): Promise<T> {
  const { configuration, origin } = await resolveConfiguration([], options, terminal, { listening: false });
  const sources = chosen(configuration, options.source, terminal);
  const [{ openSkillRoom }, { stateOf }, { rememberedStaticNames }, { lazyEgress }, { stopSignal }] =
    await Promise.all([
      import('../../../assembly/skills/open-skill-room.ts'),
      import('../../../assembly/skills/skill-rooms.ts'),
      import('../../../assembly/skills/static-names.ts'),
      import('../../../assembly/lazy-egress.ts'),
      import('../../stop-signal.ts'),
    ]);
  using stop = stopSignal();
  const report = (error: unknown, what: string) => terminal.note(`${what}: ${(error as Error).message}`);
  const egress = lazyEgress(
    origin === 'quickstart' ? { ...configuration.egress, allow: [] } : configuration.egress,
  );
  const locked = await lockedNames(configuration);
  const isRecorded =
    recorded && configuration.store !== 'none' && sources.every(({ configured }) => configured);
  await using log = isRecorded ? await openEventStore(configuration.store) : undefined;
  const opened: OpenedSkills[] = [];
  try {
    for (const { source, settings, configured } of sources) {
      const directory = stateOf(configuration, source, settings);
      const names = (await rememberedStaticNames(directory)) ?? locked(source);
      const parts: SkillRoomParts = {
        source,
        settings,
        directory,
        watch: false,
        mode: () => skillPolicyOf(configuration).mode,
        egress,
        // no catalog hangs on it: a gateway that runs sees the folders change
        refresh: async () => undefined,
        staticNames: () => names,
        record: (event) =>
          log?.events.append(event).catch((error) => report(error, 'An event could not be recorded')),
        report,
      };
      const room = await openSkillRoom(parts);
      opened.push({ source, settings, room, configured, configuration });
      await room.prepare(stop.signal);
    }
    return await use(opened, stop.signal);
  } finally {
    await Promise.all(opened.map(({ room }) => room.close()));
    await egress.close();
  }
}

function chosen(configuration: Configuration, wanted: string | undefined, { env, cwd }: Terminal) {
  const configured = Object.entries(configuration.sources).flatMap(([source, entry]) => {
    const settings = skillsOf(entry);
    return settings === undefined ? [] : [{ source, settings, configured: true }];
  });
  if (wanted !== undefined) {
    const found = configured.filter(({ source }) => source === wanted);
    if (found.length > 0) return found;
    throw unknownSource(wanted, { known: configured.map(({ source }) => source), what: 'source of skills' });
  }
  if (configured.length > 0) return configured;
  const settings = skillSettings([...DEFAULT_SKILL_ROOTS], { env, baseDirectory: cwd });
  return [{ source: 'skills', settings, configured: false }];
}

/** The one source that a change is for. Throws `usage` where there are several. */
export function onlyOne(opened: readonly OpenedSkills[]): OpenedSkills {
  const [first, ...more] = opened;
  if (first !== undefined && more.length === 0) return first;
  const names = opened.map(({ source }) => source).join(', ');
  throw new ToolcribError('usage', `There are several sources of skills: ${names}.`, {
    next: 'Name one with --source.',
  });
}

/** The source that has a skill. Throws `skill_unknown`. */
export function holderOf(id: string, opened: readonly OpenedSkills[]): OpenedSkills {
  const holder = opened.find(({ room }) => room.get(id) !== undefined);
  if (holder !== undefined) return holder;
  const ids = opened.flatMap(({ room }) => room.list().map((skill) => skill.id));
  throw new ToolcribError('skill_unknown', `There is no skill called ${id}.${didYouMean(id, ids)}`);
}

/** Where versions of a skill are kept, though it may be removed. Throws `skill_unknown`, `usage`. */
export function keeperOf(id: string, opened: readonly OpenedSkills[]): OpenedSkills {
  return opened.length === 1 ? opened[0]! : holderOf(id, opened);
}

async function lockedNames({ lock }: Configuration): Promise<(source: string) => ReadonlySet<string>> {
  const [{ readIfPresent }, { parseLock }] = await Promise.all([
    import('../../../catalog/lock-files.ts'),
    import('../../../compiler/lock-file.ts'),
  ]);
  const text = lock.file === '' ? undefined : await readIfPresent(lock.file).catch(() => undefined);
  const tools = text === undefined ? {} : parseLock(text, lock.file).tools;
  return (source) =>
    new Set([
      ...OWN_TOOL_NAMES,
      ...Object.entries(tools).flatMap(([name, tool]) => (tool.source === source ? [] : [name])),
    ]);
}
