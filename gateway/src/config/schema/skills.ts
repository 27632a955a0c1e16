import { z } from 'zod';
import { closed, duration, httpUrl, secret, text } from './values.ts';

const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const roots = z.array(text).min(1, 'Name at least one folder.');

/** `sources: { teaching: { skills: … } }`. */
export const skillsShape = z.union([
  text,
  roots,
  closed({
    roots: roots
      .optional()
      .describe(
        'Folders of skills, later ones win; imports go to the first. Default: teacher_skills, skills, ~/.claude/skills.',
      ),
    secrets: z
      .record(
        z.string().regex(SECRET_NAME, 'A secret has a name of letters, digits and "_".'),
        closed({
          value: secret,
          skills: z.array(text).min(1).describe('Skills that may use it; * for all.'),
          origins: z
            .array(httpUrl)
            .optional()
            .describe('Origins of HTTP tools that may send it. Absent: scripts only.'),
        }),
      )
      .optional()
      .describe('What manifests may refer to as {{secrets.NAME}}.'),
  }),
]);

/** What `skills:` may hold, once its schema has checked it. */
export type SkillsEntry = z.infer<typeof skillsShape>;

/** `policy.skills`. */
export const skillPolicyShape = closed({
  enabled: z
    .boolean()
    .optional()
    .describe('Tools of skills are there. Default: DYNAMIC_SKILL_TOOLS_ENABLED, else true.'),
  mode: z
    .enum(['permissive', 'balanced', 'strict'])
    .optional()
    .describe(
      'permissive: they run as they are; balanced: a person agrees to writes, network and other programs; strict: isolated or not at all. Default: balanced.',
    ),
  visible: z
    .enum(['all', 'selected'])
    .optional()
    .describe(
      'Whose tools are there while no skill is selected: of all skills, or of none. Default: all; in production selected.',
    ),
  roles: z
    .array(text)
    .optional()
    .describe('Roles that see tools of skills. Default: everybody; in production teacher.'),
  defaults: z.record(text, text).optional().describe('Skill of a role, where none is asked for.'),
  permitted: z
    .record(text, z.array(text))
    .optional()
    .describe('Skills that a role may ask for, with *. A role that is not named may ask for any.'),
  programs: z
    .array(text)
    .optional()
    .describe('Programs that run without asking, beside sh, bash, python3 and node.'),
  degradeAfter: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Failed calls in a row after which a tool pauses. Default: 3.'),
  coolDown: duration.optional().describe('How long, doubled each time up to 5m. Default: 30s.'),
});
