import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asToolcribError, ToolcribError } from '../errors.ts';
import type { CompiledSkill } from '../sources/skill/snapshot.ts';
import { queue } from './at-once.ts';
import type { SkillCompiler } from './compiler.ts';
import type { FrozenCopies } from './frozen-copies.ts';
import type { FetchPackages } from './import/fetch-packages.ts';
import type { FolderState } from './judge-folder.ts';
import { checkName, checkNotWorse } from './judge-import.ts';
import { placeSkill, recoverPlaces, takeSkill } from './place-skill.ts';
import type {
  ImportedSkill,
  KnownSkill,
  SkillImport,
  SkillImportOptions,
  SkillImportSource,
  SkillVersion,
} from './room.ts';
import { settledPackage } from './settled-package.ts';
import type { SkillFolders } from './skill-folders.ts';
import { lookAt } from './stamp.ts';

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

/** A package that may be put in place. */
interface Accepted {
  readonly compiled: CompiledSkill;
  readonly target: string;
  readonly previous?: string;
}

export function createImports(options: ImportsOptions): Imports {
  const { roots, directory, copies, compiler, folders, importer, find, renew } = options;
  const root = roots[0] ?? '';
  /** Of two imports of one skill the second compares with the first. */
  const inTurn = queue();

  const checkRoot = () => {
    if (lookAt(join(root, 'SKILL.md')) !== undefined)
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

  /** Freezes and compiles a package that was fetched. Throws `skill_invalid`. */
  const read = async (folder: string, signal: AbortSignal): Promise<CompiledSkill> => {
    const { stage, discard } = copies;
    const settled = await settledPackage({ folder, realRoot: folder, stage, discard, signal, still: true });
    if (settled === undefined)
      throw new ToolcribError('skill_invalid', 'The package was changed while it was read.');
    const { copy, files } = settled;
    try {
      const place = { folder, root };
      const compiled = await compiler.compile(files, (path) => readFile(join(copy, path)), place);
      checkName(compiled);
      const { id, version, tools } = compiled;
      await copies.keep(copy, { id, version, tools: tools.length, files });
      return compiled;
    } catch (error) {
      await discard(copy);
      throw error;
    }
  };

  const accept = (compiled: CompiledSkill, force: boolean): Accepted => {
    const { id } = compiled;
    const present = inRoot(id);
    const target = present === undefined ? join(root, id) : importedState(id).folder;
    if (present === undefined && !force && lookAt(target) !== undefined)
      throw new ToolcribError(
        'skill_import_refused',
        `${target} is there already, and is no usable skill of that name.`,
      );
    if (!force) checkNotWorse(compiled, present?.compiled);
    const previous = present?.compiled?.version;
    return { compiled, target, ...(previous === undefined ? {} : { previous }) };
  };

  const place = async ({ compiled: { id, version }, target }: Accepted) => {
    const { folder, release } = await copies.open(id, version);
    try {
      await placeSkill(folder, root, basename(target));
    } finally {
      release();
    }
  };

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

  const importFrom = async (
    source: SkillImportSource,
    { force = false, only }: SkillImportOptions,
    signal: AbortSignal,
  ): Promise<SkillImport> => {
    checkRoot();
    await recoverPlaces(root);
    const staging = join(directory, `staging-${randomUUID()}`);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const accepted: Accepted[] = [];
    const refused: { place: string; error: unknown }[] = [];
    try {
      const { folders: found } = await importer(source, staging, signal);
      const seen = new Set<string>();
      for (const folder of found) {
        signal.throwIfAborted();
        try {
          const compiled = await read(folder, signal);
          if (only !== undefined && !only.includes(compiled.id)) continue;
          if (seen.has(compiled.id))
            throw new ToolcribError('skill_import_refused', `The package holds skill ${compiled.id} twice.`);
          seen.add(compiled.id);
          accepted.push(accept(compiled, force));
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          refused.push({ place: basename(folder), error: withoutStaging(error, staging) });
        }
      }
      const missing = only?.filter((id) => !seen.has(id) && !refused.some(({ place: name }) => name === id));
      if (missing?.[0] !== undefined)
        throw new ToolcribError('skill_import_refused', `The package holds no skill ${missing[0]}.`, {
          next: 'Name a skill of the package, or leave out the choice.',
        });
      const [first] = refused;
      if (first !== undefined && accepted.length === 0) throw first.error;
      for (const each of accepted) await place(each);
    } finally {
      await rm(staging, { recursive: true, force: true });
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
    };
  };

  return {
    import: (source, importOptions, signal) => inTurn(() => importFrom(source, importOptions, signal)),
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
          const accepted = accept(await read(folder, AbortSignal.timeout(60_000)), true);
          await placeSkill(folder, root, basename(accepted.target));
          await renew(new Set([accepted.target]));
          return answerOf(accepted);
        } finally {
          release();
        }
      }),
  };
}

function refusedAnswer({ place, error }: { place: string; error: unknown }): ImportedSkill {
  const { code, message, location } = asToolcribError(error);
  return {
    id: place,
    version: '',
    refused: { code, message, ...(location === undefined ? {} : { location }) },
    compiled_ok: 0,
    invalid_tools: 0,
    shadowed_tools: 0,
    invalid: [],
    shadowed: [],
  };
}

/** Locations within a package are told as such: where it was unpacked is nobody's business. */
function withoutStaging(error: unknown, staging: string): unknown {
  const known = asToolcribError(error);
  const { location, details, next, cause } = known;
  if (location?.startsWith(staging) !== true) return error;
  return new ToolcribError(known.code, known.message, {
    location: location.slice(staging.length + 1),
    next,
    cause,
    ...(details === undefined ? {} : { details }),
  });
}
