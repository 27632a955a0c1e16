import { describe, expect, it } from 'vitest';
import type { FoundTools } from '../../../src/assembly/listing/found-tools.ts';
import type { SkillOfSource } from '../../../src/assembly/skills/skill-rooms.ts';
import { createSkillSelections } from '../../../src/assembly/skills/skill-selection.ts';
import type { CatalogEntry } from '../../../src/catalog/catalog.ts';
import type { Configuration } from '../../../src/config/index.ts';
import { DEFAULT_SKILL_POLICY, LOCAL_PRINCIPAL, type SkillPolicy } from '../../../src/operations/index.ts';
import { localGrants } from '../../../src/policy/local-grants.ts';

/** Two skills, and what each conversation chose. */
function selections(policy: Partial<SkillPolicy> = {}, roles: readonly string[] = []) {
  const choices = new Map<string, string | undefined>();
  const chosen: Pick<FoundTools, 'chosenSkill' | 'chooseSkill'> = {
    chosenSkill: (_principal, conversation) => choices.get(conversation),
    async chooseSkill(_principal, conversation, skill) {
      choices.set(conversation, skill);
    },
  };
  const held = localGrants(
    { ...LOCAL_PRINCIPAL, roles },
    {
      s: { category: 'other', connections: 'shared', connection: 'connected', whenUnauthenticated: 'hide' },
    },
  );
  const configuration = {
    sources: { s: { kind: 'skills', settings: { roots: [], secrets: {} } } },
    policy: { skills: { ...DEFAULT_SKILL_POLICY, ...policy } },
  } as unknown as Configuration;
  const skills = [
    { id: 'one', source: 's' },
    { id: 'two', source: 's' },
  ] as unknown as SkillOfSource[];
  const made = createSkillSelections({
    configuration: () => configuration,
    grants: { known: () => held },
    skills: () => skills,
    read: async () => new Uint8Array(),
    chosen,
  });
  return { ...made, held };
}

const toolOfTwo = { name: 'tool', source: 's', facts: { skill: 'two' } } as unknown as CatalogEntry;

describe('which skill a conversation has', () => {
  it('a session begins with that of its address, chooses another, and goes back to it', async () => {
    const { select, effective, held, refuse } = selections();
    const client = { session: 'a', skill: 'one' };
    expect(effective(held, client).skill).toBe('one');
    expect(refuse(toolOfTwo, { tool: 'tool', arguments: {}, client })?.next).toContain('use_skill');
    expect(await select(LOCAL_PRINCIPAL, client, 'two')).toBe('two');
    expect(refuse(toolOfTwo, { tool: 'tool', arguments: {}, client })).toBeUndefined();
    expect(await select(LOCAL_PRINCIPAL, client, undefined)).toBe('one');
  });

  it('has texts for those who may have it alone, and for whose role it is the default', () => {
    const policy = { permitted: { student: ['one'] } };
    const may = (more: Partial<SkillPolicy>, roles: readonly string[]) => {
      const { mayRead, held, of } = selections({ ...policy, ...more }, roles);
      const [reads, seen] = [mayRead(held), of(held, undefined)!.mayRead];
      expect(['one', 'two'].map(seen)).toEqual(['one', 'two'].map(reads));
      return ['one', 'two'].filter(reads);
    };
    expect(may({}, ['student'])).toEqual(['one']);
    expect(may({ defaults: { student: 'two' } }, ['student'])).toEqual(['one', 'two']);
    expect(may({}, ['student', 'admin'])).toEqual(['one', 'two']);
    expect(may({}, [])).toEqual(['one', 'two']);
  });

  it('is open to those who may have it alone: any other is as if it were not there', () => {
    const { isOpen } = selections({ permitted: { student: ['one'] } }, ['student']);
    expect(['one', 'two', 'three'].map((skill) => isOpen(LOCAL_PRINCIPAL, skill))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a client without sessions has that of its address always, and is told so', async () => {
    const { select, held, effective, refuse } = selections();
    const client = { name: 'desk', skill: 'one' };
    expect(await select(LOCAL_PRINCIPAL, client, 'two')).toBe('one');
    const refused = refuse(toolOfTwo, { tool: 'tool', arguments: {}, client });
    expect(refused?.code).toBe('skill_forbidden');
    expect(refused?.next).toContain('without a skill');
    // the choice counts where the address asks for none
    expect(effective(held, { name: 'desk' }).skill).toBe('two');
  });

  it('a choice belongs to its conversation', async () => {
    const { select, held, effective } = selections();
    expect(await select(LOCAL_PRINCIPAL, { session: 'a' }, 'two')).toBe('two');
    expect(effective(held, { session: 'b' }).skill).toBeUndefined();
  });
});
