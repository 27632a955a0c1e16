import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SKILL_FILE_MISSPELT } from '../../sources/skill/package-files.ts';
import type { SkillSnapshot } from '../../sources/skill/snapshot.ts';
import { isCountedFolder } from '../frozen/counted.ts';
import { glanceAt, isWithin, stampOfFolder } from '../frozen/stamp.ts';
import { ROOM_LIMITS } from '../limits.ts';

/** A folder that holds, or held, a SKILL.md. */
export interface FoundFolder {
  /** Absolute, as reached from its root. */
  readonly folder: string;
  /** Links resolved. */
  readonly real: string;
  readonly root: string;
  readonly realRoot: string;
  /** Place of its root: of two skills with one name the higher counts. */
  readonly rank: number;
}

export interface Discovery {
  readonly found: readonly FoundFolder[];
  /** Folders that were looked into; another stamp means that there may be other skills. */
  readonly looked: ReadonlyArray<{ readonly folder: string; readonly stamp: string | undefined }>;
  readonly problems: SkillSnapshot['problems'];
}

/** Where a plugin has its skills, in a marketplace and elsewhere. */
const SKILLS_OF_PLUGIN = 'skills';

/**
 * Folders of skills: what lies directly in a root, or in a folder of it that is no skill itself; a root with a SKILL.md
 * is one skill. A folder `skills` on the way, as plugins have it, is no step of it.
 *
 * @param isKnown folders that were skills before stay candidates while they exist
 */
export function discover(roots: readonly string[], isKnown: (folder: string) => boolean): Discovery {
  const found: FoundFolder[] = [];
  const looked: { folder: string; stamp: string | undefined }[] = [];
  const problems: { folder: string; message: string }[] = [];
  let budget = ROOM_LIMITS.folders;

  const isSkill = (folder: string) => glanceAt(join(folder, 'SKILL.md')) !== undefined || isKnown(folder);
  const visit = (folder: string, place: Omit<FoundFolder, 'folder' | 'real'>, depth: number) => {
    // before it is read: what arrives meanwhile leaves another stamp
    looked.push({ folder, stamp: stampOfFolder(folder) });
    const realFolder = folder === place.root ? place.realRoot : (resolved(folder) ?? folder);
    for (const entry of foldersIn(folder, problems)) {
      const inner = join(folder, entry.name);
      if (budget-- <= 0) return;
      const real = entry.isSymbolicLink() ? resolved(inner) : join(realFolder, entry.name);
      if (real === undefined) continue;
      if (!isSkill(inner)) {
        noteMisspelt(inner);
        const isFree = entry.name === SKILLS_OF_PLUGIN && !entry.isSymbolicLink();
        const steps = isFree ? depth : depth - 1;
        if (steps >= 0 && isWithin(real, place.realRoot)) visit(inner, place, steps);
        else {
          looked.push({ folder: inner, stamp: stampOfFolder(inner) });
          visitPlugin(inner, place);
        }
      } else if (isWithin(real, place.realRoot)) found.push({ ...place, folder: inner, real });
      else problems.push({ folder: inner, message: leadsOut(real) });
    }
  };

  const visitPlugin = (folder: string, place: Omit<FoundFolder, 'folder' | 'real'>) => {
    const skills = join(folder, SKILLS_OF_PLUGIN);
    const real = resolved(skills);
    if (real !== undefined && isWithin(real, place.realRoot)) visit(skills, place, 0);
  };

  const noteMisspelt = (folder: string) => {
    const misspelt = SKILL_FILE_MISSPELT.find((name) => glanceAt(join(folder, name)) !== undefined);
    if (misspelt !== undefined)
      problems.push({ folder, message: `Its ${misspelt} is not read: the file is called SKILL.md.` });
  };

  for (const [rank, root] of roots.entries()) {
    const realRoot = resolved(root);
    if (realRoot === undefined) looked.push({ folder: root, stamp: undefined });
    else if (glanceAt(join(root, 'SKILL.md')) !== undefined) {
      looked.push({ folder: root, stamp: stampOfFolder(root) });
      found.push({ folder: root, real: realRoot, root, realRoot, rank });
    } else {
      noteMisspelt(root);
      visit(root, { root, realRoot, rank }, 1);
    }
  }
  if (budget < 0)
    problems.push({
      folder: roots[0] ?? '',
      message: `There are more than ${ROOM_LIMITS.folders} folders; the rest was not looked at.`,
    });
  return { found, looked, problems };
}

function leadsOut(real: string): string {
  return `It is a link that leads out of the folder of skills: put the folder in its place, or name ${real} beside it in the configuration.`;
}

/** Whether nothing came or went where skills are looked for. */
export function isDiscoveryUntouched({ looked }: Pick<Discovery, 'looked'>): boolean {
  return looked.every(({ folder, stamp }) => stampOfFolder(folder) === stamp);
}

/** Undefined where there is no folder. */
function resolved(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return stampOfFolder(real) === undefined ? undefined : real;
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string, problems: { folder: string; message: string }[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) =>
          (entry.isDirectory() || entry.isSymbolicLink()) &&
          isCountedFolder(entry.name) &&
          entry.name !== 'node_modules',
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') problems.push({ folder, message: `It cannot be read (${code}).` });
    return [];
  }
}
