import { route } from '../../route.ts';
import { requireSkills } from './skill-installer.ts';
import { SKILL_DETAIL, SKILL_ID } from './skill-schemas.ts';

export const getSkill = route({
  method: 'get',
  path: '/api/v1/skills/{id}',
  operationId: 'getSkill',
  summary: 'Get a skill',
  access: 'read',
  tag: 'skills',
  params: SKILL_ID,
  response: { description: 'The skill with its files and findings.', schema: SKILL_DETAIL },
  handle: async ({ params: { id } }, { gateway, principal }) =>
    (await requireSkills(gateway)).get(id, principal),
});
