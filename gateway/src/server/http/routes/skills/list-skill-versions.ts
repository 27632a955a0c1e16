import { z } from 'zod';
import { route } from '../../route.ts';
import { requireSkills } from './skill-installer.ts';
import { SKILL_ID, SKILL_VERSION } from './skill-schemas.ts';

export const listSkillVersions = route({
  method: 'get',
  path: '/api/v1/skills/{id}/versions',
  operationId: 'listSkillVersions',
  summary: 'List the versions of a skill that are kept',
  access: 'read',
  tag: 'skills',
  params: SKILL_ID,
  response: { description: 'Newest first.', schema: z.object({ versions: z.array(SKILL_VERSION) }) },
  handle: async ({ params: { id } }, { gateway, principal }) => ({
    versions: await (await requireSkills(gateway)).versions(id, principal),
  }),
});
