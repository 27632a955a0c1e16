import { route } from '../../route.ts';
import { requireInstaller, requireSkills } from './skill-installer.ts';
import { SKILL_ID } from './skill-schemas.ts';

export const removeSkill = route({
  method: 'delete',
  path: '/api/v1/skills/{id}',
  operationId: 'removeSkill',
  summary: 'Remove an imported skill',
  description: 'Skills of other folders than the one for imports are removed there by hand.',
  access: 'dangerous',
  tag: 'skills',
  params: SKILL_ID,
  response: { status: 204, description: 'It is gone.' },
  handle: async ({ params: { id } }, { gateway, principal }) => {
    const skills = await requireSkills(gateway);
    await requireInstaller(gateway, principal);
    await skills.remove(id, principal);
  },
});
