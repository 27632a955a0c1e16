import { z } from 'zod';
import { route } from '../../route.ts';
import { requireSkills } from './skill-installer.ts';
import { SKILL } from './skill-schemas.ts';

export const listSkills = route({
  method: 'get',
  path: '/api/v1/skills',
  operationId: 'listSkills',
  summary: 'List skills',
  description: 'Those that the caller may see, with their tools and what became of them.',
  access: 'read',
  tag: 'skills',
  response: { description: 'Skills by id.', schema: z.object({ skills: z.array(SKILL) }) },
  handle: async (_input, { gateway, principal }) => ({
    skills: await (await requireSkills(gateway)).list(principal),
  }),
});
