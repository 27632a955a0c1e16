import { basename } from 'node:path';
import type { CompiledSkill, SkillSnapshot } from '../../sources/skill/snapshot.ts';

/** A folder of a skill, and what was made of it. */
export interface JudgedFolder {
  readonly folder: string;
  readonly rank: number;
  /** Its last good version. */
  readonly compiled?: CompiledSkill | undefined;
  /** Why its present content cannot be used. */
  readonly failure?: SkillFailure | undefined;
}

export interface SkillFailure {
  readonly message: string;
  readonly location?: string;
}

export interface RankedSkills<T> {
  /** By id, sorted. */
  readonly skills: ReadonlyMap<string, T>;
  readonly overridden: SkillSnapshot['overridden'];
  readonly problems: SkillSnapshot['problems'];
}

/**
 * Which skills count: of several with one id that of the highest root, whole; within a root the one whose folder has
 * its name, then the first.
 */
export function rankSkills<T extends JudgedFolder>(folders: Iterable<T>): RankedSkills<T> {
  const all = [...folders];
  const usable = all.filter(({ compiled }) => compiled !== undefined);
  usable.sort((a, b) => b.rank - a.rank || misnamed(a) - misnamed(b) || (a.folder < b.folder ? -1 : 1));
  const skills = new Map<string, T>();
  const overridden: { id: string; folder: string; by: string }[] = [];
  for (const each of usable) {
    const id = each.compiled?.id ?? '';
    const first = skills.get(id);
    if (first === undefined) skills.set(id, each);
    else overridden.push({ id, folder: each.folder, by: first.folder });
  }
  const problems = all.flatMap(({ folder, failure, compiled }) =>
    failure === undefined ? [] : [{ folder, ...failure, ...(compiled ? { kept: true as const } : {}) }],
  );
  return {
    skills: new Map([...skills].sort(([a], [b]) => (a < b ? -1 : 1))),
    overridden: overridden.sort((a, b) => (a.folder < b.folder ? -1 : 1)),
    problems: problems.sort((a, b) => (a.folder < b.folder ? -1 : 1)),
  };
}

const misnamed = ({ folder, compiled }: JudgedFolder) => (basename(folder) === compiled?.id ? 0 : 1);
