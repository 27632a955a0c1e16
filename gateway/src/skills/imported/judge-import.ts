import { ToolcribError } from '../../errors.ts';
import type { CompiledSkill } from '../../sources/skill/snapshot.ts';
import { isFolderName } from './safe-name.ts';

/**
 * Refuses an import that would put a worse skill in the place of a good one, as `skill_import_refused`: one with invalid
 * tools where the present version has none, or without any tool where that has some.
 *
 * @param present last good version that it would replace
 */
export function checkNotWorse(next: CompiledSkill, present: CompiledSkill | undefined): void {
  const [first] = next.invalid;
  if (present !== undefined && present.tools.length > 0 && next.tools.length + next.invalid.length === 0)
    throw new ToolcribError(
      'skill_import_refused',
      `Skill ${next.id} is there with ${count(present.tools.length, 'tool')}; the new one has none.`,
      { details: { skill: next.id } },
    );
  if (present === undefined || first === undefined || present.invalid.length > 0) return;
  throw new ToolcribError(
    'skill_import_refused',
    `Skill ${next.id} is there without a fault; the new one has ${count(next.invalid.length, 'invalid tool')}: ${first.place}: ${first.error}`,
    { location: first.place, details: { skill: next.id, invalid: next.invalid } },
  );
}

/** The name becomes a folder: other names than the specification allows are refused as `skill_invalid`. */
export function checkName({ id }: CompiledSkill): void {
  if (isFolderName(id)) return;
  throw new ToolcribError(
    'skill_invalid',
    'Only a name of small letters, digits and single "-" can be imported.',
    { location: 'SKILL.md' },
  );
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
