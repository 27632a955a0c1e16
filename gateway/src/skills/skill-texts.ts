import type { CompiledSkill } from '../sources/skill/snapshot.ts';

const texts = new WeakMap<CompiledSkill, string>();

/** A skill as JSON, made once: with hundreds of them one that changed should not cost all. */
export function skillText(skill: CompiledSkill): string {
  let text = texts.get(skill);
  if (text === undefined) {
    text = JSON.stringify(skill);
    texts.set(skill, text);
  }
  return text;
}
