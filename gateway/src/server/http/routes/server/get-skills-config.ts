import { z } from 'zod';
import { skillsConfig } from '../../capability-profile.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { LEVEL } from '../record-schemas.ts';

export const getSkillsConfig = route({
  method: 'get',
  path: '/api/skills/config',
  operationId: 'getSkillsConfig',
  summary: "Get the caller's capability profile as desktop clients read it",
  description:
    'What is connected and usable, and the effective level of every category: the lower of what the admin allows and what the user chose.',
  access: 'read',
  tag: 'server',
  response: {
    description: 'The profile.',
    schema: z.object({
      hasATS: z.boolean(),
      atsProvider: z.string().nullable(),
      hasCRM: z.boolean(),
      crmProvider: z.string().nullable(),
      hasEmail: z.boolean(),
      emailProvider: z.string().nullable(),
      hasCalendar: z.boolean(),
      calendarProvider: z.string().nullable(),
      effectiveAccess: z.record(z.string(), LEVEL),
    }),
  },
  handle: async (_input, { gateway, principal }) => skillsConfig(await profileOf(gateway, principal)),
});
