import { z } from 'zod';
import { route } from '../../route.ts';
import { requireInstaller, requireSkills } from './skill-installer.ts';
import { IMPORTED_SKILL, SKILL_ID } from './skill-schemas.ts';

export const restoreSkill = route({
  method: 'post',
  path: '/api/v1/skills/{id}/restore',
  operationId: 'restoreSkill',
  summary: 'Put an earlier version of a skill in its place',
  access: 'dangerous',
  tag: 'skills',
  params: SKILL_ID,
  body: z.strictObject({ version: z.string().min(1).max(128) }),
  response: { description: 'The skill as it is now.', schema: IMPORTED_SKILL },
  handle: async ({ params: { id }, body: { version } }, { gateway, principal }) => {
    const skills = await requireSkills(gateway);
    await requireInstaller(gateway, principal);
    return skills.restore(id, version, principal);
  },
});
