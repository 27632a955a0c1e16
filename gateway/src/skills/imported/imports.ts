import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { queue } from '../../operations/work/queue.ts';
import type { CompiledSkill } from '../../sources/skill/snapshot.ts';
import { atOnce } from '../at-once.ts';
import type { SkillCompiler } from '../compiler.ts';
import type { FolderState } from '../folders/judge-folder.ts';
import type { SkillFolders } from '../folders/skill-folders.ts';
import type { FrozenCopies } from '../frozen/frozen-copies.ts';
import { settledPackage } from '../frozen/settled-package.ts';
import { glanceAt } from '../frozen/stamp.ts';
import type { FetchPackages } from '../import/fetch-packages.ts';
import { READS_AT_ONCE } from '../limits.ts';
import type {
  ImportedSkill,
  KnownSkill,
  SkillImport,
  SkillImportOptions,
  SkillImportSource,
  SkillVersion,
} from '../room.ts';
import { checkName, checkNotWorse } from './judge-import.ts';
import { makeStaging, placeSkill, takeSkill } from './place-skill.ts';
import { refusedAnswer, withoutStaging } from './refused-import.ts';

export interface Imports {
  import(source: SkillImportSource, options: SkillImportOptions, signal: AbortSignal): Promise<SkillImport>;
  remove(id: string): Promise<void>;
  versions(id: string): Promise<readonly SkillVersion[]>;
  restore(id: string, version: string): Promise<ImportedSkill>;
}

interface ImportsOptions {
  readonly roots: readonly string[];
  readonly directory: string;
  readonly copies: FrozenCopies;
  readonly compiler: SkillCompiler;
  readonly folders: SkillFolders;
  readonly importer: FetchPackages;
  /** The skill that counts. */
  find(id: string): KnownSkill | undefined;
  /** Reads the folders again, these ones as imported; resolves when the catalog has them. */
  renew(imported: ReadonlySet<string>): Promise<void>;
}

interface ReadPackage {
  readonly compiled: CompiledSkill;
  /** Holds exactly its files. */
  readonly copy: string;
}

/** A package that may be put in place. */
interface Accepted extends ReadPackage {
  readonly target: string;
  readonly previous?: string;
}

export function createImports(options: ImportsOptions): Imports {
  const { roots, directory, copies, compiler, folders, importer, find, renew } = options;
  const { stage, discard } = copies;
  const root = roots[0] ?? '';
  /** Of two imports of one skill the second compares with the first. */
  const inTurn = queue();

  const checkRoot = () => {
    if (glanceAt(join(root, 'SKILL.md')) !== undefined)
      throw new ToolcribError(
        'skill_import_refused',
        `${root} is one skill itself; imports go to the first folder of skills.`,
        { next: 'Name a folder of skills first in `roots`.' },
      );
  };
  const inRoot = (id: string): FolderState | undefined =>
    [...folders.states.values()].find((state) => state.found.root === root && state.compiled?.id === id);

  /** Throws `skill_unknown`, `skill_import_refused` where the skill is not one that was, or could have been, imported. */
  const importedState = (id: string): FolderState => {
    const state = inRoot(id);
    if (state !== undefined && state.folder === join(root, basename(state.folder))) return state;
    const elsewhere = state?.folder ?? find(id)?.folder;
    if (elsewhere === undefined) throw new ToolcribError('skill_unknown', `There is no skill ${id}.`);
    throw new ToolcribError('skill_import_refused', `Skill ${id} was not imported: it is in ${elsewhere}.`, {
      next: 'Change it there.',
    });
  };

  /** Copies and compiles a package. Throws `skill_invalid`. */
  const read = async (folder: string, signal: AbortSignal): Promise<ReadPackage> => {
    const settled = await settledPackage({ folder, realRoot: folder, stage, discard, signal, still: true });
    if (settled === undefined)
      throw new ToolcribError('skill_invalid', 'The package was changed while it was read.');
    const { copy, files } = settled;
    try {
      const place = { folder, root };
      const compiled = await compiler.compile(files, (path) => readFile(join(copy, path)), place);
      checkName(compiled);
      return { compiled, copy };
    } catch (error) {
      await discard(copy);
      throw error;
    }
  };

  const accept = (read: ReadPackage, force: boolean): Accepted => {
    const { compiled } = read;
    const { id } = compiled;
    const present = inRoot(id);
    const target = present === undefined ? join(root, id) : importedState(id).folder;
    if (present === undefined && !force && glanceAt(target) !== undefined)
      throw new ToolcribError(
        'skill_import_refused',
        `${target} is there already, and is no usable skill of that name.`,
      );
    if (!force) checkNotWorse(compiled, present?.compiled);
    const previous = present?.compiled?.version;
    return { ...read, target, ...(previous === undefined ? {} : { previous }) };
  };

  const place = ({ copy, target }: Accepted) => placeSkill(copy, root, basename(target));

  const answerOf = ({ compiled, target, previous }: Accepted): ImportedSkill => {
    const { id, version, tools, invalid } = folders.states.get(target)?.compiled ?? compiled;
    const counts = find(id);
    const shadowed = counts?.folder === target ? counts.shadowed : [];
    return {
      id,
      version,
      ...(previous === undefined ? {} : { previous }),
      ...(counts === undefined || counts.folder === target ? {} : { overridden_by: counts.folder }),
      compiled_ok: tools.length - shadowed.length,
      invalid_tools: invalid.length,
      shadowed_tools: shadowed.length,
      invalid,
      shadowed,
    };
  };

  /** Fetching takes as long as a server pleases, and holds nobody up. */
  const importFrom = async (
    source: SkillImportSource,
    importOptions: SkillImportOptions,
    signal: AbortSignal,
  ): Promise<SkillImport> => {
    checkRoot();
    const staging = await makeStaging(directory);
    try {
      const fetched = await importer(source, staging, signal);
      return await inTurn(() => takeAll(fetched, staging, importOptions, signal));
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  };

  const takeAll = async (
    { folders: found, root, findings }: Awaited<ReturnType<FetchPackages>>,
    staging: string,
    { force = false, only }: SkillImportOptions,
    signal: AbortSignal,
  ): Promise<SkillImport> => {
    const copied: string[] = [];
    const accepted: Accepted[] = [];
    const refused: { name: string; error: unknown }[] = [];
    const seen = new Set<string>();
    const take = async (folder: string) => {
      // what has no name goes by its folder
      let name = basename(folder);
      try {
        const one = await read(folder, signal);
        copied.push(one.copy);
        name = one.compiled.id;
        if (only !== undefined && !only.includes(name)) return;
        if (seen.has(name))
          throw new ToolcribError('skill_import_refused', `The package holds skill ${name} twice.`);
        seen.add(name);
        accepted.push(accept(one, force));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        seen.add(name);
        if (only === undefined || only.includes(name))
          refused.push({ name, error: withoutStaging(error, root ?? staging) });
      }
    };
    try {
      for (const folder of found) await take(folder);
      const missing = only?.find((id) => !seen.has(id));
      if (missing !== undefined)
        throw new ToolcribError('skill_import_refused', `The package holds no skill ${missing}.`, {
          next: 'Name a skill of the package, or leave out the choice.',
        });
      const [first] = refused;
      if (first !== undefined && accepted.length === 0) throw first.error;
      signal.throwIfAborted();
      await atOnce(accepted, READS_AT_ONCE, place);
    } finally {
      await Promise.all(copied.map(discard));
      if (accepted.length > 0) await renew(new Set(accepted.map(({ target }) => target)));
    }
    const skills = [...accepted.map(answerOf), ...refused.map(refusedAnswer)];
    const sum = (count: (skill: ImportedSkill) => number) =>
      skills.reduce((total, skill) => total + count(skill), 0);
    return {
      skills,
      compiled_ok: sum((skill) => skill.compiled_ok),
      invalid_tools: sum((skill) => skill.invalid_tools),
      shadowed_tools: sum((skill) => skill.shadowed_tools),
      ...(findings.length === 0 ? {} : { findings: findings.map(({ message }) => message) }),
    };
  };

  return {
    import: importFrom,
    remove: (id) =>
      inTurn(async () => {
        checkRoot();
        const { folder } = importedState(id);
        await takeSkill(root, basename(folder));
        await renew(new Set());
      }),
    async versions(id) {
      const known = await copies.versions(id);
      const current = find(id);
      if (known.length === 0 && current === undefined)
        throw new ToolcribError('skill_unknown', `There is no skill ${id}.`);
      return known.map((each) => ({ ...each, current: each.version === current?.version }));
    },
    restore: (id, version) =>
      inTurn(async () => {
        checkRoot();
        if (inRoot(id) !== undefined || find(id) !== undefined) importedState(id);
        const { folder, release } = await copies.open(id, version);
        try {
          const accepted = accept(await read(folder, new AbortController().signal), true);
          await place(accepted).finally(() => discard(accepted.copy));
          await renew(new Set([accepted.target]));
          return answerOf(accepted);
        } finally {
          release();
        }
      }),
  };
}
