import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asToolcribError, isToolcribError, ToolcribError } from '../errors.ts';
import type { replaceFile } from '../files/replace-file.ts';
import type { DynamicToolEvent, SkillSettings } from '../operations/index.ts';
import { queue } from '../operations/work/queue.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import { type SkillCompiler, skillCompiler } from './compiler.ts';
import { freshness } from './folders/freshness.ts';
import { indexKeeper } from './folders/index-keeper.ts';
import { skillFolders, type Wanted } from './folders/skill-folders.ts';
import { watchFolders } from './folders/watch-folders.ts';
import { frozenCopies } from './frozen/frozen-copies.ts';
import type { FetchPackages } from './import/fetch-packages.ts';
import { createImports } from './imported/imports.ts';
import { recoverPlaces } from './imported/place-skill.ts';
import { knownSkills } from './known-skills.ts';
import { PATIENCE_MS } from './limits.ts';
import { checkReadable } from './readable-file.ts';
import { refresher } from './refresher.ts';
import type { SkillRoom } from './room.ts';
import { writeSnapshot } from './snapshot-file.ts';

export interface SkillRoomOptions {
  /** The source's name. */
  readonly name: string;
  readonly settings: SkillSettings;
  /** State folder of this source, absolute; made where it is missing. Processes may share it. */
  readonly directory: string;
  /** Has the source compiled again (which asks `prepare`); resolves when the catalog has been exchanged. */
  refresh(): Promise<void>;
  /** Names of the tools of all other sources; undefined while they are not known: `recheck` follows. */
  staticNames(): ReadonlySet<string> | undefined;
  /** How scripts run on this machine, in one line; for reports. */
  readonly isolation: () => Promise<string>;
  note(event: DynamicToolEvent): void;
  /** What went wrong in the background; `what` ends "Source NAME: …". */
  report(error: unknown, what: string): void;
  /** Changes are noticed without being asked. */
  readonly watch: boolean;
  /** Brings packages into a staging folder. */
  readonly importer: FetchPackages;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly compiler?: SkillCompiler;
  /** For tests: how artifacts are written. */
  readonly writeArtifact?: typeof replaceFile;
}

const EVERYTHING: Wanted = { all: true, folders: new Set() };

export function createSkillRoom(options: SkillRoomOptions): SkillRoom {
  const { name, settings, directory, report, note, now = Date.now, compiler = skillCompiler() } = options;
  const { roots } = settings;
  const ending = new AbortController();
  const life = ending.signal;
  const copies = frozenCopies({ directory, versionOf: compiler.versionOf, now });
  const index = indexKeeper(directory, report);
  const parts = { source: name, copies, compiler, now, note, report };
  const folders = skillFolders(roots, parts, index.read);
  const known = knownSkills({
    directory,
    states: folders.states,
    problems: () => folders.discovery().problems,
    compiler,
    staticNames: () => options.staticNames(),
    isolation: options.isolation,
    now,
    report,
    ...(options.writeArtifact === undefined ? {} : { write: options.writeArtifact }),
  });
  const refreshes = refresher(
    () => options.refresh(),
    (error) => report(error, 'the tools of its skills could not be renewed'),
  );
  /** One look at a time. Nothing in it waits for a refresh, which waits for `prepare`. */
  const inTurn = queue();
  let location: string | undefined;
  /** Snapshot that the catalog was, or is being, made from. */
  let handedOut: string | undefined;
  let retry: NodeJS.Timeout | undefined;
  const watching = options.watch ? watchFolders({ changed: () => fresh.checkAll() }) : undefined;

  const write = async () => {
    try {
      location = await writeSnapshot(directory, known.snapshot());
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
      throw new ToolcribError(
        'file_unusable',
        `What is known of the skills cannot be written to the state folder (${reason}).`,
        { cause },
      );
    }
  };

  const retryLater = (atLeastMs = 0) => {
    const waiting = [...folders.states.values()].filter(({ retryAt }) => retryAt !== undefined);
    if (waiting.length === 0 || life.aborted) return;
    const at = Math.min(...waiting.map(({ retryAt }) => retryAt ?? 0));
    const again = () => fresh.look({ all: false, folders: new Set(waiting.map(({ folder }) => folder)) });
    retry = setTimeout(again, Math.max(at - now(), atLeastMs) + 1).unref();
  };

  const gather = async (wanted: Wanted): Promise<void> => {
    // else what is looked at just now would be looked at once more
    clearTimeout(retry);
    try {
      await lookAndWrite(wanted);
      retryLater();
    } catch (error) {
      retryLater(PATIENCE_MS);
      throw error;
    }
    if (watching?.follow(roots, () => watched())) void fresh.checkAll();
  };

  const lookAndWrite = async (wanted: Wanted): Promise<void> => {
    if (location === undefined && roots[0] !== undefined) await recoverPlaces(roots[0]);
    const before = new Map(known.list().map(({ id, version }) => [id, version]));
    const changed = await folders.look(wanted, life);
    if (changed || location === undefined) {
      known.update();
      await Promise.all([write(), known.writeArtifacts()]);
      const skills = known.list();
      index.store(folders.states.values());
      for (const { id, version } of skills)
        if (before.get(id) !== version && before.size > 0) await copies.tidy(id, version);
      if (before.size === 0) await copies.sweep(new Set(skills.map(({ id }) => id)));
    } else if (wanted.imported !== undefined) {
      // put in place of the same version, a folder has lost what lay beside it
      await known.writeArtifacts();
    }
  };

  const watched = function* (): Iterable<string> {
    for (const { folder } of folders.discovery().looked) yield folder;
    for (const { found, listing } of folders.states.values()) {
      yield found.real;
      for (const { path } of listing?.directories ?? []) yield join(found.real, path);
    }
  };

  const fresh = freshness({
    roots,
    folders,
    now,
    async renew(wanted) {
      try {
        await inTurn(() => gather(wanted));
        if (handedOut !== undefined && location !== handedOut && !life.aborted) await refreshes.now();
      } catch (error) {
        if (!life.aborted) report(error, 'its folders could not be read');
      }
    },
  });

  const first = () => (location === undefined ? inTurn(() => gather(EVERYTHING)) : Promise.resolve());
  const alive = () => {
    if (life.aborted) throw life.reason;
  };

  const open: SkillRoom['open'] = async (id, version) => {
    alive();
    try {
      return await copies.open(id, version);
    } catch (error) {
      const state = known.stateOf(id);
      if (!isToolcribError(error) || state?.compiled?.version !== version) throw error;
      // its folder may still hold exactly that
      state.listing = undefined;
      state.retryAt = undefined;
      await fresh.look({ all: false, folders: new Set([state.folder]) });
      return copies.open(id, version);
    }
  };

  const imports = createImports({
    roots,
    directory,
    copies,
    compiler,
    folders,
    importer: options.importer,
    find: known.get,
    async renew(imported) {
      await fresh.look({ all: true, folders: new Set(), imported });
    },
  });

  return {
    async prepare(signal) {
      alive();
      await untilAborted(
        // a look of ours has just been made, and waits for this
        inTurn(async () => (refreshes.isRunning() && location !== undefined ? write() : gather(EVERYTHING))),
        signal,
      ).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : asToolcribError(error);
      });
      handedOut = location;
      return location ?? '';
    },
    freshen(skill) {
      return life.aborted || location === undefined ? undefined : fresh.check(skill);
    },
    list: known.list,
    get: known.get,
    open,
    async read(id, path) {
      await first();
      const skill = known.get(id);
      if (skill === undefined) throw new ToolcribError('skill_unknown', `There is no skill ${id}.`);
      checkReadable(skill, path);
      const { folder, release } = await open(id, skill.version);
      try {
        return await readFile(join(folder, path));
      } finally {
        release();
      }
    },
    async import(source, importOptions, signal) {
      alive();
      await untilAborted(first(), signal);
      return imports.import(source, importOptions, signal);
    },
    async remove(id) {
      alive();
      await first();
      await imports.remove(id);
    },
    async versions(id) {
      await first();
      return imports.versions(id);
    },
    async restore(id, version) {
      alive();
      await first();
      return imports.restore(id, version);
    },
    recheck() {
      if (life.aborted || location === undefined) return;
      known.recheck();
      void inTurn(async () => {
        await known.writeArtifacts();
        index.store(folders.states.values());
      });
    },
    async close() {
      ending.abort(new ToolcribError('cancelled', `Source ${name} was closed.`));
      clearTimeout(retry);
      watching?.close();
      await inTurn(async () => undefined);
      await index.close();
    },
  };
}
