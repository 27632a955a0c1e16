import { type RouteDefinition, route } from '../../route.ts';
import { requireInstaller, requireSkills } from './skill-installer.ts';
import { SKILL_IMPORT } from './skill-schemas.ts';
import { IMPORT_FORM, IMPORT_REQUEST, withImportRequest } from './skill-upload.ts';

const DEFINITION: Omit<RouteDefinition<undefined, undefined, unknown>, 'path' | 'operationId'> = {
  method: 'post',
  summary: 'Import skills',
  description:
    'From an archive, a SKILL.md or a git repository: a URL, or a file of a multipart form. Invalid tools cost themselves alone; a good skill is not replaced by a worse one without `force`.',
  access: 'dangerous',
  tag: 'skills',
  readsBody: true,
  body: IMPORT_REQUEST,
  form: IMPORT_FORM,
  response: { description: 'What was imported, and the sums.', schema: SKILL_IMPORT },
  handle: async (_input, { gateway, principal, request, signal, maxBodyBytes }) => {
    const skills = await requireSkills(gateway);
    await requireInstaller(gateway, principal);
    return withImportRequest(request, maxBodyBytes, ({ source, options }) =>
      skills.import(source, options, signal, principal),
    );
  },
};

export const importSkills = route({
  ...DEFINITION,
  path: '/api/v1/skills/import',
  operationId: 'importSkills',
});

/** Where the clients of the skills platform send it. */
export const importTeacherSkills = route({
  ...DEFINITION,
  path: '/teacher/skills/import',
  operationId: 'importTeacherSkills',
});
