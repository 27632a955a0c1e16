import { join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { skillPolicyOf, skillSources, skillsOf } from '../../config/settings/skills.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Executor } from '../../executors/executor.ts';
import type { View } from '../../gateway-core.ts';
import { canonicalHash, type EventBody, type Principal, type SkillSettings } from '../../operations/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import type { KnownSkill, SkillRoom } from '../../skills/room.ts';
import type { ReadSecret } from '../compiling/source-reader.ts';
import { lazily } from '../lazily.ts';
import { createSettingsKey } from '../settings-key.ts';
import { openSkillRoom } from './open-skill-room.ts';
import type { OpenSkillExecutors } from './skill-executors.ts';
import { rememberStaticNames, staticNames } from './static-names.ts';

export interface SkillRoomsParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  /** Undefined before there is a first one. */
  readonly catalog: () => Catalog | undefined;
  readonly egress: Egress;
  readonly readSecret: ReadSecret;
  /** Compiles one source again and swaps the catalog. */
  readonly refresh: (source: string) => Promise<void>;
  readonly record: (event: EventBody) => void;
  /** What a caller has when a tool fails. */
  readonly view: (principal: Principal) => Pick<View, 'tools'>;
  readonly report: (error: unknown, what: string) => void;
}

/** A skill and the source that it is of. */
export type SkillOfSource = KnownSkill & { readonly source: string };

/** Everything of a gateway that sources of kind `skills` need; nothing is loaded before a source is one. */
export interface SkillRooms {
  /** Location of what is known of a source's skills. */
  prepare(source: string, signal: AbortSignal): Promise<string>;
  /**
   * Takes over what changed on disk: of the skill that the tool is of, of all where no tool of the catalog is named.
   * Undefined: nothing did.
   */
  freshen(tool?: string): Promise<void> | undefined;
  /** The same for one skill by its id. */
  freshenSkill(skill: string): Promise<void> | undefined;
  /** By source and id, from memory; the same array while nothing changed. */
  list(): readonly SkillOfSource[];
  /** False while some source's skills are not in memory. */
  complete(): boolean;
  room(source: string): Promise<SkillRoom>;
  /** What descriptions say of tools that pause, by operation id. */
  marks(source: string): Readonly<Record<string, string>> | undefined;
  /** Tools that skills brought, of both kinds. */
  readonly executor: Executor;
  /** Resolves once `isolated` is known, where a source holds skills. */
  ready(): Promise<void>;
  /** Programs of skills run in a sandbox; false until it is known. */
  isolated(): boolean;
  /** Another catalog: other tools may stand before those of skills. */
  catalogChanged(): void;
  /** Sources were changed or removed: their rooms end. */
  reconfigured(): Promise<void>;
  close(): Promise<void>;
}

interface OpenRoom {
  readonly key: string;
  readonly opening: Promise<SkillRoom>;
  room?: SkillRoom;
}

export function createSkillRooms(parts: SkillRoomsParts): SkillRooms {
  const { configuration, catalog } = parts;
  const keyOf = createSettingsKey<SkillSettings>();
  const rooms = new Map<string, OpenRoom>();
  let closed = false;
  let isolated = false;
  /** A program is tried once; reading skills need not wait for it. */
  const probe = lazily(async () => {
    const { isolationInForce } = await import('../../sandbox/index.ts');
    isolated = (await isolationInForce()).available;
  });
  /** Joined once for the same lists: asked for at every call. */
  let listed: { readonly of: readonly unknown[]; readonly all: readonly SkillOfSource[] } = {
    of: [],
    all: [],
  };

  const settingsOf = (source: string): SkillSettings | undefined => {
    const found = configuration().sources[source];
    return found && skillsOf(found);
  };
  const roomOf = (source: string): Promise<SkillRoom> => {
    const settings = settingsOf(source);
    if (settings === undefined) throw unknownSource(source, { what: 'source of skills' });
    const key = keyOf(settings);
    const known = rooms.get(source);
    if (known?.key === key) return known.opening;
    if (closed) throw new ToolcribError('cancelled', 'The gateway is shutting down.');
    probe().catch(() => undefined);
    const open: OpenRoom = { key, opening: openedAfter(known, () => openRoom(source, settings)) };
    open.opening.then(
      (room) => {
        open.room = room;
      },
      () => rooms.get(source) === open && rooms.delete(source),
    );
    rooms.set(source, open);
    return open.opening;
  };
  const openRoom = (source: string, settings: SkillSettings) =>
    openSkillRoom({
      ...parts,
      source,
      settings,
      directory: stateOf(configuration(), source, settings),
      watch: configuration().watch,
      mode: () => skillPolicyOf(configuration()).mode,
      refresh: () => parts.refresh(source),
      staticNames: () => staticNames(catalog()?.entries, source),
    });
  let remembering = Promise.resolve();
  /** One catalog after the other, so that the last one stays. */
  const remember = (source: string) => {
    const [settings, names] = [settingsOf(source), staticNames(catalog()?.entries, source)];
    if (settings === undefined || names === undefined) return;
    const directory = stateOf(configuration(), source, settings);
    remembering = remembering
      .then(() => rememberStaticNames(directory, names))
      .catch((error: unknown) => parts.report(error, `names beside source ${source} could not be kept`));
  };
  let opened: OpenSkillExecutors | undefined;
  const executors = lazily(async () => {
    await probe();
    const { openSkillExecutors } = await import('./skill-executors.ts');
    opened = await openSkillExecutors({
      ...parts,
      room: async (source) => roomOf(source),
      settings: settingsOf,
      paused: (source) => parts.refresh(source),
    });
    return opened;
  });

  return {
    prepare: async (source, signal) => (await roomOf(source)).prepare(signal),
    freshen(tool) {
      if (rooms.size === 0) return undefined;
      const entry = tool === undefined ? undefined : catalog()?.byTool(tool);
      const skill = entry?.facts.skill;
      if (entry !== undefined && skill === undefined) return undefined;
      if (entry !== undefined) return rooms.get(entry.source)?.room?.freshen(skill);
      const waits = [...rooms.values()].flatMap(({ room }) => room?.freshen() ?? []);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
    freshenSkill(skill) {
      const waits = [...rooms.values()].flatMap(({ room }) =>
        room?.get(skill) === undefined ? [] : (room.freshen(skill) ?? []),
      );
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
    list() {
      const lists = [...rooms].flatMap(([source, { room }]) =>
        room === undefined ? [] : [{ source, skills: room.list() }],
      );
      const same =
        lists.length === listed.of.length && lists.every(({ skills }, at) => skills === listed.of[at]);
      if (!same)
        listed = {
          of: lists.map(({ skills }) => skills),
          all: lists.flatMap(({ source, skills }) => skills.map((skill) => ({ ...skill, source }))),
        };
      return listed.all;
    },
    complete: () => skillSources(configuration()).every((source) => rooms.get(source)?.room !== undefined),
    room: async (source) => roomOf(source),
    marks(source) {
      const skills = rooms.get(source)?.room?.list() ?? [];
      return opened?.marks(source, new Map(skills.map(({ id, version }) => [id, version])));
    },
    executor: {
      ready: async (call, context) => (await executors()).executor.ready?.(call, context),
      execute: async (call, context) => (await executors()).executor.execute(call, context),
    },
    ready: async () => (rooms.size === 0 ? undefined : probe()),
    isolated: () => isolated,
    catalogChanged() {
      for (const [source, { room }] of rooms) {
        room?.recheck();
        remember(source);
      }
    },
    async reconfigured() {
      for (const [source, known] of [...rooms]) {
        const settings = settingsOf(source);
        if (settings !== undefined && keyOf(settings) === known.key) continue;
        rooms.delete(source);
        await (await known.opening.catch(() => undefined))?.close();
      }
    },
    async close() {
      closed = true;
      await remembering;
      await Promise.all(
        [...rooms.values()].map(async ({ opening }) => (await opening.catch(() => undefined))?.close()),
      );
    },
  };
}

/** Two rooms of one source never write to one folder at a time. */
async function openedAfter(before: OpenRoom | undefined, open: () => Promise<SkillRoom>): Promise<SkillRoom> {
  await (await before?.opening.catch(() => undefined))?.close();
  return open();
}

/** Where the state of one source lies: moved with its folders, so that two gateways do not mix. */
export function stateOf({ stateDirectory }: Configuration, source: string, { roots }: SkillSettings): string {
  return join(stateDirectory, 'skills', `${source}-${canonicalHash([...roots]).slice('sha256:'.length, 23)}`);
}
